// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/vertex_stars.h"

#include <cmath>
#include <limits>

#include "orbox/overlap/base/roundoff.h"

namespace orbox {
namespace {

// A projection plane: the coordinates of a vector are its products with x and
// y. The coordinates of x and y are at most 3. They need not be orthogonal.
struct StarView {
  Vec3 x;
  Vec3 y;
};

// Returns a projection roughly along `direction`, or zeros if the direction has
// no length.
StarView ViewAlong(const Vec3& direction) {
  const double largest = MaxCoordinate(Abs(direction));
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  const Vec3 n = direction * (1 / largest);
  const Vec3 a = Abs(n);
  const Vec3 axis = a.x <= a.y && a.x <= a.z
                        ? Vec3{1, 0, 0}
                        : (a.y <= a.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  // Oblique, because edges of models are often parallel to the axes, and no
  // edge should be parallel to x.
  const Vec3 x = Cross(axis, n);
  return {x, Cross(n, x) + x * 0.4142};
}

// Position of a corner in a view, relative to the vertex.
struct SeenCorner {
  // kRoundoff is the relative error of one rounding. kTiny is an upper bound of
  // the underflow error of products of numbers below 16.
  static constexpr double kTiny = 0x1p-1000;

  SeenCorner(const StarView& view, const Vec3& way)
      : x(Dot(view.x, way)),
        y(Dot(view.y, way)),
        reach(std::abs(way.x) + std::abs(way.y) + std::abs(way.z)) {}

  // The difference has one rounding, and each product with it three more. The
  // sum is 12 u of the reach.
  bool IsAbove() const { return y > 16 * kRoundoff * reach + kTiny; }
  bool IsBelow() const { return y < -16 * kRoundoff * reach - kTiny; }

  // Returns true if `to` is counterclockwise from this corner by less than half
  // a turn. Both factors of a product are below three times the reach and have
  // errors of 12 u of the reach. So the error of a product is 81 u, and that of
  // the difference is 180 u.
  bool TurnsLeft(const SeenCorner& to) const {
    return x * to.y - y * to.x > 256 * kRoundoff * reach * to.reach + kTiny;
  }

  double x;
  double y;
  double reach;
};

// Number of turns of a star around its vertex so far. kNot if the star is not
// certainly simple.
using Turns = uint8_t;
constexpr Turns kNot = 0xff;

// Adds a triangle to a star.
void AddToStar(const StarView& view, const Vec3& from, const Vec3& to,
               Turns* turns) {
  if (*turns == kNot) return;
  const SeenCorner p(view, from);
  const SeenCorner q(view, to);
  if (!p.TurnsLeft(q) || p.IsAbove() == p.IsBelow() ||
      q.IsAbove() == q.IsBelow()) {
    *turns = kNot;
  } else if (p.IsBelow() && q.IsAbove()) {
    // The triangle turns counterclockwise by less than half a turn, so it
    // crosses the positive x axis.
    *turns = *turns == 0 ? 1 : kNot;
  }
}

}  // namespace

std::vector<CornerIds> SimpleCorners(const Mesh& mesh,
                                     const SurfaceEdges& edges,
                                     const SeenStars& seen) {
  std::vector<StarView> views(seen.directions.size());
  std::vector<Turns> turns(seen.directions.size(), kNot);
  for (size_t i = 0; i < views.size(); ++i) {
    views[i] = ViewAlong(seen.directions[i]);
    if (edges.is_regular[i]) turns[i] = 0;
  }
  std::vector<CornerIds> corners(mesh.triangle_count());
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    const Vec3& a = mesh.vertices()[t[0]];
    const Vec3& b = mesh.vertices()[t[1]];
    const Vec3& c = mesh.vertices()[t[2]];
    corners[i] = {seen.ids[t[0]], seen.ids[t[1]], seen.ids[t[2]]};
    const Vec3 ab = (b - a) * seen.scale;
    const Vec3 bc = (c - b) * seen.scale;
    const Vec3 ca = (a - c) * seen.scale;
    const auto add = [&](uint32_t id, const Vec3& from, const Vec3& to) {
      AddToStar(views[id], from, to, &turns[id]);
    };
    add(corners[i][0], ab, -ca);
    add(corners[i][1], bc, -ab);
    add(corners[i][2], ca, -bc);
  }
  for (CornerIds& ids : corners) {
    for (uint32_t& id : ids) {
      if (turns[id] != 1) id = kNoCorner;
    }
  }
  return corners;
}

}  // namespace orbox
