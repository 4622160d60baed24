// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/solid_boundary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/inside/internal/polygon.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// A triangle that would be cut into more pieces than this stays whole and
// counts as boundary.
constexpr size_t kMostPieces = 512;

constexpr Vec3 kFar{kInfinity, kInfinity, kInfinity};
constexpr Aabb kNothing{kFar, -kFar};

class BoundaryCutter {
 public:
  explicit BoundaryCutter(const Tree& tree)
      : tree_(tree),
        thin_(0x1p-36 *
                  Norm(tree.mesh().bounds().hi - tree.mesh().bounds().lo) +
              0x1p-49 * MagnitudeOf(tree.mesh().bounds())) {}

  // Pieces thinner than this are dropped. InsideOf tests points at this
  // distance from a piece. Far from the origin, the rounding of coordinates
  // moves a corner of a piece by up to 2^-52 of their size. All else is
  // computed from differences of coordinates.
  double thin() const { return thin_; }

  // Sides of a convex piece on which the inside is.
  enum class Inside { kBoth, kBehind, kInFront, kUnknown };
  Inside InsideOf(const Polygon& piece, const Vec3& normal) const {
    Vec3 middle;
    for (const Vec3& p : piece) middle += p - piece[0];
    middle = piece[0] + middle * (1.0 / static_cast<double>(piece.size()));
    const Vec3 by = normal * thin_;
    const bool is_in_front = IsInside(middle + by);
    if (is_in_front == IsInside(middle - by)) return Inside::kBoth;
    return is_in_front ? Inside::kInFront : Inside::kBehind;
  }

  // Adds a piece, turned so that the inside is behind it.
  void Keep(const Polygon& piece, Inside inside) {
    if (inside == Inside::kInFront) {
      Polygon turned;
      for (size_t k = piece.size(); k-- > 0;) turned.Add(piece[k]);
      kept_.push_back(turned);
    } else {
      kept_.push_back(piece);
    }
    are_outward_ = are_outward_ && inside != Inside::kUnknown;
  }
  const std::vector<Polygon>& kept() const { return kept_; }
  // Returns true if the inside is certainly behind all pieces that were kept.
  bool are_outward() const { return are_outward_; }

  // Keeps the pieces of a triangle that bound the solid. Returns the bounding
  // box of the other pieces.
  Aabb Cut(const Triangle& t, const std::vector<Triangle>& others) {
    const Vec3 normal = NormalOf(t);
    if (normal == Vec3{}) {
      Keep(Polygon(t), Inside::kBehind);
      return kNothing;
    }
    std::vector<Polygon> pieces{Polygon(t)};
    for (const Triangle& other : others) {
      const Vec3 n = NormalOf(other);
      if (n == Vec3{}) continue;
      const Aabb box = GrownBy(BoundsOf(other), thin_);
      const auto cut = [&](const Vec3& along, const Vec3& at) {
        CutAll(DirectionOf(along), at, box, &pieces);
      };
      double height = 0;
      for (size_t k = 0; k < 3; ++k) {
        height = std::max(height, std::abs(Dot(n, t[k] - other.a)));
      }
      if (height > 2 * thin_) {
        cut(n, other.a);
      } else {
        cut(Cross(other.b - other.a, n), other.a);
        cut(Cross(other.c - other.b, n), other.b);
        cut(Cross(other.a - other.c, n), other.c);
      }
      if (pieces.size() > kMostPieces) {
        Keep(Polygon(t), Inside::kUnknown);
        return kNothing;
      }
    }
    Aabb wall = kNothing;
    for (const Polygon& piece : pieces) {
      const Inside inside = InsideOf(piece, normal);
      if (inside != Inside::kBoth) {
        Keep(piece, inside);
        continue;
      }
      for (const Vec3& p : piece) wall = {Min(wall.lo, p), Max(wall.hi, p)};
    }
    return wall;
  }

 private:
  bool IsInside(const Vec3& p) const {
    return CrossingsFrom(tree_, p).winding != 0;
  }

  // Cuts the pieces that overlap the box by the plane through `at`.
  void CutAll(const Vec3& n, const Vec3& at, const Aabb& box,
              std::vector<Polygon>* pieces) const {
    const size_t count = pieces->size();
    for (size_t i = 0; i < count; ++i) {
      const Polygon& piece = (*pieces)[i];
      Aabb bounds{piece[0], piece[0]};
      double lo = Dot(n, piece[0] - at);
      double hi = lo;
      for (const Vec3& p : piece) {
        bounds = {Min(bounds.lo, p), Max(bounds.hi, p)};
        lo = std::min(lo, Dot(n, p - at));
        hi = std::max(hi, Dot(n, p - at));
      }
      if (lo > -2 * thin_ || hi < 2 * thin_ || !Overlaps(bounds, box) ||
          piece.size() + 2 > Polygon::kMostCorners) {
        continue;
      }
      Polygon above = piece;
      above.Clip(-n, at);
      (*pieces)[i].Clip(n, at);
      pieces->push_back(above);
    }
  }

  const Tree& tree_;
  double thin_;
  std::vector<Polygon> kept_;
  bool are_outward_ = true;
};

// Returns, for each triangle whose front is unknown, the triangles that it
// overlaps without being their neighbour.
std::vector<std::vector<uint32_t>> OverlapsOf(
    const Tree& tree, std::span<const Front> fronts,
    const std::vector<bool>& ignored) {
  std::vector<std::vector<uint32_t>> overlaps(fronts.size());
  if (std::count(fronts.begin(), fronts.end(), Front::kUnknown) == 0) {
    return overlaps;
  }
  for (const TrianglePair& pair : AllSelfOverlaps(tree)) {
    if (!ignored.empty() && (ignored[pair.a] || ignored[pair.b])) continue;
    overlaps[pair.a].push_back(pair.b);
    overlaps[pair.b].push_back(pair.a);
  }
  return overlaps;
}

Tree TreeOf(const std::vector<Polygon>& pieces) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const Polygon& piece : pieces) {
    const auto first = static_cast<uint32_t>(vertices.size());
    vertices.insert(vertices.end(), piece.begin(), piece.end());
    for (uint32_t k = 2; k < piece.size(); ++k) {
      triangles.push_back({first, first + k - 1, first + k});
    }
  }
  const absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!mesh.ok()) throw std::bad_alloc();
  absl::StatusOr<Tree> tree = Build(*mesh, {.threads = 1});
  if (!tree.ok()) throw std::bad_alloc();
  return *std::move(tree);
}

}  // namespace

std::optional<SolidBoundary> BoundaryWithoutWalls(
    const Tree& tree, std::span<const Front> fronts,
    const std::vector<bool>& ignored) {
  const Mesh& mesh = tree.mesh();
  const std::vector<std::vector<uint32_t>> overlaps =
      OverlapsOf(tree, fronts, ignored);
  using Inside = BoundaryCutter::Inside;
  BoundaryCutter cutter(tree);
  std::vector<Aabb> walls(mesh.triangle_count(), kNothing);
  std::vector<Triangle> others;
  for (uint32_t t = 0; t < fronts.size(); ++t) {
    if (!ignored.empty() && ignored[t]) continue;
    const Triangle triangle = mesh.triangle(t);
    if (fronts[t] == Front::kUnknown) {
      others.clear();
      for (const uint32_t other : overlaps[t]) {
        others.push_back(mesh.triangle(other));
      }
      walls[t] = cutter.Cut(triangle, others);
    } else if (IsBoundary(fronts[t], InsideRule::kWinding)) {
      cutter.Keep(Polygon(triangle),
                  IsInsideInFront(fronts[t], InsideRule::kWinding)
                      ? Inside::kInFront
                      : Inside::kBehind);
    } else {
      walls[t] = BoundsOf(triangle);
    }
  }
  if (cutter.kept().empty() ||
      std::all_of(walls.begin(), walls.end(), IsEmpty)) {
    return std::nullopt;
  }
  return SolidBoundary{TreeOf(cutter.kept()), 4 * cutter.thin(),
                       std::move(walls), cutter.are_outward()};
}

}  // namespace orbox
