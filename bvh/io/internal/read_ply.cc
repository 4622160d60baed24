// SPDX-License-Identifier: Apache-2.0

// PLY: ASCII, and binary in both byte orders, with polygons and triangle
// strips. Skips all other elements and properties, of any type.
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/ply_body.h"
#include "orbox/bvh/io/internal/ply_header.h"
#include "orbox/bvh/io/internal/ply_vertices.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {

std::string PlySurface::AddCorner(int64_t vertex) {
  if (vertex < 0 || static_cast<uint64_t>(vertex) >= vertex_count) {
    return absl::StrCat("a face names vertex ", vertex, ", and there are ",
                        vertex_count, ", counted from 0; correct the index");
  }
  corners.push_back(static_cast<uint32_t>(vertex));
  return {};
}

std::string PlySurface::AddPolygon(const NotePlace& place) {
  if (list.size() < 3) {
    AddNote(source, kFewCorners, place);
    return {};
  }
  corners.clear();
  for (const int64_t vertex : list) {
    if (std::string error = AddCorner(vertex); !error.empty()) return error;
  }
  if (vertex_at == nullptr) {
    return polygons.Append(corners, vertices, place, triangles)
               ? std::string()
               : TooManyTriangles();
  }
  if (!AppendFan(corners, triangles)) return TooManyTriangles();
  if (corners.size() == 3) return {};
  points.clear();
  for (const uint32_t corner : corners) points.push_back(vertex_at(corner));
  polygons.CutLast(points, place,
                   std::span(triangles).last(corners.size() - 2));
  return {};
}

// A list may contain several strips, separated by -1.
std::string PlySurface::AddStrips() {
  corners.clear();
  for (const int64_t vertex : list) {
    std::string error = vertex == -1 ? AddStrip() : AddCorner(vertex);
    if (!error.empty()) return error;
  }
  return AddStrip();
}

// Each corner after the second makes a triangle with the two corners before it.
// Every second triangle is reversed, so that all have the same orientation.
std::string PlySurface::AddStrip() {
  if (corners.size() > 2 &&
      corners.size() - 2 > Mesh::kMaxTriangles - triangles.size()) {
    return TooManyTriangles();
  }
  for (size_t k = 2; k < corners.size(); ++k) {
    const bool turned = k % 2 != 0;
    triangles.push_back({corners[k - (turned ? 1 : 2)],
                         corners[k - (turned ? 2 : 1)], corners[k]});
  }
  corners.clear();
  return {};
}

bool IsPly(std::string_view bytes) {
  TextScanner scan(bytes, {});
  if (!bytes.starts_with("ply") || scan.Word() != "ply" || !scan.AtLineEnd() ||
      !scan.SkipToContent()) {
    return false;
  }
  const std::string_view word = scan.Word();
  return word == "format" || word == "comment" || word == "obj_info";
}

namespace {

absl::StatusOr<PlySurface> ReadSurface(const MeshSource& source,
                                       bool needs_faces) {
  const absl::StatusOr<PlyHeader> header = ReadPlyHeader(source, needs_faces);
  if (!header.ok()) return header.status();
  PlySurface surface(source, *header);
  const absl::Status status = header->format == PlyFormat::kAscii
                                  ? ReadPlyText(source, *header, surface)
                                  : ReadPlyBinary(source, *header, surface);
  if (!status.ok()) return status;
  surface.polygons.Finish(surface.vertices, surface.triangles);
  return surface;
}

}  // namespace

absl::StatusOr<Mesh> ReadPly(const MeshSource& source) {
  absl::StatusOr<PlySurface> surface =
      ReadSurface(source, /*needs_faces=*/true);
  if (!surface.ok()) return surface.status();
  if (surface->triangles.empty()) {
    return ErrorInFile(source, "a PLY file without faces; add some");
  }
  return CreateMesh(source, std::move(surface->vertices),
                    std::move(surface->triangles));
}

}  // namespace orbox::mesh_internal

namespace orbox {

bool IsPlyFile(std::string_view bytes) { return mesh_internal::IsPly(bytes); }

absl::StatusOr<std::vector<Vec3>> ReadPlyVertices(std::string_view bytes,
                                                  std::string_view name,
                                                  const ReadOptions& options) {
  const mesh_internal::MeshSource source{bytes, name, options};
  absl::StatusOr<mesh_internal::PlySurface> surface =
      mesh_internal::ReadSurface(source, /*needs_faces=*/false);
  if (!surface.ok()) return surface.status();
  return mesh_internal::FinitePoints(source, "vertex",
                                     std::move(surface->vertices));
}

}  // namespace orbox
