// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/triangle_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/ply_body.h"
#include "orbox/bvh/io/internal/ply_header.h"
#include "orbox/bvh/io/read_mesh.h"

namespace orbox::mesh_internal {

absl::StatusOr<std::optional<TriangleStream>> TriangleStream::OpenStreamed(
    const std::string& path) {
  if (path == "-") return std::nullopt;
  if (!IsRegularFile(path)) {
    if (!os::IsReadable(path)) return CannotRead(path, errno);
    return std::nullopt;
  }
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  if (file->size() == 0) return std::nullopt;
  auto mapped = file->Map(/*load=*/false);
  if (!mapped.ok()) return mapped.status();
  TriangleStream stream;
  stream.path_ = path;
  stream.mapped_ = *std::move(mapped);
  stream.bytes_ = {reinterpret_cast<const char*>(stream.mapped_.get()),
                   file->size()};
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, stream.bytes_);
  if (!format.ok()) return format.status();
  if (*format == MeshFormat::kPly) {
    const ReadOptions options;
    const absl::StatusOr<PlyHeader> header =
        ReadPlyHeader({stream.bytes_, path, options});
    if (!header.ok()) return header.status();
    stream.is_ply_ = true;
    if (IsStreamable(*header)) return stream;
  } else if (*format == MeshFormat::kStl && !IsAsciiStl(stream.bytes_)) {
    return stream;
  }
  return std::nullopt;
}

absl::StatusOr<TriangleStream> TriangleStream::Open(const std::string& path,
                                                    size_t most) {
  absl::StatusOr<std::optional<TriangleStream>> streamed = OpenStreamed(path);
  if (!streamed.ok()) return streamed.status();
  if (streamed->has_value()) return **std::move(streamed);
  const uint64_t size = SizeOfFile(path);
  if (size > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        path, ": has ", size, " bytes, and of this format ", most,
        " are read with this much memory; convert it to binary PLY or STL, "
        "which may be larger than memory, or allow more"));
  }
  TriangleStream stream;
  stream.path_ = path;
  absl::StatusOr<Mesh> mesh = ReadMeshFile(path);
  if (!mesh.ok()) return mesh.status();
  stream.mesh_ = *std::move(mesh);
  return stream;
}

absl::Status TriangleStream::ForEach(
    TriangleConsumer consume,
    const std::function<void(double)>& progress) const {
  if (mesh_.has_value()) {
    std::vector<Triangle> some;
    for (size_t i = 0; i < mesh_->triangle_count(); ++i) {
      some.push_back(mesh_->triangle(i));
      if (some.size() < kStreamedTriangles && i + 1 < mesh_->triangle_count()) {
        continue;
      }
      if (absl::Status s = consume(some); !s.ok()) return s;
      some.clear();
    }
    return absl::OkStatus();
  }
  const ReadOptions options{.progress = progress};
  const MeshSource source{bytes_, path_, options};
  // Releases pages after this many triangles. Their vertices may be anywhere in
  // the file.
  constexpr size_t kTrianglesAPage = size_t{1} << 18;
  size_t since = 0;
  const auto consume_and_drop = [&](std::span<const Triangle> some) {
    since += some.size();
    if (since >= kTrianglesAPage) {
      os::ReleasePages(bytes_);
      since = 0;
    }
    return consume(some);
  };
  absl::Status status;
  if (is_ply_) {
    const absl::StatusOr<PlyHeader> header = ReadPlyHeader(source);
    if (!header.ok()) return header.status();
    status = StreamPlyBinary(source, *header, consume_and_drop);
  } else {
    status = StreamBinaryStl(source, consume_and_drop);
  }
  os::ReleasePages(bytes_);
  return status;
}

}  // namespace orbox::mesh_internal
