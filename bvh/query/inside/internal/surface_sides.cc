// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/surface_sides.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/query/inside/internal/vertex_stars.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

// Upper bound of the underflow error of products of numbers below 16.
constexpr double kTiny = 0x1p-1000;

// Beyond this distance, every point of the surface is in one direction, up to
// rounding.
constexpr double kFarAway = 0x1p500;

double Magnitude(const Vec3& a, const Vec3& b) { return Dot(Abs(a), Abs(b)); }

// Returns the sign of the product of two vectors that were rounded once each,
// or 0 if it is not certain. The error comes from two differences, a product
// and two sums.
int CertainSign(double value, double magnitude) {
  const double error = 8 * kRoundoff * magnitude + kTiny;
  return (value > error ? 1 : 0) - (value < -error ? 1 : 0);
}
int CertainSignOfDot(const Vec3& a, const Vec3& b) {
  return CertainSign(Dot(a, b), Magnitude(a, b));
}

// Position, in the plane of a triangle, of the foot of `p` relative to the edge
// `e`. `f` is the third corner. All three are relative to one end of the edge.
// Returns 1 if the foot is certainly beyond the edge, -1 if it is certainly on
// the triangle's side, else 0.
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

SurfaceSides::SurfaceSides(const Mesh& mesh, std::vector<uint32_t> vertices,
                           size_t vertex_count)
    : mesh_(mesh),
      vertices_(std::move(vertices)),
      edges_(JoinEdges(mesh, vertices_, vertex_count)),
      normals_(vertex_count) {
  const Vec3 half = mesh.bounds().HalfExtents();
  int exponent = 0;
  std::frexp(MaxCoordinate(half), &exponent);  // half < 2^exponent
  // The result does not depend on the scale of a point.
  scale_ = std::ldexp(1.0, std::clamp(-exponent, -1020, 1020));
}

SurfaceSides SurfaceSides::Of(const Mesh& mesh) {
  mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  SurfaceSides sides(mesh, std::move(welded.id), welded.first.size());
  sides.AddNormals();
  return sides;
}

absl::StatusOr<SurfaceSides> SurfaceSides::Create(const Mesh& mesh) {
  SurfaceSides sides = Of(mesh);
  const SurfaceEdges& edges = sides.edges_;
  const absl::Status closed =
      CheckClosed(edges.open, edges.unequal, edges.first);
  if (!closed.ok()) return closed;
  return sides;
}

void SurfaceSides::AddNormals() {
  for (const TriangleIndices& indices : mesh_.triangles()) {
    const Vec3& a = mesh_.vertices()[indices[0]];
    const Vec3& b = mesh_.vertices()[indices[1]];
    const Vec3& c = mesh_.vertices()[indices[2]];
    const Vec3 ab = Between(a, b);
    const Vec3 bc = Between(b, c);
    const Vec3 ca = Between(c, a);
    const Vec3 n = Cross(bc, ca);
    const double area = Norm(n);
    Pseudonormal* const normals[] = {&normals_[vertices_[indices[0]]],
                                     &normals_[vertices_[indices[1]]],
                                     &normals_[vertices_[indices[2]]]};
    // Shorter normals have no reliable direction, or their squares underflow.
    constexpr double kLeast = 0x1p-400;
    if (!(area > kLeast)) {
      for (Pseudonormal* normal : normals) {
        normal->error = std::numeric_limits<double>::infinity();
      }
      continue;
    }
    const double at_a = std::atan2(area, -Dot(ab, ca));
    const double at_b = std::atan2(area, -Dot(ab, bc));
    const double angles[] = {
        at_a, at_b, std::numbers::pi - std::min(at_a + at_b, std::numbers::pi)};
    const Vec3 unit = n * (1 / area);
    // Each coordinate of the cross product has an error of 8 u of the largest
    // squared length. The direction of n has this error relative to the length
    // of n. The sines and cosines of two angles have it, too, and the third
    // angle has the errors of both. Scaling and summing add a few u.
    const double lengths =
        std::max({SquaredNorm(ab), SquaredNorm(bc), SquaredNorm(ca)}) / area;
    for (size_t k = 0; k < 3; ++k) {
      normals[k]->sum += unit * angles[k];
      normals[k]->error += 64 * kRoundoff * ((angles[k] + 1) * lengths + 4) +
                           4 * kRoundoff * MaxCoordinate(Abs(normals[k]->sum));
    }
  }
}

std::vector<CornerIds> SurfaceSides::SimpleCorners() const {
  std::vector<Vec3> directions;
  directions.reserve(normals_.size());
  for (const Pseudonormal& normal : normals_) directions.push_back(normal.sum);
  return orbox::SimpleCorners(mesh_, edges_, {vertices_, directions, scale_});
}

void SurfaceSides::AddCopies(OverlappingTriangles* overlapping) const {
  struct Corners {
    CornerIds ids;  // ascending
    uint32_t triangle;
    auto operator<=>(const Corners&) const = default;
  };
  std::vector<Corners> all;
  for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
    const auto& across = edges_.across[i];
    if (std::count(across.begin(), across.end(), SurfaceEdges::kNobody) != 3) {
      continue;
    }
    const TriangleIndices& t = mesh_.triangles()[i];
    all.push_back({{vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}, i});
    std::sort(all.back().ids.begin(), all.back().ids.end());
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i].ids != all[i - 1].ids) continue;
    overlapping->Add({all[i - 1].triangle, all[i].triangle});
  }
}

bool SurfaceSides::HasVertex(uint32_t triangle, uint32_t vertex) const {
  const TriangleIndices& t = mesh_.triangles()[triangle];
  return vertices_[t[0]] == vertex || vertices_[t[1]] == vertex ||
         vertices_[t[2]] == vertex;
}

uint32_t SurfaceSides::OppositeAcross(uint32_t triangle, size_t edge) const {
  const uint32_t across = edges_.across[triangle][edge];
  if (across == SurfaceEdges::kNobody) return SurfaceEdges::kNobody;
  const TriangleIndices& t = mesh_.triangles()[triangle];
  const uint32_t from = vertices_[t[edge]];
  const uint32_t to = vertices_[t[(edge + 1) % 3]];
  for (const uint32_t corner : mesh_.triangles()[across]) {
    if (vertices_[corner] != from && vertices_[corner] != to) return corner;
  }
  return SurfaceEdges::kNobody;
}

Side SurfaceSides::SideOf(const Vec3& p,
                          std::span<const uint32_t> closest) const {
  // The feature is a guess from rounded numbers and may be wrong. The tests of
  // each feature are strict, so that a wrong guess gives kUnknown.
  const uint32_t first = closest.front();
  const Feature feature = GuessClosest(p, mesh_.triangle(first)).feature;
  // Triangles without the feature belong to another sheet at the same rounded
  // distance.
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

int SurfaceSides::SignOf(const Vec3& p, uint32_t triangle) const {
  const Triangle t = mesh_.triangle(triangle);
  const Feature feature = GuessClosest(p, t).feature;
  // The guess may be a feature next to the closest one. Its sign is equal.
  if (feature.size != 1 && !AreCollinear(t.a, t.b, t.c)) {
    const int at_edge =
        feature.size == 2
            ? SignAtEdge(p, triangle, feature.corner[0], feature.corner[1])
            : 0;
    return at_edge != 0 ? at_edge : Orient3d(t.a, t.b, t.c, p);
  }
  // A triangle without area has only the normals of its corners.
  Vec3 normal;
  for (size_t k = 0; k < feature.size; ++k) {
    normal += NormalAt(triangle, feature.corner[k]).sum;
  }
  // Shrinks a point far away, so that its products do not overflow.
  const Vec3 way = MaxCoordinate(Abs(p)) > kFarAway
                       ? p * 0x1p-700
                       : Between(feature.PointOn(t), p);
  const double height = Dot(normal, way);
  return (height > 0 ? 1 : 0) - (height < 0 ? 1 : 0);
}

// Because of rounding, the closest point may be on either of the two faces. If
// p is on the same side of both, this is the result. Otherwise p is in front of
// a convex edge or behind a concave one.
int SurfaceSides::SignAtEdge(const Vec3& p, uint32_t triangle, size_t from,
                             size_t to) const {
  const Triangle t = mesh_.triangle(triangle);
  const int here = Orient3d(t.a, t.b, t.c, p);
  const size_t edge = (from + 1) % 3 == to ? from : to;
  const uint32_t other = OppositeAcross(triangle, edge);
  if (other == SurfaceEdges::kNobody) return here;
  const Vec3& across = mesh_.vertices()[other];
  const int there = Orient3d(t[(edge + 1) % 3], t[edge], across, p);
  if (here == there) return here;
  return -Orient3d(t.a, t.b, t.c, across);
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
  if (OppositeAcross(triangle, edge) == SurfaceEdges::kNobody) {
    return Side::kUnknown;
  }
  return ToSide(SignAtEdge(p, triangle, from, to));
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
  const Pseudonormal& normal = NormalAt(triangle, corner);
  const double height = Dot(normal.sum, w);
  // Because of rounding, the closest point may be on a face or an edge, up to
  // 2^-26 of the distance away: moving aside by that much increases the
  // distance by 2^-53. SafeNorm, because the squares of w may underflow.
  const double error =
      (2 * normal.error + 0x1p-24 * Norm(normal.sum)) * SafeNorm(w) + kTiny;
  if (!(std::abs(height) > error)) return Side::kUnknown;
  return ToSide(height > 0 ? 1 : -1);
}

}  // namespace orbox
