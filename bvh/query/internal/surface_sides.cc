// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/surface_sides.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

constexpr uint32_t kNobody = 0xffffffff;
constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

// More than what products of numbers below 16 lose to underflow.
constexpr double kTiny = 0x1p-1000;

double Magnitude(const Vec3& a, const Vec3& b) { return Dot(Abs(a), Abs(b)); }

// The sign of the product of vectors that were rounded once each, if it is
// certain; 0 otherwise. Two differences, a product and two sums.
int CertainSign(double value, double magnitude) {
  const double error = 8 * kU * magnitude + kTiny;
  return (value > error ? 1 : 0) - (value < -error ? 1 : 0);
}
int CertainSignOfDot(const Vec3& a, const Vec3& b) {
  return CertainSign(Dot(a, b), Magnitude(a, b));
}

// Where the foot of a point lies in the plane of a triangle, seen from the edge
// e and the third corner f, all three from one end of the edge: 1 where
// certainly beyond the edge, -1 where certainly on the side of the triangle.
int CertainSignBeyond(const Vec3& p, const Vec3& e, const Vec3& f) {
  const double value = Dot(p, e) * Dot(e, f) - Dot(p, f) * Dot(e, e);
  // Each factor has five roundings, the products and their difference two more.
  const double magnitude =
      Magnitude(p, e) * Magnitude(e, f) + Magnitude(p, f) * Magnitude(e, e);
  return CertainSign(value, 2 * magnitude);
}

Side ToSide(int sign) {
  return sign > 0 ? Side::kFront : (sign < 0 ? Side::kBack : Side::kUnknown);
}

// One of the three edges of a triangle, by the ids of its ends.
struct TriangleSide {
  uint32_t low;
  uint32_t high;
  uint32_t triangle;
  uint8_t edge;
  bool goes_up;  // from low to high
};

std::vector<TriangleSide> SortedSides(const Mesh& mesh,
                                      std::span<const uint32_t> vertices) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * mesh.triangle_count());
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const TriangleIndices& t = mesh.triangles()[id];
    for (uint8_t k = 0; k < 3; ++k) {
      const uint32_t from = vertices[t[k]];
      const uint32_t to = vertices[t[(k + 1) % 3]];
      if (from == to) continue;
      sides.push_back(
          {std::min(from, to), std::max(from, to), id, k, from < to});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const TriangleSide& x, const TriangleSide& y) {
              if (x.low != y.low) return x.low < y.low;
              if (x.high != y.high) return x.high < y.high;
              return x.triangle < y.triangle;
            });
  return sides;
}

uint32_t RootOf(std::vector<uint32_t>& parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

}  // namespace

absl::Status CheckClosed(uint64_t open, uint64_t unequal, uint64_t first) {
  if (open != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the mesh is not closed, so it has no inside: ", open,
        " edges have no triangle on their other side, the first of them at "
        "triangle ",
        first, "; close it, or use winding numbers"));
  }
  if (unequal == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the triangles of the mesh do not face the same way: at ", unequal,
      " edges, the first of them at triangle ", first,
      ", neighbours go along the edge in the same direction; turn some of "
      "them over"));
}

struct SurfaceSides::EdgeCounts {
  size_t open = 0;           // of an odd number of triangles
  size_t unequal = 0;        // of an even number that do not pair up
  uint32_t first = kNobody;  // a triangle at one of these edges, the lowest
};

SurfaceSides::SurfaceSides(const Mesh& mesh, std::vector<bool> crossing)
    : mesh_(mesh),
      vertices_(mesh_internal::Weld(mesh.vertices()).id),
      across_(mesh.triangle_count(), {kNobody, kNobody, kNobody}),
      crossing_(std::move(crossing)),
      parts_(mesh.triangle_count()) {
  const Vec3 half = mesh.bounds().HalfExtents();
  int exponent = 0;
  std::frexp(MaxCoordinate(half), &exponent);  // half < 2^exponent
  // A point's scale does not matter.
  scale_ = std::ldexp(1.0, std::clamp(-exponent, -1020, 1020));
  std::iota(parts_.begin(), parts_.end(), 0u);
}

absl::StatusOr<SurfaceSides> SurfaceSides::Create(const Mesh& mesh,
                                                  std::vector<bool> crossing) {
  SurfaceSides sides(mesh, std::move(crossing));
  const EdgeCounts counts = sides.JoinEdges();
  const absl::Status closed =
      CheckClosed(counts.open, counts.unequal, counts.first);
  if (!closed.ok()) return closed;
  sides.AddNormals();
  return sides;
}

SurfaceSides::EdgeCounts SurfaceSides::JoinEdges() {
  EdgeCounts counts;
  const std::vector<TriangleSide> sides = SortedSides(mesh_, vertices_);
  const auto opposite = [this](const TriangleSide& side) {
    return mesh_.triangles()[side.triangle][(side.edge + 2) % 3];
  };
  for (auto run = sides.begin(); run != sides.end();) {
    const auto end =
        std::find_if(run, sides.end(), [run](const TriangleSide& s) {
          return s.low != run->low || s.high != run->high;
        });
    const auto up = std::count_if(
        run, end, [](const TriangleSide& s) { return s.goes_up; });
    const auto down = end - run - up;
    if (up != down) {
      ++((end - run) % 2 != 0 ? counts.open : counts.unequal);
      counts.first = std::min(counts.first, run->triangle);
    } else if (up == 1) {
      const TriangleSide& a = *run;
      const TriangleSide& b = *(run + 1);
      across_[a.triangle][a.edge] = opposite(b);
      across_[b.triangle][b.edge] = opposite(a);
      if (!crossing_[a.triangle] && !crossing_[b.triangle]) {
        const uint32_t i = RootOf(parts_, a.triangle);
        const uint32_t j = RootOf(parts_, b.triangle);
        parts_[std::max(i, j)] = std::min(i, j);
      }
    }
    run = end;
  }
  for (uint32_t i = 0; i < parts_.size(); ++i) parts_[i] = RootOf(parts_, i);
  return counts;
}

void SurfaceSides::AddNormals() {
  const size_t count =
      vertices_.empty()
          ? 0
          : *std::max_element(vertices_.begin(), vertices_.end()) + size_t{1};
  normals_.resize(count);
  for (uint32_t id = 0; id < mesh_.triangle_count(); ++id) {
    const Triangle t = mesh_.triangle(id);
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 e = Between(t[k], t[(k + 1) % 3]);
      const Vec3 f = Between(t[k], t[(k + 2) % 3]);
      const Vec3 n = Cross(e, f);
      const double area = Norm(n);
      const double lengths = Norm(e) * Norm(f);
      Pseudonormal& normal = normals_[vertices_[mesh_.triangles()[id][k]]];
      // Without a direction, or too short to square safely.
      constexpr double kLeast = 0x1p-400;
      if (!(area > kLeast)) {
        normal.error = std::numeric_limits<double>::infinity();
        continue;
      }
      const double angle = std::atan2(area, Dot(e, f));
      normal.sum += n * (angle / area);
      // The cross product is off by 8 u of the lengths, in each coordinate, and
      // so is the direction of n relative to its length; the angle by as much
      // of the sine and the cosine; scaling and summing by a few u more.
      normal.error += 32 * kU * (angle * lengths / area + 4) +
                      4 * kU * MaxCoordinate(Abs(normal.sum));
    }
  }
}

bool SurfaceSides::HasVertex(uint32_t triangle, uint32_t vertex) const {
  const TriangleIndices& t = mesh_.triangles()[triangle];
  return vertices_[t[0]] == vertex || vertices_[t[1]] == vertex ||
         vertices_[t[2]] == vertex;
}

Side SurfaceSides::SideOf(const Vec3& p,
                          std::span<const uint32_t> closest) const {
  // Which feature it is may be a wrong guess: the tests of each are strict.
  const uint32_t first = closest.front();
  const Feature feature = GuessClosest(p, mesh_.triangle(first)).feature;
  // Triangles without the feature are another sheet, as far but for rounding.
  for (const uint32_t id : closest.subspan(1)) {
    if (feature.size == 3) return Side::kUnknown;
    for (size_t i = 0; i < feature.size; ++i) {
      const uint32_t corner = mesh_.triangles()[first][feature.corner[i]];
      if (!HasVertex(id, vertices_[corner])) return Side::kUnknown;
    }
  }
  switch (feature.size) {
    case 1:
      return SideOfVertex(p, first, feature.corner[0]);
    case 2:
      return SideOfEdge(p, first, feature.corner[0], feature.corner[1]);
    default:
      return SideOfFace(p, first);
  }
}

Side SurfaceSides::SideOfFace(const Vec3& p, uint32_t triangle) const {
  const Triangle t = mesh_.triangle(triangle);
  for (size_t k = 0; k < 3; ++k) {
    const Vec3& a = t[k];
    if (CertainSignBeyond(Between(a, p), Between(a, t[(k + 1) % 3]),
                          Between(a, t[(k + 2) % 3])) >= 0) {
      return Side::kUnknown;
    }
  }
  return ToSide(Orient3d(t.a, t.b, t.c, p));
}

Side SurfaceSides::SideOfEdge(const Vec3& p, uint32_t triangle, size_t from,
                              size_t to) const {
  const Triangle t = mesh_.triangle(triangle);
  const size_t third = 3 - from - to;
  const Vec3 e = Between(t[from], t[to]);
  if (CertainSignOfDot(Between(t[from], p), e) <= 0 ||
      CertainSignOfDot(Between(t[to], p), e) >= 0 ||
      CertainSignBeyond(Between(t[from], p), e, Between(t[from], t[third])) <=
          0) {
    return Side::kUnknown;
  }
  const size_t edge = (from + 1) % 3 == to ? from : to;
  const uint32_t other = across_[triangle][edge];
  if (other == kNobody) return Side::kUnknown;
  // The closest point may as well be one of the two faces, by rounding. Where p
  // is on the same side of both, that is the side; else it is in front of a
  // convex edge, and behind a concave one.
  const Vec3& across = mesh_.vertices()[other];
  const int here = Orient3d(t.a, t.b, t.c, p);
  const int there = Orient3d(t[(edge + 1) % 3], t[edge], across, p);
  if (here == there) return ToSide(here);
  return ToSide(-Orient3d(t.a, t.b, t.c, across));
}

Side SurfaceSides::SideOfVertex(const Vec3& p, uint32_t triangle,
                                size_t corner) const {
  const Triangle t = mesh_.triangle(triangle);
  const Vec3 w = Between(t[corner], p);
  for (size_t k = 1; k < 3; ++k) {
    if (CertainSignOfDot(w, Between(t[corner], t[(corner + k) % 3])) >= 0) {
      return Side::kUnknown;
    }
  }
  const Pseudonormal& normal =
      normals_[vertices_[mesh_.triangles()[triangle][corner]]];
  const double height = Dot(normal.sum, w);
  // The closest point may as well be on a face or an edge here, by rounding: up
  // to 2^-26 of the distance away, which is what a step aside adds 2^-53 to.
  const double error =
      (2 * normal.error + 0x1p-24 * Norm(normal.sum)) * Norm(w) + kTiny;
  if (!(std::abs(height) > error)) return Side::kUnknown;
  return ToSide(height > 0 ? 1 : -1);
}

}  // namespace orbox
