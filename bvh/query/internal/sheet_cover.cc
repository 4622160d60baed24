// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/sheet_cover.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orbox/bvh/query/internal/local_solid.h"

namespace orbox {
namespace {

// A triangle in more pieces stays whole.
constexpr size_t kMostPieces = 64;

// Cuts off what is within `distance` of one triangle; what is not becomes
// `rest`.
class Cutter {
 public:
  Cutter(const Triangle& t, double distance)
      : cover_(t), distance_(distance - cover_.error) {}

  void Cut(const Polygon& piece, std::vector<Polygon>* rest) const {
    const auto is_near = [&](const Vec3& p) {
      return cover_.DistanceFrom(p) < distance_;
    };
    // Distances from a convex set are convex.
    if (std::all_of(piece.begin(), piece.end(), is_near)) return;
    const auto is_level = [&](const Vec3& p) {
      return std::abs(Dot(cover_.normal, p - cover_.corners.a)) < distance_;
    };
    if (cover_.normal == Vec3{} ||
        !std::all_of(piece.begin(), piece.end(), is_level)) {
      rest->push_back(piece);
      return;
    }
    // What is above or below the triangle itself is as near as it is high.
    Polygon inside = piece;
    std::vector<Polygon> outside;
    for (size_t k = 0; k < 3 && inside.size() >= 3; ++k) {
      const Vec3 n = DirectionOf(Cross(cover_.sides[k], cover_.normal));
      const double at = Dot(n, cover_.corners[k]);
      Polygon beyond = inside;
      beyond.Clip(-n, -at);
      inside.Clip(n, at);
      if (beyond.size() >= 3 &&
          !std::all_of(beyond.begin(), beyond.end(), is_near)) {
        outside.push_back(beyond);
      }
    }
    if (inside.size() < 3) {
      rest->push_back(piece);
    } else {
      rest->insert(rest->end(), outside.begin(), outside.end());
    }
  }

 private:
  BoundaryTriangle cover_;
  double distance_;
};

}  // namespace

BoxedTriangles PartsAwayFrom(const BoxedTriangles& sheet,
                             const BoxedTriangles& cover, double distance) {
  BoxedTriangles left;
  for (size_t i = 0; i < sheet.triangles.size(); ++i) {
    const Triangle& t = sheet.triangles[i];
    const Vec3 by{distance, distance, distance};
    const Aabb reach{sheet.boxes[i].lo - by, sheet.boxes[i].hi + by};
    // Relative to a corner, so that nothing is lost far from the origin.
    const Vec3 origin = t.a;
    std::vector<Polygon> pieces{
        Polygon(Triangle{{}, t.b - origin, t.c - origin})};
    std::vector<Polygon> rest;
    for (size_t k = 0; k < cover.boxes.size() && !pieces.empty() &&
                       pieces.size() <= kMostPieces;
         ++k) {
      if (!Overlap(cover.boxes[k], reach)) continue;
      const Triangle& c = cover.triangles[k];
      const Cutter cutter({c.a - origin, c.b - origin, c.c - origin}, distance);
      rest.clear();
      for (const Polygon& piece : pieces) cutter.Cut(piece, &rest);
      pieces.swap(rest);
    }
    const bool is_whole =
        pieces.size() > kMostPieces ||
        (pieces.size() == 1 && pieces[0].size() == 3 &&
         pieces[0][1] == t.b - origin && pieces[0][2] == t.c - origin);
    if (is_whole) {
      left.Add(t);
      continue;
    }
    for (const Polygon& piece : pieces) {
      for (size_t k = 2; k < piece.size(); ++k) {
        left.Add({piece[0] + origin, piece[k - 1] + origin, piece[k] + origin});
      }
    }
  }
  return left;
}

}  // namespace orbox
