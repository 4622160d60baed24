// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/read_mesh.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/io/internal/read_file.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"
#include "orbox/bvh/io/internal/weld_read.h"
#include "orbox/bvh/io/read_bodies.h"

namespace orbox {
namespace {

using mesh_internal::ExtensionOf;
using mesh_internal::FormatRow;
using mesh_internal::FormatRows;
using mesh_internal::MeshSource;
using mesh_internal::RowOf;
using mesh_internal::Shown;

// Returns the first word of a text, after blanks and comments.
std::string_view FirstWord(std::string_view bytes, bool comments) {
  mesh_internal::TextScanner scan(bytes, {.comments = comments});
  return scan.SkipToContent() ? scan.Word() : std::string_view();
}

bool LooksLikeObj(std::string_view bytes) {
  static constexpr std::array kKeywords = {
      "v", "vn", "vt", "vp", "f",      "g",      "o",
      "s", "l",  "p",  "mg", "cstype", "mtllib", "usemtl"};
  const std::string_view word = FirstWord(bytes, /*comments=*/true);
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool LooksLikeBinaryStl(std::string_view bytes) {
  // A file that is shorter than the header of binary STL, or that starts with
  // text, is STL only if it starts with "solid".
  using mesh_internal::kStlHeaderBytes;
  return bytes.size() >= kStlHeaderBytes &&
         bytes.substr(0, kStlHeaderBytes).find('\0') != std::string_view::npos;
}

// Returns the format of the extension, unless the bytes are certainly of
// another format. Returns an error if they are of one that is not read.
absl::StatusOr<MeshFormat> FormatOfContents(std::string_view path,
                                            const FormatRow& named,
                                            std::string_view bytes) {
  const auto is_certainly = [bytes](const FormatRow& row) {
    return row.is_certainly != nullptr && row.is_certainly(bytes);
  };
  if (bytes.empty() || is_certainly(named)) return named.format;
  for (const FormatRow& row : FormatRows()) {
    if (row.format != named.format && is_certainly(row)) return row.format;
  }
  if (const std::string advice = mesh_internal::HowToConvertBytes(bytes);
      !advice.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(Shown(path), ": ", advice));
  }
  return named.format;
}

absl::StatusOr<Mesh> WholeMesh(const MeshSource& source, MeshFormat format) {
  const FormatRow& row = RowOf(format);
  if (row.read_mesh != nullptr) return row.read_mesh(source, nullptr);
  const absl::StatusOr<std::vector<NamedBody>> bodies = row.read_bodies(source);
  if (!bodies.ok()) return bodies.status();
  return mesh_internal::MergeBodies(*bodies, source);
}

absl::StatusOr<Mesh> ReadWhole(const MeshSource& source, MeshFormat format) {
  return mesh_internal::ReadBytes<Mesh>(source, [&]() -> absl::StatusOr<Mesh> {
    absl::StatusOr<Mesh> mesh = WholeMesh(source, format);
    if (!mesh.ok()) return mesh;
    return mesh_internal::WeldMesh(source, *mesh);
  });
}

}  // namespace

absl::StatusOr<MeshFormat> MeshFormatOf(std::string_view path,
                                        std::string_view bytes) {
  if (path.find("package://") != std::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        Shown(path),
        ": is an address of ROS; give the path of the file (ros2 pkg prefix "
        "--share NAME prints the folder of a package)"));
  }
  const std::string extension = path == "-" ? std::string() : ExtensionOf(path);
  const FormatRow* const named = mesh_internal::RowOfExtension(extension);
  if (named != nullptr) return FormatOfContents(path, *named, bytes);
  const std::string advice = extension.empty()
                                 ? mesh_internal::HowToConvertBytes(bytes)
                                 : mesh_internal::HowToConvert(extension);
  if (!advice.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(Shown(path), ": ", advice));
  }
  if (!extension.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Shown(path), ": the extension ", mesh_internal::Quoted(extension),
        " is not known; use ", mesh_internal::KnownExtensions()));
  }
  if (bytes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Shown(path), ": is empty; a mesh needs at least one triangle"));
  }
  const std::string_view word = FirstWord(bytes, /*comments=*/false);
  if (word == "ply") return MeshFormat::kPly;
  if (mesh_internal::IsAsciiStl(bytes)) return MeshFormat::kStl;
  if (FirstWord(bytes, /*comments=*/true).substr(0, 8).find("OFF") !=
      std::string_view::npos) {
    return MeshFormat::kOff;
  }
  if (mesh_internal::IsGltf(bytes)) return MeshFormat::kGltf;
  if (mesh_internal::Is3mf(bytes)) return MeshFormat::k3mf;
  if (LooksLikeObj(bytes)) return MeshFormat::kObj;
  if (LooksLikeBinaryStl(bytes)) return MeshFormat::kStl;
  return absl::InvalidArgumentError(absl::StrCat(
      Shown(path), ": the format cannot be told from the contents; give the ",
      "file a name that ends in ", mesh_internal::KnownExtensions()));
}

absl::StatusOr<Mesh> ReadMeshFile(const std::string& path,
                                  const ReadOptions& options) try {
  const BodyPath parts = SplitBodyPath(path);
  if (!parts.body.has_value()) {
    return mesh_internal::ReadAt<Mesh>(path, options, ReadWhole);
  }
  const absl::StatusOr<std::vector<NamedBody>> body =
      ReadBodiesFile(path, options);
  if (!body.ok()) return body.status();
  return mesh_internal::MergeBodies(
      *body, {.bytes = {}, .name = path, .options = options});
} catch (const std::bad_alloc&) {
  return mesh_internal::NoMemoryFor(path);
}

absl::StatusOr<Mesh> ReadMesh(std::string_view bytes, MeshFormat format,
                              std::string_view name,
                              const ReadOptions& options) {
  return ReadWhole({bytes, name, options}, format);
}

}  // namespace orbox
