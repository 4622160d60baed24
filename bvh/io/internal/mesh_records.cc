// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/mesh_records.h"

#include <algorithm>
#include <span>
#include <utility>

#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/triangle_stream.h"
#include "orbox/bvh/io/read_mesh.h"

namespace orbox::mesh_internal {
namespace {

// Bytes read at a time. Files with longer records are streamed instead.
constexpr size_t kWindowBytes = size_t{1} << 20;

}  // namespace

MeshRecords::MeshRecords(MeshRecords&& other) noexcept = default;
MeshRecords& MeshRecords::operator=(MeshRecords&& other) noexcept = default;
MeshRecords::~MeshRecords() = default;

absl::StatusOr<std::optional<MeshRecords>> MeshRecords::Open(
    const std::string& path) {
  const absl::StatusOr<std::optional<TriangleStream>> stream =
      TriangleStream::OpenStreamed(path);
  if (!stream.ok()) return stream.status();
  if (!stream->has_value()) return std::nullopt;
  const std::string_view bytes = (*stream)->bytes();
  absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  MeshRecords records(*std::move(file));
  if (!(*stream)->is_ply()) {
    const std::optional<uint64_t> facets =
        FacetsOfBinaryStl(bytes, bytes.size());
    if (!facets.has_value()) return std::nullopt;
    records.faces_ = {kStlHeaderBytes, *facets, kStlFacetBytes};
    return std::optional<MeshRecords>(std::move(records));
  }
  const ReadOptions options;
  const MeshSource source{bytes, path, options};
  absl::StatusOr<PlyHeader> header = ReadPlyHeader(source);
  if (!header.ok()) return header.status();
  const std::optional<PlyRecords> places = RecordsOfPly(source, *header);
  if (!places.has_value() ||
      std::max(places->vertex_bytes, places->face_bytes) > kWindowBytes) {
    return std::nullopt;
  }
  const PlyElement& faces = *places->faces;
  records.vertices_ = {places->vertex_offset, places->vertices->count,
                       places->vertex_bytes};
  records.faces_ = {places->face_offset, faces.count, places->face_bytes};
  records.vertex_element_ =
      static_cast<size_t>(places->vertices - header->elements.data());
  records.face_element_ =
      static_cast<size_t>(places->faces - header->elements.data());
  // A face with n corners makes n - 2 triangles.
  const size_t index = SizeOf(faces.properties[faces.indices].type);
  records.most_triangles_ = std::max<size_t>(places->face_bytes / index, 3) - 2;
  records.header_ = *std::move(header);
  return std::optional<MeshRecords>(std::move(records));
}

absl::StatusOr<bool> MeshRecords::Read(
    const RecordRange& range, uint64_t begin, uint64_t end,
    absl::FunctionRef<bool(std::string_view some)> load) const {
  std::vector<char> window;
  const uint64_t at_once = kWindowBytes / range.bytes;
  for (; begin < end; begin += at_once) {
    window.resize(std::min(at_once, end - begin) * range.bytes);
    const absl::Status status =
        file_.ReadAt(range.offset + begin * range.bytes,
                     std::as_writable_bytes(std::span<char>(window)));
    if (!status.ok()) return status;
    if (!load({window.data(), window.size()})) return false;
  }
  return true;
}

absl::StatusOr<bool> MeshRecords::ReadVertices(uint64_t begin, uint64_t end,
                                               std::vector<Vec3>* out) const {
  return Read(vertices_, begin, end, [&](std::string_view some) {
    return LoadPlyVertices(*header_, header_->elements[vertex_element_], some,
                           out);
  });
}

absl::StatusOr<bool> MeshRecords::ReadFaces(
    uint64_t begin, uint64_t end, std::vector<TriangleIndices>* out) const {
  return Read(faces_, begin, end, [&](std::string_view some) {
    return LoadPlyFaces(*header_, header_->elements[face_element_],
                        faces_.bytes, some, out);
  });
}

absl::StatusOr<bool> MeshRecords::ReadFacets(uint64_t begin, uint64_t end,
                                             std::vector<Triangle>* out) const {
  return Read(faces_, begin, end,
              [&](std::string_view some) { return LoadStlFacets(some, out); });
}

}  // namespace orbox::mesh_internal
