// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/solid_edges.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/regions/region_overlap.h"

namespace orbox {
namespace {

// One side of a triangle, in the bucket of its lower end.
struct EdgeSide {
  uint32_t high;
  uint32_t triangle;
  uint8_t k;   // from corner k to the next
  bool is_up;  // from the lower end to the higher one
};

uint32_t RootOf(std::vector<uint32_t>& parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

}  // namespace

SolidEdges::SolidEdges(const Mesh& mesh, const mesh_internal::Welded& welded,
                       const std::vector<bool>& left_out) {
  const std::vector<uint32_t>& ids = welded.id;
  const std::span<const TriangleIndices> triangles = mesh.triangles();
  const auto is_left_out = [&](uint32_t t) {
    return !left_out.empty() && left_out[t];
  };
  const auto for_each_side = [&](auto take) {
    for (uint32_t t = 0; t < triangles.size(); ++t) {
      if (is_left_out(t)) continue;
      for (uint8_t k = 0; k < 3; ++k) {
        const uint32_t from = ids[triangles[t][k]];
        const uint32_t to = ids[triangles[t][(k + 1) % 3]];
        if (from == to) continue;
        take(std::min(from, to), EdgeSide{std::max(from, to), t, k, from < to});
      }
    }
  };
  std::vector<uint32_t> ends(welded.first.size() + 1, 0);
  for_each_side([&](uint32_t low, const EdgeSide&) { ++ends[low + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<EdgeSide> sides(ends.back());
  std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
  for_each_side(
      [&](uint32_t low, const EdgeSide& s) { sides[next[low]++] = s; });

  std::vector<Vec3> normals;
  normals.reserve(triangles.size());
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    normals.push_back(NormalOf(mesh.triangle(t)));
  }
  of_triangle_.assign(triangles.size(), {kNobody, kNobody, kNobody});
  std::vector<uint32_t> parents(triangles.size());
  std::iota(parents.begin(), parents.end(), 0u);
  is_closed_ = do_faces_agree_ = !sides.empty();
  const auto add = [&](const EdgeSide& s, uint32_t other, bool is_valley) {
    const TriangleIndices& t = triangles[s.triangle];
    const auto end = [&](size_t k) { return welded.first[ids[t[k % 3]]]; };
    edges_.push_back(
        {{end(s.k), end(s.k + 1)}, {s.triangle, other}, is_valley, {}, {}});
    const auto e = static_cast<uint32_t>(edges_.size() - 1);
    of_triangle_[s.triangle][s.k] = e;
    return e;
  };
  for (size_t low = 0; low + 1 < ends.size(); ++low) {
    const auto begin = sides.begin() + ends[low];
    const auto end = sides.begin() + ends[low + 1];
    std::sort(begin, end, [](const EdgeSide& x, const EdgeSide& y) {
      return x.high != y.high
                 ? x.high < y.high
                 : (x.triangle != y.triangle ? x.triangle < y.triangle
                                             : x.k < y.k);
    });
    for (auto run = begin; run != end;) {
      auto stop = run + 1;
      while (stop != end && stop->high == run->high) ++stop;
      const auto up =
          std::count_if(run, stop, [](const EdgeSide& s) { return s.is_up; });
      is_closed_ = is_closed_ && (stop - run) % 2 == 0;
      do_faces_agree_ = do_faces_agree_ && 2 * up == stop - run;
      if (stop - run == 2 && up == 1) {
        const EdgeSide& s = run[0];
        const EdgeSide& other = run[1];
        parents[RootOf(parents, s.triangle)] = RootOf(parents, other.triangle);
        const Vec3& m = normals[s.triangle];
        const Vec3& n = normals[other.triangle];
        if (m == Vec3{} || n == Vec3{}) {
          add(s, kNobody, false);
          add(other, kNobody, false);
        } else if (Dot(m, n) < 0 || SquaredNorm(Cross(m, n)) > kFlat * kFlat) {
          const TriangleIndices& t = triangles[other.triangle];
          const Vec3 apex = mesh.vertices()[t[(other.k + 2) % 3]];
          const Vec3 on_edge = mesh.vertices()[t[other.k]];
          const uint32_t e = add(s, other.triangle, Dot(m, apex - on_edge) > 0);
          of_triangle_[other.triangle][other.k] = e;
        }
      } else {
        for (auto s = run; s != stop; ++s) add(*s, kNobody, false);
      }
      run = stop;
    }
  }
  FindCorners(mesh.vertex_count());
  if (do_faces_agree_) {
    for (uint32_t t = 0; t < parents.size(); ++t) RootOf(parents, t);
    FindFacing(mesh, parents, left_out);
  }
}

namespace {

// Returns the room along an edge that vertices of other triangles divide.
SolidEdges::Room RoomAlongParts(const Vec3& p, const Vec3& q,
                                std::span<const BoundaryTriangle> triangles,
                                double error) {
  using Room = SolidEdges::Room;
  const double near = 8 * error;
  const double length = Norm(q - p);
  const Vec3 along = DirectionOf(q - p);
  std::vector<double> ends{0, length};
  for (const BoundaryTriangle& t : triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 d = t.corners[k] - p;
      const double at = Dot(along, d);
      if (at > 4 * near && at < length - 4 * near &&
          Norm(d - along * at) <= near) {
        ends.push_back(at);
      }
    }
  }
  std::sort(ends.begin(), ends.end());
  Room all = Room::kNone;
  double begin = 0;
  for (const double end : ends) {
    if (end != length && end - begin <= 4 * near) continue;
    const Room room =
        RoomAlong(p + along * begin, p + along * end, triangles, error).room;
    if (all == Room::kNone) all = room;
    if (room != all && room != Room::kNone) all = Room::kAny;
    begin = end;
  }
  return all;
}

}  // namespace

void SolidEdges::FindCorners(size_t vertex_count) {
  // Counts at each point: valleys, ridges, and edges that are neither.
  struct Count {
    uint32_t valleys = 0;
    uint32_t ridges = 0;
    uint32_t others = 0;
    uint32_t lowest = kNobody;  // triangle
  };
  std::vector<Count> counts(vertex_count);
  for (const Edge& edge : edges_) {
    const bool is_loose = edge.triangles[1] == kNobody;
    if (is_loose && edge.room == Room::kNone) continue;
    for (const uint32_t end : edge.ends) {
      Count& count = counts[end];
      count.lowest =
          std::min({count.lowest, edge.triangles[0], edge.triangles[1]});
      ++(is_loose ? count.others
                  : (edge.is_valley ? count.valleys : count.ridges));
    }
  }
  for (Edge& edge : edges_) {
    for (size_t i = 0; i < 2; ++i) {
      const Count& count = counts[edge.ends[i]];
      const auto kind = [&](uint32_t reflex, uint32_t convex) {
        if (count.others > 0) return Corner::kAny;
        if (reflex < 3) return Corner::kNone;
        return convex > 0 ? Corner::kAny : Corner::kFan;
      };
      edge.fans[i] = count.lowest;
      edge.corners[i] = {kind(count.valleys, count.ridges),
                         kind(count.ridges, count.valleys)};
    }
  }
}

bool SolidEdges::any_loose() const {
  return std::any_of(edges_.begin(), edges_.end(), [](const Edge& edge) {
    return edge.triangles[1] == kNobody;
  });
}

void SolidEdges::FindRoom(const Tree& tree, const std::vector<bool>& left_out,
                          double error) {
  const Mesh& mesh = tree.mesh();
  std::vector<uint32_t> near;
  std::vector<BoundaryTriangle> triangles;
  const auto near_box =
      [&](const Aabb& box) -> std::span<const BoundaryTriangle> {
    near.clear();
    triangles.clear();
    AppendOverlaps(tree, GrownBy(box, 8 * error), &near);
    std::erase_if(near,
                  [&](uint32_t t) { return !left_out.empty() && left_out[t]; });
    for (const uint32_t t : near) triangles.emplace_back(mesh.triangle(t));
    return triangles;
  };
  for (Edge& edge : edges_) {
    if (edge.triangles[1] != kNobody) continue;
    const Vec3& p = mesh.vertices()[edge.ends[0]];
    const Vec3& q = mesh.vertices()[edge.ends[1]];
    edge.room = RoomAlongParts(p, q, near_box({Min(p, q), Max(p, q)}), error);
    if (edge.room != Room::kNone) {
      const EdgeRoom whole = RoomAlong(p, q, triangles, error);
      for (size_t k = 0; k < 3; ++k) {
        if (whole.around[k] != kNobody) edge.around[k] = near[whole.around[k]];
      }
      continue;
    }
    for (uint32_t& e : of_triangle_[edge.triangles[0]]) {
      if (e == static_cast<uint32_t>(&edge - edges_.data())) e = kNobody;
    }
  }
  FindCorners(mesh.vertex_count());
  knows_room_ = true;
  // Corners in the middle of a face or of an edge have no room.
  std::vector<std::optional<bool>> has_room(mesh.vertex_count());
  for (Edge& edge : edges_) {
    for (size_t i = 0; i < 2; ++i) {
      const auto is_any = [](Corner c) { return c == Corner::kAny; };
      if (!std::any_of(edge.corners[i].begin(), edge.corners[i].end(),
                       is_any)) {
        continue;
      }
      std::optional<bool>& known = has_room[edge.ends[i]];
      if (!known) {
        const Vec3& v = mesh.vertices()[edge.ends[i]];
        known = LeavesRoom(WaysFrom(v, near_box({v, v}), error));
      }
      if (!*known) edge.corners[i].fill(Corner::kNone);
    }
  }
}

EdgeRoom RoomAlong(const Vec3& p, const Vec3& q,
                   std::span<const BoundaryTriangle> triangles, double error) {
  EdgeRoom found;
  const Vec3 along = DirectionOf(q - p);
  if (along == Vec3{}) return found;
  constexpr double kQuarter = std::numbers::pi / 2;
  const double near = 8 * error;
  found.lo = -kQuarter;
  found.hi = kQuarter;
  for (uint32_t i = 0; i < triangles.size(); ++i) {
    const BoundaryTriangle& t = triangles[i];
    if (t.DistanceFrom(p) > near + t.error ||
        t.DistanceFrom(q) > near + t.error) {
      continue;
    }
    // Points into the triangle, at right angles to the edge.
    Vec3 into;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 d = t.corners[k] - p;
      const Vec3 side = d - along * Dot(along, d);
      if (SquaredNorm(side) > SquaredNorm(into)) into = side;
    }
    // A thinner triangle has no accurate direction.
    if (Norm(into) < 0x1p-20 * Norm(q - p) + 64 * error) continue;
    into = DirectionOf(into);
    into = DirectionOf(into - along * Dot(along, into));
    if (found.from == Vec3{}) {
      // Angles are from the direction away from the first triangle.
      found.from = -into;
      found.across = Cross(along, found.from);
      found.around[0] = i;
      continue;
    }
    const double angle =
        std::atan2(-Dot(found.across, into), -Dot(found.from, into));
    if (angle - kQuarter > found.lo) {
      found.lo = angle - kQuarter;
      found.around[1] = i;
    }
    if (angle + kQuarter < found.hi) {
      found.hi = angle + kQuarter;
      found.around[2] = i;
    }
  }
  if (found.from == Vec3{}) return found;
  // The normal of a triangle is at each end.
  const auto normal = [&](size_t k) {
    const bool is_first = found.around[k] == SolidEdges::kNobody;
    return triangles[found.around[is_first ? 0 : k]].normal;
  };
  const double lo_side = Dot(normal(1), found.At(found.lo));
  const double hi_side = Dot(normal(2), found.At(found.hi));
  if (found.hi - found.lo <= SolidEdges::kFlat) {
    found.room = SolidEdges::Room::kNone;
  } else if (lo_side < -0.5 && hi_side < -0.5) {
    found.room = SolidEdges::Room::kBehind;
  } else if (lo_side > 0.5 && hi_side > 0.5) {
    found.room = SolidEdges::Room::kInFront;
  }
  return found;
}

std::vector<Vec3> WaysFrom(const Vec3& v,
                           std::span<const BoundaryTriangle> triangles,
                           double error) {
  std::vector<Vec3> ways;
  for (const BoundaryTriangle& t : triangles) {
    if (t.DistanceFrom(v) > 8 * error + t.error) continue;
    for (size_t k = 0; k < 3; ++k) {
      if (Norm(t.corners[k] - v) > 16 * error) {
        ways.push_back(DirectionOf(t.corners[k] - v));
      }
    }
  }
  return ways;
}

bool LeavesRoom(const std::vector<Vec3>& ways) {
  if (ways.empty()) return false;
  // Opposite ways leave no room, for example along an edge that continues.
  for (size_t i = 0; i < ways.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (Dot(ways[i], ways[k]) < -1 + 0x1p-30) return false;
    }
  }
  constexpr int kSteps = 50;
  Vec3 nearest = ways[0];
  for (int step = 0; step < kSteps; ++step) {
    // No point of the hull is beyond the plane through the farthest point.
    const Vec3* least = &ways[0];
    for (const Vec3& w : ways) {
      if (Dot(w, nearest) < Dot(*least, nearest)) least = &w;
    }
    const Vec3 to = *least - nearest;
    const double gain = -Dot(nearest, to);
    if (!(gain > 0) || SquaredNorm(to) == 0) break;
    nearest += to * std::min(1.0, gain / SquaredNorm(to));
    if (SquaredNorm(nearest) < SolidEdges::kFlat * SolidEdges::kFlat) {
      return false;
    }
  }
  return true;
}

void SolidEdges::FindFacing(const Mesh& mesh, std::span<const uint32_t> root,
                            const std::vector<bool>& left_out) {
  // If all components enclose a positive volume, no sum of their winding
  // numbers is negative.
  const Vec3 origin = mesh.bounds().Center();
  std::vector<double> volumes(root.size(), 0);
  std::vector<uint32_t> number(root.size(), kNobody);  // of the component
  for (uint32_t t = 0; t < root.size(); ++t) {
    if (!left_out.empty() && left_out[t]) continue;
    const Triangle s = mesh.triangle(t);
    uint32_t r = t;
    while (root[r] != r) r = root[r];
    volumes[r] += Dot(s.a - origin, Cross(s.b - origin, s.c - origin));
    if (number[r] == kNobody) {
      number[r] = static_cast<uint32_t>(components_.size());
      components_.push_back(BoundsOf(s));
    } else {
      components_[number[r]] = Union(components_[number[r]], BoundsOf(s));
    }
  }
  bool any_outward = false;
  bool any_inward = false;
  for (uint32_t t = 0; t < root.size(); ++t) {
    if (root[t] != t || (!left_out.empty() && left_out[t])) continue;
    (volumes[t] > 0 ? any_outward : any_inward) = true;
  }
  if (any_outward != any_inward) {
    facing_ = any_outward ? Facing::kOutward : Facing::kInward;
  }
}

}  // namespace orbox
