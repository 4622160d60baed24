// SPDX-License-Identifier: Apache-2.0

// The patches that a search for a ball starts from.

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/internal/square_axes.h"

namespace orbox {

class BallSearch::Roots {
 public:
  Roots(BallSearch& search, const Goal& goal, const Aabb& centers,
        TakeRoot take)
      : search_(search), goal_(goal), take_(take) {
    reach_ = GrownBy(centers, goal.touching + 8 * search.error_);
    search.FindRegion(reach_);
    for (size_t i = 0; i < 2; ++i) ids_[i] = search.sides_[i].region_ids;
    // A ball may shrink by `level_` per unit of motion. Then faces nearly along
    // the direction do not stop it, and it is still large enough at the end.
    level_ = (goal.touching - goal.dropped) /
             std::max(Norm(centers.hi - centers.lo), goal.touching);
  }

  bool VisitAll() {
    if (search_.sides_[0].is_sheet) return VisitSheet();
    ChooseDirection();
    return VisitPart(0) && (search_.sides_[1].is_sheet || VisitPart(1));
  }

 private:
  const std::vector<uint32_t>& Ids(size_t i) const { return ids_[i]; }
  const BoundaryTriangle& Get(size_t i, uint32_t id) {
    BallSide& side = search_.sides_[i];
    return side.triangles[search_.PlaceOf(&side, id)];
  }

  // Tests whether a face stops the ball, or a combination of directions of
  // faces.
  bool Stops(const Vec3& inward) const {
    return Dot(inward, direction_) < -level_;
  }

  bool VisitSheet() {
    for (const uint32_t id : Ids(0)) {
      const BoundaryTriangle& t = Get(0, id);
      if (!take_(BallPatch::OfFace(t.corners, t.normal), 0)) return false;
    }
    return true;
  }

  // Tests whether the search is for balls on the side of the faces that has the
  // room.
  bool IsOnSide(size_t i, SolidEdges::Room room, bool is_mirrored) const {
    const std::array<double, 2> signs = search_.SignsOf(i);
    if (room == SolidEdges::Room::kNone) return false;
    if (room == SolidEdges::Room::kAny || signs[1] != 0) return true;
    const bool is_in_front = (signs[0] > 0) != is_mirrored;
    return is_in_front == (room == SolidEdges::Room::kInFront);
  }

  // Returns true once for each loose edge or corner. Several triangles have a
  // loose edge in common.
  bool IsNew(size_t i, uint32_t p, uint32_t q) {
    const uint64_t key = uint64_t{std::min(p, q)} << 32 | std::max(p, q);
    return visited_[i].insert(key).second;
  }

  void ChooseDirection();
  bool VisitPart(size_t i);
  bool VisitTriangle(size_t i, uint32_t id);
  bool VisitEdges(size_t i, uint32_t id, double sign);
  bool VisitEdge(size_t i, uint32_t id, const SolidEdges::Edge& edge,
                 double sign);
  bool VisitLooseEdge(size_t i, const SolidEdges::Edge& edge);
  bool VisitCorner(size_t i, uint32_t vertex);
  bool TakeCorner(size_t i, const Vec3& v,
                  const std::array<Vec3, 3>& directions,
                  const std::vector<Vec3>& ways);
  std::vector<BoundaryTriangle> TrianglesAt(size_t i, const Vec3& p);
  bool TakeArc(size_t i, const Vec3& p, const Vec3& q, const Vec3& m,
               const Vec3& n) {
    if (!Stops(m) && !Stops(n)) return true;
    return take_(BallPatch::OfArc(p, q, {m, n, n}, goal_.touching), i);
  }

  BallSearch& search_;
  const Goal& goal_;
  TakeRoot take_;
  std::array<std::vector<uint32_t>, 2> ids_;  // that balls can touch
  Aabb reach_;  // contains all balls that are sought
  double level_ = 0;
  Vec3 direction_;
  // Loose edges that were visited, by their vertices. A corner is an edge from
  // a vertex to itself.
  std::array<std::unordered_set<uint64_t>, 2> visited_;
};

// Chooses the direction that the fewest triangles face, among the SquareAxes of
// some triangles, each in both orientations.
void BallSearch::Roots::ChooseDirection() {
  constexpr size_t kSample = 32;
  std::vector<Vec3> areas;
  size_t first_count = 0;  // of areas of the first side
  for (size_t i = 0; i < 2; ++i) {
    first_count = areas.size();
    const size_t step = Ids(i).size() / kSample + 1;
    for (size_t k = 0; k < Ids(i).size(); k += step) {
      const Triangle t = search_.sides_[i].solid->triangle(Ids(i)[k]);
      areas.push_back(Cross(t.b - t.a, t.c - t.a));
    }
  }
  size_t fewest = static_cast<size_t>(-1);
  for (const Vec3& axis : SquareAxes(areas)) {
    size_t along = 0;
    size_t against = 0;
    for (size_t k = 0; k < areas.size(); ++k) {
      const BallSide& side = search_.sides_[k < first_count ? 0 : 1];
      const double facing =
          side.solid->facing() * (side.is_outside ? -1.0 : 1.0);
      const double at = Dot(areas[k], axis);
      const double level = 0x1p-20 * Norm(areas[k]);
      if (std::abs(at) <= level) continue;
      along += facing == 0 || at * facing > 0;
      against += facing == 0 || at * facing < 0;
    }
    if (std::min(along, against) >= fewest) continue;
    fewest = std::min(along, against);
    direction_ = along <= against ? axis : -axis;
  }
}

bool BallSearch::Roots::VisitPart(size_t i) {
  // Few triangles suffice to find most balls. Only a search that needs more
  // drops triangles that no ball touches.
  const size_t some = std::min(Ids(i).size(), Ids(i).size() / 32 + 1);
  for (size_t k = 0; k < some; ++k) {
    if (!VisitTriangle(i, Ids(i)[k])) return false;
  }
  if (some == Ids(i).size()) return true;
  const uint32_t next = Ids(i)[some];
  search_.KeepTouchable(goal_, i, &ids_[i]);
  return std::all_of(std::lower_bound(Ids(i).begin(), Ids(i).end(), next),
                     Ids(i).end(),
                     [&](uint32_t id) { return VisitTriangle(i, id); });
}

bool BallSearch::Roots::VisitTriangle(size_t i, uint32_t id) {
  for (const double sign : search_.SignsOf(i)) {
    if (sign == 0) continue;
    const BoundaryTriangle& t = Get(i, id);
    const Vec3 inward = t.normal * sign;
    if (Stops(inward)) {
      const Vec3 by = inward * goal_.touching;
      const Triangle moved{t.corners.a + by, t.corners.b + by,
                           t.corners.c + by};
      if (!take_(BallPatch::OfFace(moved, inward), i)) return false;
    }
    if (!VisitEdges(i, id, sign)) return false;
  }
  return true;
}

bool BallSearch::Roots::VisitEdges(size_t i, uint32_t id, double sign) {
  const SolidEdges& edges = search_.sides_[i].solid->edges();
  for (const uint32_t e : edges.OfTriangle(id)) {
    if (e == SolidEdges::kNobody) continue;
    const SolidEdges::Edge& edge = edges[e];
    const Solid& solid = *search_.sides_[i].solid;
    const Vec3 p = solid.vertex(edge.ends[0]);
    const Vec3 q = solid.vertex(edge.ends[1]);
    if (!Overlaps({Min(p, q), Max(p, q)}, reach_)) continue;
    if (edge.triangles[1] == SolidEdges::kNobody) {
      if (!VisitLooseEdge(i, edge)) return false;
      continue;
    }
    // Skips an edge that its other triangle has visited.
    if (edge.triangles[0] != id &&
        std::binary_search(Ids(i).begin(), Ids(i).end(), edge.triangles[0])) {
      continue;
    }
    if (!VisitEdge(i, id, edge, sign)) return false;
  }
  return true;
}

bool BallSearch::Roots::VisitEdge(size_t i, uint32_t id,
                                  const SolidEdges::Edge& edge, double sign) {
  const Solid& solid = *search_.sides_[i].solid;
  const bool is_valley = edge.is_valley != solid.is_mirrored();
  // The side of the normals, in the mesh, that the ball is on.
  const bool is_behind = sign < 0;
  if (is_valley != is_behind) return true;
  const size_t side = (is_behind != solid.is_mirrored()) ? 0 : 1;
  const Vec3 m = Get(i, edge.triangles[0]).normal * sign;
  const Vec3 n = Get(i, edge.triangles[1]).normal * sign;
  const Vec3 p = solid.vertex(edge.ends[0]);
  const Vec3 q = solid.vertex(edge.ends[1]);
  Vec3 middle = m + n;
  if (Dot(m, n) < -0.9) {
    // Away from the faces, which nearly coincide.
    const Triangle t = solid.triangle(id);
    const Vec3 along = DirectionOf(q - p);
    const Vec3 to = t.a + t.b + t.c - p * 3;
    middle = along * Dot(along, to) - to;
  }
  middle = DirectionOf(middle);
  const bool is_sharp = Dot(m, n) < 0;
  if (is_sharp) {
    if (!TakeArc(i, p, q, m, middle) || !TakeArc(i, p, q, middle, n)) {
      return false;
    }
  } else if (!TakeArc(i, p, q, m, n)) {
    return false;
  }
  for (size_t end = 0; end < 2; ++end) {
    const SolidEdges::Corner corner = edge.corners[end][side];
    if (corner == SolidEdges::Corner::kAny) {
      if (!VisitCorner(i, edge.ends[end])) return false;
    }
    if (corner != SolidEdges::Corner::kFan) continue;
    const Vec3 apex = Get(i, edge.fans[end]).normal * sign;
    if (edge.fans[end] == edge.triangles[0] ||
        edge.fans[end] == edge.triangles[1]) {
      continue;
    }
    if (!Stops(apex) && !Stops(m) && !Stops(n)) continue;
    const Vec3 v = end == 0 ? p : q;
    if (!take_(BallPatch::OfArc(v, v, {apex, m, n}, goal_.touching), i)) {
      return false;
    }
  }
  return true;
}

// Returns the triangles of the boundary that touch a point.
std::vector<BoundaryTriangle> BallSearch::Roots::TrianglesAt(size_t i,
                                                             const Vec3& p) {
  const double near = 8 * search_.error_;
  std::vector<uint32_t> ids;
  search_.sides_[i].solid->AppendNear(GrownBy({p, p}, near), &ids);
  std::vector<BoundaryTriangle> triangles;
  for (const uint32_t id : ids) {
    const BoundaryTriangle& t = Get(i, id);
    if (t.DistanceFrom(p) <= near + t.error) triangles.push_back(t);
  }
  return triangles;
}

// Visits balls that touch an edge of more or fewer than two triangles, in the
// directions that all triangles along the edge allow.
bool BallSearch::Roots::VisitLooseEdge(size_t i, const SolidEdges::Edge& edge) {
  const Solid& solid = *search_.sides_[i].solid;
  if (!IsOnSide(i, edge.room, solid.is_mirrored())) return true;
  if (!IsNew(i, edge.ends[0], edge.ends[1])) return true;
  const Vec3 p = solid.vertex(edge.ends[0]);
  const Vec3 q = solid.vertex(edge.ends[1]);
  if (p == q) return true;
  std::vector<BoundaryTriangle> around;
  for (const uint32_t id : edge.around) {
    if (id != SolidEdges::kNobody) around.push_back(Get(i, id));
  }
  const EdgeRoom room = RoomAlong(p, q, around, search_.error_);
  // A ball that touches a corner also touches edges there that have room.
  if (!IsOnSide(i, room.room, /*is_mirrored=*/false)) return true;
  if (room.from != Vec3{}) {
    const double middle = (room.lo + room.hi) / 2;
    if (!TakeArc(i, p, q, room.At(room.lo), room.At(middle)) ||
        !TakeArc(i, p, q, room.At(middle), room.At(room.hi))) {
      return false;
    }
  }
  for (size_t end = 0; end < 2; ++end) {
    const auto& [behind, in_front] = edge.corners[end];
    if (behind == SolidEdges::Corner::kNone &&
        in_front == SolidEdges::Corner::kNone) {
      continue;
    }
    if (!VisitCorner(i, edge.ends[end])) return false;
  }
  return true;
}

// Visits a corner once.
bool BallSearch::Roots::VisitCorner(size_t i, uint32_t vertex) {
  if (!IsNew(i, vertex, vertex)) return true;
  const Solid& solid = *search_.sides_[i].solid;
  const Vec3 v = solid.vertex(vertex);
  if (!Overlaps({v, v}, reach_)) return true;
  const std::vector<Vec3> ways = WaysFrom(v, TrianglesAt(i, v), search_.error_);
  if (!solid.edges().knows_room() && !LeavesRoom(ways)) return true;
  for (int octant = 0; octant < 8; ++octant) {
    const Vec3 x{(octant & 1) != 0 ? 1.0 : -1.0, 0, 0};
    const Vec3 y{0, (octant & 2) != 0 ? 1.0 : -1.0, 0};
    const Vec3 z{0, 0, (octant & 4) != 0 ? 1.0 : -1.0};
    if (!TakeCorner(i, v, {x, y, z}, ways)) return false;
  }
  return true;
}

bool BallSearch::Roots::TakeCorner(size_t i, const Vec3& v,
                                   const std::array<Vec3, 3>& directions,
                                   const std::vector<Vec3>& ways) {
  const auto& [x, y, z] = directions;
  if (!Stops(x) && !Stops(y) && !Stops(z)) return true;
  for (const Vec3& w : ways) {
    if (Dot(w, x) > 0 && Dot(w, y) > 0 && Dot(w, z) > 0) return true;
  }
  return take_(BallPatch::OfArc(v, v, directions, goal_.touching), i);
}

bool BallSearch::ForEachRoot(const Goal& goal, const Aabb& centers,
                             TakeRoot take) {
  return Roots(*this, goal, centers, take).VisitAll();
}

}  // namespace orbox
