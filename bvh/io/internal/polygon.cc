// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/polygon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orbox/bvh/io/internal/ear_clipping.h"
#include "orbox/bvh/io/internal/self_crossing.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox::mesh_internal {
namespace {

// Returns the normal. Its length is twice the area.
Vec3 NormalOf(std::span<const Vec3> points) {
  Vec3 normal;
  for (size_t k = 2; k < points.size(); ++k) {
    normal = normal + Cross(points[k - 1] - points[0], points[k] - points[0]);
  }
  return normal;
}

// Returns the plane of two coordinates in which the polygon has the largest
// area. For a polygon without area, uses the size of its box.
PolygonPlane PlaneOf(std::span<const Vec3> points, const Vec3& normal) {
  Vec3 size = Abs(normal);
  if (normal == Vec3{}) {
    Vec3 lo = points[0];
    Vec3 hi = points[0];
    for (const Vec3& p : points) {
      lo = Min(lo, p);
      hi = Max(hi, p);
    }
    size = lo - hi;
  }
  const size_t axis = size.x >= size.y && size.x >= size.z ? 0
                      : size.y >= size.z                   ? 1
                                                           : 2;
  PolygonPlane plane{(axis + 1) % 3, (axis + 2) % 3};
  if (normal[axis] < 0) std::swap(plane.u, plane.v);
  return plane;
}

bool IsPlanar(std::span<const Vec3> points, const Vec3& normal) {
  constexpr double kShare = 0.02;
  double lowest = 0;
  double highest = 0;
  double farthest = 0;
  for (const Vec3& p : points) {
    const Vec3 d = p - points[0];
    lowest = std::min(lowest, Dot(normal, d));
    highest = std::max(highest, Dot(normal, d));
    farthest = std::max(farthest, Dot(d, d));
  }
  // Squares of these products of three lengths would overflow.
  return highest - lowest <=
         kShare * std::sqrt(Dot(normal, normal)) * std::sqrt(farthest);
}

// Returns true if the polygon turns left or not at all at each corner, and goes
// around once.
bool IsConvex(std::span<const Vec3> points, const PolygonPlane& plane) {
  const size_t n = points.size();
  for (size_t i = 0; i < n; ++i) {
    const size_t next = i + 1 < n ? i + 1 : 0;
    const size_t after = next + 1 < n ? next + 1 : 0;
    if (plane.Side(points[i], points[next], points[after]) < 0) return false;
  }
  // Four turns, each of less than half a turn, make one full turn.
  if (n == 4) return true;
  for (size_t k = 2; k < n; ++k) {
    if (plane.Side(points[0], points[1], points[k]) < 0 ||
        plane.Side(points[0], points[k - 1], points[k]) < 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

PolygonFacts CutPolygon(std::span<const Vec3> points,
                        std::span<TriangleIndices> fan) {
  // Mesh::Create reports coordinates beyond the range.
  if (std::any_of(points.begin(), points.end(),
                  [](const Vec3& p) { return IsBeyond(p); })) {
    return {};
  }
  const Vec3 normal = NormalOf(points);
  const PolygonPlane plane = PlaneOf(points, normal);
  PolygonFacts facts{.is_planar = IsPlanar(points, normal)};
  if (IsConvex(points, plane)) return facts;
  if (CrossesItself(points, plane) || !ClipEars(points, plane, fan)) {
    facts.is_simple = false;
  }
  return facts;
}

void Polygons::CutLast(std::span<const Vec3> points, const NotePlace& place,
                       std::span<TriangleIndices> fan) {
  const PolygonFacts facts = CutPolygon(points, fan);
  if (!facts.is_planar) {
    AddNote(source_, "polygons that are not planar", place);
  }
  if (!facts.is_simple) {
    AddNote(source_, "polygons that cross themselves", place);
  }
}

void Polygons::Cut(const std::vector<uint32_t>& corners,
                   std::span<const Vec3> vertices, const NotePlace& place,
                   std::vector<TriangleIndices>& triangles) {
  points_.clear();
  for (const uint32_t corner : corners) {
    if (corner >= vertices.size()) {
      pending_.push_back(
          {triangles.size() + 2 - corners.size(), corners.size(), place});
      return;
    }
    points_.push_back(TinyAsZero(vertices[corner]));
  }
  CutLast(points_, place, std::span(triangles).last(corners.size() - 2));
}

void Polygons::Finish(std::span<const Vec3> vertices,
                      std::vector<TriangleIndices>& triangles) {
  for (const Pending& polygon : pending_) {
    const auto fan = std::span(triangles).subspan(polygon.first_triangle,
                                                  polygon.corner_count - 2);
    points_ = {TinyAsZero(vertices[fan[0][0]]),
               TinyAsZero(vertices[fan[0][1]])};
    for (const TriangleIndices& t : fan) {
      points_.push_back(TinyAsZero(vertices[t[2]]));
    }
    CutLast(points_, polygon.place, fan);
  }
  pending_.clear();
}

}  // namespace orbox::mesh_internal
