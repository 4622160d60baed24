// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/solid.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/triangles/axis_crossing.h"

namespace orbox {
namespace {

// A triangle by its three corners in ascending order.
struct SortedCorners {
  uint64_t others;  // the larger corners, the largest in the low half
  uint32_t triangle;
  bool is_even;  // sorting them takes an even number of swaps
};

SortedCorners Sorted(TriangleIndices t, uint32_t triangle) {
  bool is_even = true;
  const auto order = [&](size_t i, size_t j) {
    if (t[i] <= t[j]) return;
    std::swap(t[i], t[j]);
    is_even = !is_even;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return {uint64_t{t[1]} << 32 | t[2], triangle, is_even};
}

// Leaves out triangles with equal corners if equally many of them face each
// way. If `all`, also leaves out all but the first of the others with equal
// corners. Returns true if any is left out.
bool LeaveOutCopies(std::span<const TriangleIndices> triangles,
                    size_t vertex_count, bool all,
                    std::vector<bool>* left_out) {
  // Buckets by the lowest corner: most have one or two triangles.
  const auto lowest = [](const TriangleIndices& t) {
    return std::min(t[0], std::min(t[1], t[2]));
  };
  std::vector<uint32_t> ends(vertex_count + 1, 0);
  for (const TriangleIndices& t : triangles) ++ends[lowest(t) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<SortedCorners> sorted(triangles.size());
  std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
  for (uint32_t i = 0; i < triangles.size(); ++i) {
    sorted[next[lowest(triangles[i])]++] = Sorted(triangles[i], i);
  }
  bool any = false;
  for (size_t bucket = 0; bucket + 1 < ends.size(); ++bucket) {
    const auto bucket_end = sorted.begin() + ends[bucket + 1];
    auto run = sorted.begin() + ends[bucket];
    if (bucket_end - run < 2) continue;
    std::sort(run, bucket_end,
              [](const SortedCorners& x, const SortedCorners& y) {
                return x.others != y.others ? x.others < y.others
                                            : x.triangle < y.triangle;
              });
    while (run != bucket_end) {
      auto end = run + 1;
      while (end != bucket_end && end->others == run->others) ++end;
      if (end - run > 1) {
        const auto even = std::count_if(
            run, end, [](const SortedCorners& s) { return s.is_even; });
        const bool cancels = 2 * even == end - run;
        if (!cancels && !all) {
          run = end;
          continue;
        }
        any = true;
        for (auto copy = cancels ? run : run + 1; copy != end; ++copy) {
          (*left_out)[copy->triangle] = true;
        }
      }
      run = end;
    }
  }
  return any;
}

}  // namespace

const SolidSurface& SolidSurface::Of(const Mesh& mesh) {
  return *mesh_internal::MeshAccess::Solid(mesh).Or([&] {
    return std::shared_ptr<const SolidSurface>(new SolidSurface(mesh));
  });
}

SolidSurface::SolidSurface(const Mesh& mesh) {
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  const std::vector<uint32_t>& id = welded.id;
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.push_back({id[t[0]], id[t[1]], id[t[2]]});
  }
  // Shells with a common face are closed with both copies of it. A mesh that is
  // closed except for one duplicate triangle is closed with one copy.
  for (const bool all : {false, true}) {
    left_out_.assign(triangles.size(), false);
    bool any = LeaveOutCopies(triangles, mesh.vertex_count(), all, &left_out_);
    for (size_t i = 0; i < triangles.size(); ++i) {
      const TriangleIndices& t = triangles[i];
      // A triangle whose corners are a segment or a point has no relevant
      // sides.
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
        left_out_[i] = true;
        any = true;
      }
    }
    if (!any) left_out_.clear();
    edges_ = SolidEdges(mesh, welded, left_out_);
    has_copies_ = all;
    if (is_closed()) break;
  }
  // An open surface keeps all of its triangles.
  if (!is_closed()) left_out_.clear();
}

const SolidEdges& SolidSurface::EdgesWithRoom(const Tree& tree) const {
  const std::optional<SolidEdges>& found =
      edges_with_room_.Or([&]() -> std::optional<SolidEdges> {
        if (!edges_.any_loose()) return std::nullopt;
        SolidEdges edges = edges_;
        edges.FindRoom(tree, left_out_,
                       kSolidRounding * MagnitudeOf(tree.mesh().bounds()));
        return edges;
      });
  return found ? *found : edges_;
}

const SolidSurface::Boundary* SolidSurface::WithoutWalls(
    const Tree& tree) const {
  const std::optional<Boundary>& found =
      without_walls_.Or([&]() -> std::optional<Boundary> {
        // By parity, the inside ends at every triangle.
        if (!edges_.do_faces_agree()) return std::nullopt;
        // A single component has walls only where it crosses itself. A test
        // would take as long as the build of the tree, and almost never finds
        // any.
        if (edges_.component_bounds().size() == 1) return std::nullopt;
        // The mesh is open without all copies.
        const absl::StatusOr<SurfaceSides> sides =
            SurfaceSides::Create(tree.mesh());
        if (!sides.ok()) return std::nullopt;
        std::optional<SolidBoundary> boundary =
            BoundaryWithoutWalls(tree, FrontsOf(tree, *sides), left_out_);
        if (!boundary) return std::nullopt;
        const Mesh& mesh = boundary->tree.mesh();
        SolidEdges edges(mesh, mesh_internal::Weld(mesh.vertices()), {});
        edges.FindRoom(
            boundary->tree, {},
            boundary->error + kSolidRounding * MagnitudeOf(mesh.bounds()));
        return Boundary{*std::move(boundary), std::move(edges)};
      });
  return found ? &*found : nullptr;
}

ClosedTree SolidSurface::Close(const Mesh& mesh, double longest,
                               const Pose& pose) const {
  if (!(longest > 0) || is_closed()) return {};
  const MeshHoles& holes = holes_.Or([&] { return MeshHoles(mesh); });
  if (!(holes.LongestAt(mesh, pose) < longest)) return {};
  const std::optional<Tree>& tree =
      without_holes_.Or([&]() -> std::optional<Tree> {
        const std::optional<Mesh> closed = holes.Close(mesh);
        if (!closed || !SolidSurface::Of(*closed).is_closed()) {
          return std::nullopt;
        }
        return Build(*closed, {.threads = 1}).value();
      });
  return tree ? ClosedTree{&*tree, holes.count()} : ClosedTree{};
}

namespace {

// Returns the body with closed holes; nothing if none is closed.
std::optional<PosedTree> WithClosedHoles(const PosedTree& posed, double longest,
                                         size_t* holes) {
  const Mesh& mesh = posed.tree().mesh();
  if (!(longest > 0)) return std::nullopt;
  const ClosedTree closed =
      SolidSurface::Of(mesh).Close(mesh, longest, posed.pose());
  if (closed.tree == nullptr) return std::nullopt;
  *holes = closed.holes;
  // In range, because the vertices are those of `posed`.
  return PosedTree::Create(*closed.tree, posed.pose()).value();
}

}  // namespace

Solid::Solid(const PosedTree& original, InsideRule rule, double close_holes)
    : open_posed_(original),
      closed_(WithClosedHoles(original, close_holes, &closed_holes_)),
      posed_(closed_ ? *closed_ : original),
      surface_(SolidSurface::Of(posed_.tree().mesh())),
      rule_(rule) {
  const PosedTree& posed = posed_;
  const Mesh& mesh = posed.tree().mesh();
  bounds_ = mesh.bounds();
  if (posed.is_moved()) {
    const Triangle first = posed.triangle(0);
    bounds_ = BoundsOf(first);
    for (const TriangleIndices& t : mesh.triangles()) {
      for (const uint32_t v : t) {
        const Vec3 p = posed.pose().Apply(mesh.vertices()[v]);
        bounds_ = {Min(bounds_.lo, p), Max(bounds_.hi, p)};
      }
    }
    const std::array<Vec3, 3>& rows = posed.pose().rows;
    is_mirrored_ = Dot(rows[0], Cross(rows[1], rows[2])) < 0;
  }
  error_ = kSolidRounding * MagnitudeOf(bounds_);
  if (place().is_moved()) {
    to_tree_ = place().pose().Inverse().value_or(Pose());
    error_ += kSolidRounding * place().scale() *
              (MagnitudeOf(place().tree().mesh().bounds()) +
               MaxCoordinate(Abs(to_tree_.translation)));
  }
  const SolidEdges::Facing facing = rule == InsideRule::kParity
                                        ? SolidEdges::Facing::kUnknown
                                        : surface_.edges().facing();
  facing_ =
      facing == SolidEdges::Facing::kUnknown
          ? 0
          : ((facing == SolidEdges::Facing::kOutward) != is_mirrored_ ? 1 : -1);
}

Solid::Solid(const Solid& walled, const SolidSurface::Boundary& boundary)
    : open_posed_(walled.open_posed_),
      closed_holes_(walled.closed_holes_),
      posed_(walled.posed_),
      surface_(walled.surface_),
      rule_(walled.rule_),
      walled_(&walled),
      boundary_(
          PosedTree::Create(boundary.surface.tree, posed_.pose()).value()),
      to_tree_(walled.to_tree_),
      bounds_(walled.bounds_),
      error_(walled.error_ +
             boundary.surface.error * posed_.scale() * posed_.stretch()),
      facing_(!boundary.surface.is_outward ? 0
                                           : (walled.is_mirrored_ ? -1 : 1)),
      is_mirrored_(walled.is_mirrored_) {}

const Solid& Solid::WithoutWalls() const {
  const std::unique_ptr<const Solid>& found =
      without_walls_.Or([&]() -> std::unique_ptr<const Solid> {
        const SolidSurface::Boundary* boundary =
            walled_ == nullptr ? BoundaryAlone() : nullptr;
        if (boundary == nullptr) return nullptr;
        return std::unique_ptr<const Solid>(new Solid(*this, *boundary));
      });
  return found == nullptr ? *this : *found;
}

bool Solid::HasWallsNear(const Aabb& box, const Solid* other) const {
  // Walls exist only where two components are. (Component bounds are in the
  // mesh's coordinates. For a pose that stretches, the tree has other
  // coordinates.)
  if (posed_.stretch() == 1) {
    const Aabb region = RegionOf(box);
    size_t count = 0;
    for (const Aabb& component : surface_.edges().component_bounds()) {
      count += Overlaps(component, region) ? 1 : 0;
    }
    if (count < 2) return false;
  }
  const SolidSurface::Boundary* boundary = BoundaryAlone();
  if (boundary == nullptr) return false;
  std::vector<uint32_t> ids;
  AppendNear(box, &ids);
  return std::any_of(ids.begin(), ids.end(), [&](uint32_t id) {
    const Aabb& in_mesh = boundary->surface.walls[id];
    if (IsEmpty(in_mesh)) return false;
    const Aabb near = GrownBy(BoxAround(in_mesh, posed_.pose()), 2 * error_);
    return Overlaps(near, box) && (other == nullptr || other->MayMeet(near));
  });
}

bool Solid::IsOnOneSide(const Aabb& box) const {
  if (IsEmpty(box)) return false;
  // The box may be infinite.
  const Aabb region = Intersection(box, GrownBy(bounds_, 2 * error_));
  return IsEmpty(region) ||
         !AnyOverlap(boundary().InWorld().tree(), RegionOf(region));
}

Vec3 Solid::vertex(uint32_t id) const {
  const Vec3 v = boundary().tree().mesh().vertices()[id];
  return posed_.is_moved() ? posed_.pose().Apply(v) : v;
}

Aabb Solid::RegionOf(const Aabb& box) const {
  if (IsEmpty(box)) return box;
  return BoxAround(GrownBy(box, 2 * error_), to_tree_);
}

void Solid::AppendNear(const Aabb& box, std::vector<uint32_t>* ids) const {
  const size_t begin = ids->size();
  // The box may be infinite.
  const Aabb region = Intersection(box, GrownBy(bounds_, 2 * error_));
  if (IsEmpty(region)) return;
  AppendOverlaps(boundary().InWorld().tree(), RegionOf(region), ids);
  if (walled_ != nullptr || surface_.left_out().empty()) return;
  ids->erase(
      std::remove_if(ids->begin() + static_cast<ptrdiff_t>(begin), ids->end(),
                     [&](uint32_t id) { return IsLeftOut(id); }),
      ids->end());
}

bool Solid::IsInside(const Vec3& p) const {
  const Tree& tree = place().tree();
  const Vec3 in_tree = place().is_moved() ? to_tree_.Apply(p) : p;
  Vec3 q = in_tree;
  Crossings crossings = CrossingsFrom(tree, q);
  // The point may be on a wall, far from the boundary. A step off the wall,
  // shorter than error(), keeps the result. No wall contains all of these
  // directions.
  constexpr Vec3 kSteps[] = {
      {0.3, 0.4, 0.5}, {0.5, -0.3, 0.4}, {-0.4, 0.5, 0.3}};
  const double length = error_ / (place().is_moved() ? place().scale() : 1);
  for (const Vec3& step : kSteps) {
    if (!crossings.is_on_surface) break;
    q = in_tree + step * length;
    crossings = CrossingsFrom(tree, q);
  }
  int winding = crossings.winding;
  // Copies count once.
  const size_t copies =
      surface_.has_copies() ? surface_.left_out().size() : size_t{0};
  for (uint32_t id = 0; id < copies; ++id) {
    if (!surface_.IsLeftOut(id)) continue;
    winding -= CrossingAlongX(q, tree.mesh().triangle(id)).sign;
  }
  const bool counts_windings =
      rule_ == InsideRule::kWinding && surface_.edges().do_faces_agree();
  return counts_windings ? winding != 0 : winding % 2 != 0;
}

}  // namespace orbox
