// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_guess.h"

#include <algorithm>
#include <limits>

namespace orbox {
namespace {

Feature Vertex(size_t i) { return {1, {i, (i + 1) % 3, (i + 2) % 3}, {0, 0}}; }

// Returns the point at the fraction t of the way from corner i to corner j.
// Returns a vertex if t is at or beyond an end.
Feature EdgePoint(size_t i, size_t j, double t) {
  if (!(t > 0)) return Vertex(i);
  if (!(t < 1)) return Vertex(j);
  return {2, {i, j, 3 - i - j}, {t, 0}};
}

// Returns a point of the face. Its coefficients exactly satisfy the conditions
// for a point of the face, because ranges rely on them.
Feature FacePoint(double v, double w) {
  v = std::max(v, 0.0);
  w = std::max(w, 0.0);
  if (!(v + w < 1)) {
    const double scale = (1 - 0x1p-51) / (v + w);
    v *= scale;
    w *= scale;
  }
  return {3, {0, 1, 2}, {v, w}};
}

// Returns the closest points of the segments a + s d and b + t e, where w is b
// - a, and dd and ee are the squared lengths of d and e. Ericson, 5.1.9.
EdgePair ClosestOnEdges(const Vec3& w, const Vec3& d, const Vec3& e, double dd,
                        double ee) {
  const double de = Dot(d, e);
  const double dw = Dot(d, w);
  const double ew = Dot(e, w);
  const double area = dd * ee - de * de;
  double s = area > 0 ? std::clamp((dw * ee - de * ew) / area, 0.0, 1.0) : 0;
  double t = ee > 0 ? (s * de - ew) / ee : -1;  // -1: a point is its start
  if (!(t >= 0)) {
    t = 0;
    s = dd > 0 ? std::clamp(dw / dd, 0.0, 1.0) : 0;
  } else if (t > 1) {
    t = 1;
    s = dd > 0 ? std::clamp((dw + de) / dd, 0.0, 1.0) : 0;
  }
  return {s, t, w + t * e - s * d};
}

// A triangle with the values that every pair of edges needs. Edge i goes from
// corner i to the next corner.
struct Edges {
  explicit Edges(const Triangle& t)
      : corner{t.a, t.b, t.c},
        edge{t.b - t.a, t.c - t.b, t.a - t.c},
        squared{SquaredNorm(edge[0]), SquaredNorm(edge[1]),
                SquaredNorm(edge[2])} {}
  std::array<Vec3, 3> corner;
  std::array<Vec3, 3> edge;
  std::array<double, 3> squared;
};

constexpr std::array<size_t, 3> kNext{1, 2, 0};
constexpr std::array<size_t, 3> kAfterNext{2, 0, 1};

// Returns the corner that is farthest in a direction.
size_t FarthestCorner(const Edges& t, const Vec3& direction) {
  const double a = Dot(t.corner[0], direction);
  const double b = Dot(t.corner[1], direction);
  const double c = Dot(t.corner[2], direction);
  const size_t far = b > a ? 1 : 0;
  return c > std::max(a, b) ? 2 : far;
}

// Pairs of edges in the order of the tests. The numbers are relative to the
// corner near which the closest points are likely: edge 0 leaves this corner,
// edge 2 enters it, and edge 1 is opposite.
constexpr size_t kOrder[9][2] = {{0, 0}, {0, 2}, {2, 0}, {2, 2}, {0, 1},
                                 {1, 0}, {2, 1}, {1, 2}, {1, 1}};
constexpr size_t kEdgesBeforeFaces = 4;

// Returns true if all vertices of `s` are on one side of the plane of `t`, and
// the nearest of them is over the face of `t`. In this case, sets both
// features.
bool IsVertexOverFace(const Edges& s, const Edges& t, Feature* vertex,
                      Feature* face) {
  const Vec3 n = Cross(t.edge[0], t.edge[1]);
  const double nn = SquaredNorm(n);
  if (!(nn > 0)) return false;
  const double h[3] = {Dot(n, s.corner[0] - t.corner[0]),
                       Dot(n, s.corner[1] - t.corner[0]),
                       Dot(n, s.corner[2] - t.corner[0])};
  size_t nearest = 0;
  if (h[0] > 0 && h[1] > 0 && h[2] > 0) {
    nearest = h[1] < h[0] ? 1 : 0;
    if (h[2] < h[nearest]) nearest = 2;
  } else if (h[0] < 0 && h[1] < 0 && h[2] < 0) {
    nearest = h[1] > h[0] ? 1 : 0;
    if (h[2] > h[nearest]) nearest = 2;
  } else {
    return false;
  }
  // Barycentric coordinates of the vertex's projection.
  const Vec3 w = s.corner[nearest] - t.corner[0];
  const double u = Dot(Cross(t.edge[0], w), n) / nn;
  const double v = -Dot(Cross(w, t.edge[2]), n) / nn;
  if (!(u > 0 && v > 0 && u + v < 1)) return false;
  *vertex = Vertex(nearest);
  *face = FacePoint(v, u);
  return true;
}

}  // namespace

Vec3 Feature::PointOnLongest(const Triangle& t) const {
  // Computed in quarters, so that differences and their sums stay in range. The
  // point is between the corners, except for rounding.
  constexpr double kMost = std::numeric_limits<double>::max();
  const Vec3 base = t[corner[0]] * 0.25;
  const Vec3 p = base + (coefficient[0] * (t[corner[1]] * 0.25 - base) +
                         coefficient[1] * (t[corner[2]] * 0.25 - base));
  return {std::clamp(4 * p.x, -kMost, kMost),
          std::clamp(4 * p.y, -kMost, kMost),
          std::clamp(4 * p.z, -kMost, kMost)};
}

PointGuess GuessClosest(const Vec3& p, const Triangle& t) {
  const Vec3 ab = t.b - t.a;
  const Vec3 ac = t.c - t.a;
  const Vec3 ap = p - t.a;
  const double d1 = Dot(ab, ap);
  const double d2 = Dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {Vertex(0)};
  const Vec3 bp = p - t.b;
  const double d3 = Dot(ab, bp);
  const double d4 = Dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {Vertex(1)};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {EdgePoint(0, 1, d1 / (d1 - d3))};
  const Vec3 cp = p - t.c;
  const double d5 = Dot(ab, cp);
  const double d6 = Dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {Vertex(2)};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {EdgePoint(0, 2, d2 / (d2 - d6))};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return {EdgePoint(1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)))};
  }
  const double scale = 1 / (va + vb + vc);
  return {FacePoint(vb * scale, vc * scale)};
}

PairGuess GuessClosest(const Triangle& s, const Triangle& t) {
  const Edges p(s);
  const Edges q(t);
  // The vector from centroid to centroid, times a constant.
  const Vec3 way = ((q.corner[0] - p.corner[0]) + (q.corner[1] - p.corner[1])) +
                   (q.corner[2] - p.corner[2]);
  const size_t s_near = FarthestCorner(p, way);
  const size_t t_near = FarthestCorner(q, -way);
  size_t best_i = 0;
  size_t best_j = 0;
  EdgePair best{0, 0, {}};
  double best_squared = std::numeric_limits<double>::infinity();
  bool is_found = false;
  for (size_t k = 0; k < 9 && !is_found; ++k) {
    // Comes after the likeliest pairs of edges, which decide most triangles.
    if (k == kEdgesBeforeFaces) {
      Feature vertex, face;
      if (IsVertexOverFace(p, q, &vertex, &face)) return {vertex, face, true};
      if (IsVertexOverFace(q, p, &vertex, &face)) return {face, vertex, true};
    }
    const size_t i = (s_near + kOrder[k][0]) % 3;
    const size_t j = (t_near + kOrder[k][1]) % 3;
    const EdgePair pair = ClosestOnEdges(q.corner[j] - p.corner[i], p.edge[i],
                                         q.edge[j], p.squared[i], q.squared[j]);
    const double squared = SquaredNorm(pair.difference);
    if (!(squared < best_squared)) continue;
    best_squared = squared;
    best = pair;
    best_i = i;
    best_j = j;
    // If the third vertices also lead away from each other, these are the
    // closest points.
    const Vec3& r = pair.difference;
    is_found =
        Dot(r, p.edge[kAfterNext[i]]) + pair.s * Dot(r, p.edge[i]) >= 0 &&
        Dot(r, q.edge[kAfterNext[j]]) + pair.t * Dot(r, q.edge[j]) <= 0;
  }
  return {EdgePoint(best_i, kNext[best_i], best.s),
          EdgePoint(best_j, kNext[best_j], best.t), is_found};
}

EdgePair ClosestOnEdges(const Vec3& a, const Vec3& b, const Vec3& c,
                        const Vec3& d) {
  const Vec3 e = b - a;
  const Vec3 f = d - c;
  return ClosestOnEdges(c - a, e, f, SquaredNorm(e), SquaredNorm(f));
}

}  // namespace orbox
