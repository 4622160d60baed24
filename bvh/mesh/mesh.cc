// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

absl::Status CheckCounts(const std::vector<Vec3>& vertices,
                         const std::vector<TriangleIndices>& triangles) {
  if (triangles.empty()) {
    return absl::InvalidArgumentError(
        "a mesh needs at least one triangle, and this one has none");
  }
  if (triangles.size() > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a mesh has at most ", Mesh::kMaxTriangles,
        " triangles, and this one has ", triangles.size(), "; split it"));
  }
  if (vertices.size() > Mesh::kMaxVertices) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a mesh has at most ", Mesh::kMaxVertices,
        " vertices, and this one has ", vertices.size(), "; split it"));
  }
  return absl::OkStatus();
}

absl::Status CheckIndices(size_t vertex_count,
                          const std::vector<TriangleIndices>& triangles) {
  size_t first = triangles.size();
  size_t offenders = 0;
  for (size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, c] = triangles[i];
    if (std::max({a, b, c}) < vertex_count) continue;
    first = std::min(first, i);
    ++offenders;
  }
  if (offenders == 0) return absl::OkStatus();
  const auto& [a, b, c] = triangles[first];
  return absl::InvalidArgumentError(absl::StrCat(
      "triangle ", first, " has the vertices ", a, ", ", b, ", ", c,
      ", and there are ", vertex_count, ", counted from 0; ", offenders, " of ",
      triangles.size(), " triangles point beyond them: correct the indices"));
}

absl::Status CheckWhole(size_t numbers, const char* what) {
  if (numbers % 3 == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "there are ", numbers, " ", what,
      ", which are not rows of three: the last one lacks ", 3 - numbers % 3));
}

absl::Status CheckSigns(std::span<const int32_t> indices) {
  size_t first = indices.size();
  size_t offenders = 0;
  for (size_t i = 0; i < indices.size(); i += 3) {
    if (std::min({indices[i], indices[i + 1], indices[i + 2]}) >= 0) continue;
    first = std::min(first, i);
    ++offenders;
  }
  if (offenders == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "triangle ", first / 3, " has the vertices ", indices[first], ", ",
      indices[first + 1], ", ", indices[first + 2],
      ", and an index must not be negative; ", offenders, " of ",
      indices.size() / 3, " triangles have such: count vertices from 0"));
}

absl::Status CheckSigns(std::span<const uint32_t> /*indices*/) {
  return absl::OkStatus();
}

template <typename Coordinate, typename Index>
absl::StatusOr<Mesh> MeshOf(std::span<const Coordinate> coordinates,
                            std::span<const Index> indices) {
  if (absl::Status s = CheckWhole(coordinates.size(), "coordinates"); !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckWhole(indices.size(), "indices"); !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckSigns(indices); !s.ok()) return s;
  const auto make = [&]() -> absl::StatusOr<Mesh> {
    std::vector<Vec3> vertices;
    vertices.reserve(coordinates.size() / 3);
    for (size_t i = 0; i < coordinates.size(); i += 3) {
      vertices.push_back(
          {coordinates[i], coordinates[i + 1], coordinates[i + 2]});
    }
    std::vector<TriangleIndices> triangles;
    triangles.reserve(indices.size() / 3);
    for (size_t i = 0; i < indices.size(); i += 3) {
      triangles.push_back({static_cast<uint32_t>(indices[i]),
                           static_cast<uint32_t>(indices[i + 1]),
                           static_cast<uint32_t>(indices[i + 2])});
    }
    return Mesh::Create(std::move(vertices), std::move(triangles));
  };
  return GuardMemory("for a copy of the vertices and triangles", make);
}

}  // namespace

absl::StatusOr<Mesh> Mesh::FromRows(std::span<const double> coordinates,
                                    std::span<const int32_t> indices) {
  return MeshOf(coordinates, indices);
}
absl::StatusOr<Mesh> Mesh::FromRows(std::span<const double> coordinates,
                                    std::span<const uint32_t> indices) {
  return MeshOf(coordinates, indices);
}
absl::StatusOr<Mesh> Mesh::FromRows(std::span<const float> coordinates,
                                    std::span<const int32_t> indices) {
  return MeshOf(coordinates, indices);
}
absl::StatusOr<Mesh> Mesh::FromRows(std::span<const float> coordinates,
                                    std::span<const uint32_t> indices) {
  return MeshOf(coordinates, indices);
}

absl::StatusOr<Mesh> Mesh::Create(std::vector<Vec3> vertices,
                                  std::vector<TriangleIndices> triangles) {
  if (absl::Status s = CheckCounts(vertices, triangles); !s.ok()) return s;
  if (absl::Status s = mesh_internal::CheckCoordinates("is", vertices);
      !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckIndices(vertices.size(), triangles); !s.ok()) {
    return s;
  }
  for (Vec3& v : vertices) v = TinyAsZero(v);
  return mesh_internal::MeshAccess::Of(std::move(vertices),
                                       std::move(triangles));
}

Mesh mesh_internal::MeshAccess::Of(Array<Vec3> vertices,
                                   Array<TriangleIndices> triangles,
                                   const Workers& workers) {
  Parts parts;
  parts.vertices = std::move(vertices);
  parts.triangles = std::move(triangles);
  const Vec3& first = parts.vertices[parts.triangles.front()[0]];
  parts.bounds = {first, first};
  const size_t count = parts.triangles.size();
  for (size_t i = 0; i < count;) {
    for (const size_t end = workers.EndOfBlock(i, count); i < end; ++i) {
      const TriangleIndices& t = parts.triangles[i];
      const Vec3& a = parts.vertices[t[0]];
      const Vec3& b = parts.vertices[t[1]];
      const Vec3& c = parts.vertices[t[2]];
      parts.bounds = Union(parts.bounds, BoundsOf(Triangle{a, b, c}));
      parts.degenerate_count += AreCollinear(a, b, c) ? 1 : 0;
    }
  }
  return Make(std::move(parts));
}

bool IsClosed(const Mesh& mesh) {
  return mesh_internal::BoundaryOf(mesh).is_empty();
}

bool DoFacesAgree(const Mesh& mesh) {
  return mesh_internal::BoundaryOf(mesh).do_faces_agree();
}

}  // namespace orbox
