// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/read_mesh.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/bvh/mesh/internal/text_scanner.h"

namespace orbox {
namespace {

constexpr char kKnownExtensions[] = ".obj, .ply, .stl or .off";

// In lower case, with its dot; empty if the last part of the path has none.
std::string ExtensionOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view file =
      slash == std::string_view::npos ? path : path.substr(slash + 1);
  const size_t dot = file.rfind('.');
  // A leading dot only hides a file.
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string extension(file.substr(dot));
  std::transform(
      extension.begin(), extension.end(), extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
  return extension;
}

// The first word of a text, after any blanks or comments.
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
  // A file this short, or with text in front, is STL only if it says "solid".
  constexpr size_t kHeaderBytes = 84;
  return bytes.size() >= kHeaderBytes &&
         bytes.substr(0, kHeaderBytes).find('\0') != std::string_view::npos;
}

// The format of a known extension; nothing for others.
std::optional<MeshFormat> FormatOfExtension(std::string_view extension) {
  if (extension == ".obj") return MeshFormat::kObj;
  if (extension == ".ply") return MeshFormat::kPly;
  if (extension == ".stl") return MeshFormat::kStl;
  if (extension == ".off") return MeshFormat::kOff;
  return std::nullopt;
}

// Whether the bytes are of the format and of no other. OBJ has no mark.
bool IsCertainly(MeshFormat format, std::string_view bytes) {
  switch (format) {
    case MeshFormat::kPly:
      return mesh_internal::IsPly(bytes);
    case MeshFormat::kStl:
      return mesh_internal::IsStl(bytes);
    case MeshFormat::kOff:
      return mesh_internal::IsOff(bytes);
    case MeshFormat::kObj:
      break;
  }
  return false;
}

// The format of the name, unless the file is certainly of another.
MeshFormat FormatOfContents(MeshFormat named, std::string_view bytes) {
  if (bytes.empty() || IsCertainly(named, bytes)) return named;
  for (const MeshFormat other :
       {MeshFormat::kPly, MeshFormat::kStl, MeshFormat::kOff}) {
    if (IsCertainly(other, bytes)) return other;
  }
  return named;
}

std::string Shown(std::string_view path) {
  return path == "-" ? "standard input" : std::string(path);
}

}  // namespace

absl::StatusOr<MeshFormat> MeshFormatOf(std::string_view path,
                                        std::string_view bytes) {
  const std::string extension = path == "-" ? std::string() : ExtensionOf(path);
  const std::optional<MeshFormat> named = FormatOfExtension(extension);
  if (named.has_value()) return FormatOfContents(*named, bytes);
  if (!extension.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Shown(path), ": the extension ", mesh_internal::Quoted(extension),
        " is not known; use ", kKnownExtensions));
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
  if (LooksLikeObj(bytes)) return MeshFormat::kObj;
  if (LooksLikeBinaryStl(bytes)) return MeshFormat::kStl;
  return absl::InvalidArgumentError(absl::StrCat(
      Shown(path), ": the format cannot be told from the contents; give the ",
      "file a name that ends in ", kKnownExtensions));
}

absl::StatusOr<Mesh> ReadMeshFile(const std::string& path,
                                  const ReadOptions& options) try {
  // Checked before reading, because the extension may be enough for an error.
  if (path != "-" && !ExtensionOf(path).empty()) {
    const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, {});
    if (!format.ok()) return format.status();
  }
  const absl::StatusOr<FileBytes> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, file->view());
  if (!format.ok()) return format.status();
  return ReadMesh(file->view(), *format, Shown(path), options);
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": not enough memory to read it"));
}

absl::StatusOr<Mesh> ReadMesh(std::string_view bytes, MeshFormat format,
                              std::string_view name,
                              const ReadOptions& options) try {
  const mesh_internal::MeshSource source = {bytes, name, options};
  if (bytes.empty()) {
    return mesh_internal::ErrorInFile(
        source, "is empty; a mesh needs at least one triangle");
  }
  absl::StatusOr<Mesh> mesh = absl::InvalidArgumentError("no such format");
  switch (format) {
    case MeshFormat::kObj:
      mesh = mesh_internal::ReadObj(source);
      break;
    case MeshFormat::kPly:
      mesh = mesh_internal::ReadPly(source);
      break;
    case MeshFormat::kStl:
      mesh = mesh_internal::ReadStl(source);
      break;
    case MeshFormat::kOff:
      mesh = mesh_internal::ReadOff(source);
      break;
  }
  if (mesh.ok() && options.progress) options.progress(1);
  return mesh;
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat(std::string(name), ": not enough memory to read it"));
}

}  // namespace orbox
