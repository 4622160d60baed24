// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/gltf_meshes.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {

absl::StatusOr<std::optional<Mesh>> GltfMeshes::Make(uint64_t number) {
  const absl::StatusOr<std::vector<Primitive>> primitives =
      PrimitivesOf(number);
  if (!primitives.ok()) return primitives.status();
  const size_t skipped = file_.json()
                             .Member("meshes")
                             .items()[number]
                             .Member("primitives")
                             .items()
                             .size() -
                         primitives->size();
  for (size_t i = 0; i < skipped && !primitives->empty(); ++i) {
    AddNote(source_, "points and lines next to triangles, skipped",
            {"mesh", number});
  }
  const auto known = made_.find(*primitives);
  if (known != made_.end()) return known->second;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const Primitive& primitive : *primitives) {
    const absl::Status s = Append(number, primitive, vertices, triangles);
    if (!s.ok()) return s;
  }
  if (triangles.empty()) return std::optional<Mesh>();
  triangle_count_ += triangles.size();
  absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!mesh.ok()) {
    return file_.Error("mesh", number, std::string(mesh.status().message()));
  }
  made_.emplace(*primitives, *mesh);
  return std::optional<Mesh>(*mesh);
}

absl::StatusOr<std::vector<GltfMeshes::Primitive>> GltfMeshes::PrimitivesOf(
    uint64_t mesh) const {
  const auto meshes = file_.json().Member("meshes").items();
  if (mesh >= meshes.size()) {
    return file_.Error("mesh", mesh,
                       absl::StrCat("is named, and there are ", meshes.size(),
                                    "; is the file damaged?"));
  }
  std::vector<Primitive> list;
  for (const JsonValue& entry : meshes[mesh].Member("primitives").items()) {
    Primitive primitive;
    if (entry.Has("mode")) {
      primitive.mode = entry.Member("mode").Whole().value_or(kFan + 1);
    }
    if (primitive.mode > kFan) {
      return file_.Error("mesh", mesh,
                         "a primitive has a mode that there is not; is the "
                         "file damaged?");
    }
    if (primitive.mode < kTriangles) continue;  // points and lines
    const std::optional<uint64_t> positions =
        entry.Member("attributes").Member("POSITION").Whole();
    if (!positions.has_value()) {
      return file_.Error("mesh", mesh,
                         "a primitive has no POSITION; is the file damaged?");
    }
    primitive.positions = *positions;
    if (entry.Has("indices")) {
      primitive.indices = entry.Member("indices").Whole();
      if (!primitive.indices.has_value()) {
        return file_.Error("mesh", mesh,
                           "the indices of a primitive are no number; is the "
                           "file damaged?");
      }
    }
    list.push_back(primitive);
  }
  return list;
}

absl::StatusOr<std::vector<uint32_t>> GltfMeshes::CornersOf(
    const Primitive& primitive, size_t point_count) {
  if (primitive.indices.has_value()) return file_.Indices(*primitive.indices);
  std::vector<uint32_t> corners(std::min(point_count, Mesh::kMaxVertices));
  std::iota(corners.begin(), corners.end(), 0u);
  return corners;
}

absl::StatusOr<size_t> GltfMeshes::CountTriangles(uint64_t mesh, uint64_t mode,
                                                  size_t corner_count,
                                                  size_t before) const {
  const auto error = [&](const std::string& what) {
    return file_.Error("mesh", mesh, what);
  };
  const bool is_list = mode == kTriangles;
  if (is_list ? corner_count % 3 != 0 : corner_count < 3) {
    return error(absl::StrCat("a primitive of ", corner_count,
                              " corners, which make no whole triangles; is "
                              "the file damaged?"));
  }
  const size_t count = is_list ? corner_count / 3 : corner_count - 2;
  if (count > Mesh::kMaxTriangles - before) return error(TooManyTriangles());
  // Maximum number of times that accessors may use the bytes of the file. A
  // triangle that is stored once takes at least one byte.
  constexpr size_t kTimesUsed = 16;
  if (triangle_count_ + before + count > kTimesUsed * file_.byte_count()) {
    return error("its accessors are used over and over; give each its own");
  }
  return count;
}

TriangleIndices GltfMeshes::TriangleOf(uint64_t mode,
                                       std::span<const uint32_t> corners,
                                       size_t i) {
  if (mode == kTriangles) {
    return {corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]};
  }
  if (mode == kFan) return {corners[i + 1], corners[i + 2], corners[0]};
  // Every second triangle of a strip is reversed, so that all have the same
  // orientation.
  return {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]};
}

absl::Status GltfMeshes::Append(uint64_t mesh, const Primitive& primitive,
                                std::vector<Vec3>& vertices,
                                std::vector<TriangleIndices>& triangles) {
  const absl::StatusOr<size_t> points = file_.CountPoints(primitive.positions);
  if (!points.ok()) return points.status();
  absl::StatusOr<std::vector<uint32_t>> corners = CornersOf(primitive, *points);
  if (!corners.ok()) return corners.status();
  const absl::StatusOr<size_t> count =
      CountTriangles(mesh, primitive.mode, corners->size(), triangles.size());
  if (!count.ok()) return count.status();
  // Loads only the points that are used, because they may be a few of many.
  std::vector<uint32_t> used = *corners;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (!used.empty() && used.back() >= *points) {
    return file_.Error(
        "mesh", mesh,
        absl::StrCat("a triangle names point ", used.back(), ", and there are ",
                     *points, "; correct the index"));
  }
  const absl::StatusOr<std::vector<Vec3>> read =
      file_.Points(primitive.positions, used);
  if (!read.ok()) return read.status();
  const auto first = static_cast<uint32_t>(vertices.size());
  vertices.insert(vertices.end(), read->begin(), read->end());
  for (uint32_t& corner : *corners) {
    corner = first + static_cast<uint32_t>(
                         std::lower_bound(used.begin(), used.end(), corner) -
                         used.begin());
  }
  for (size_t i = 0; i < *count; ++i) {
    triangles.push_back(TriangleOf(primitive.mode, *corners, i));
  }
  return absl::OkStatus();
}

}  // namespace orbox::mesh_internal
