// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/gltf_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/little_endian.h"

namespace orbox::mesh_internal {
namespace {

constexpr std::string_view kMagic = "glTF";

// Decodes percent-encoded bytes, such as "%20".
std::string Unescaped(std::string_view uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 &&
        digit(uri[i + 2]) >= 0) {
      out += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

// Returns true if the value has the meshopt extension, under either of its
// names.
bool IsMeshopt(const JsonValue& value) {
  const JsonValue& extensions = value.Member("extensions");
  return extensions.Has("EXT_meshopt_compression") ||
         extensions.Has("KHR_meshopt_compression");
}

}  // namespace

bool IsGltf(std::string_view bytes) {
  if (bytes.starts_with(kMagic)) return true;
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{' &&
         bytes.find("\"asset\"") != std::string_view::npos;
}

absl::Status GltfFile::Error(std::string_view kind, uint64_t number,
                             const std::string& what) const {
  return ErrorInFile(source_,
                     absl::StrCat(std::string(kind), " ", number, ": ", what));
}

absl::StatusOr<GltfFile> GltfFile::Open(const MeshSource& source) {
  GltfFile file(source);
  const absl::Status read = source.bytes.starts_with(kMagic)
                                ? file.ReadBinary()
                                : file.ReadJson(source.bytes, 0);
  if (!read.ok()) return read;
  const std::string_view version =
      file.json_.Member("asset").Member("version").Text();
  if (!version.starts_with("2")) {
    return ErrorInFile(
        source, version.empty()
                    ? "is no glTF: it has no asset with a version"
                    : absl::StrCat("is glTF of version ", Quoted(version),
                                   "; write it as 2.0, with Blender for one"));
  }
  return file;
}

size_t GltfFile::byte_count() const {
  size_t count = source_.bytes.size();
  for (const auto& [path, bytes] : files_) count += bytes.view().size();
  return count;
}

absl::Status GltfFile::ReadBinary() {
  constexpr size_t kHeader = 12;
  constexpr size_t kChunkHeader = 8;
  constexpr uint32_t kJsonChunk = 0x4e4f534a;
  constexpr uint32_t kBinaryChunk = 0x004e4942;
  const std::string_view bytes = source_.bytes;
  if (bytes.size() < kHeader + kChunkHeader) {
    return ErrorAtByte(source_, bytes.size(),
                       "the file ends within the header of GLB; is it cut "
                       "short?");
  }
  const auto version = LoadLittle<uint32_t>(bytes.data() + 4);
  if (version != 2) {
    return ErrorAtByte(source_, 4,
                       absl::StrCat("is GLB of version ", version,
                                    "; write it as 2, with Blender for one"));
  }
  const size_t length = LoadLittle<uint32_t>(bytes.data() + 8);
  if (length > bytes.size()) {
    return ErrorAtByte(
        source_, 8,
        absl::StrCat("the header claims ", length, " bytes, and the file has ",
                     bytes.size(), "; is it cut short?"));
  }
  bool has_json = false;
  const auto is_chunk = [&](size_t at) {
    if (at + kChunkHeader > length) return false;
    const auto type = LoadLittle<uint32_t>(bytes.data() + at + 4);
    return (type == kJsonChunk || type == kBinaryChunk) &&
           LoadLittle<uint32_t>(bytes.data() + at) <=
               length - at - kChunkHeader;
  };
  for (size_t at = kHeader; at + kChunkHeader <= length;) {
    const size_t size = LoadLittle<uint32_t>(bytes.data() + at);
    const auto type = LoadLittle<uint32_t>(bytes.data() + at + 4);
    const size_t begin = at + kChunkHeader;
    if (size > length - begin) {
      return ErrorAtByte(
          source_, at,
          absl::StrCat("a chunk claims ", size, " bytes, and ", length - begin,
                       " are left; is the file damaged?"));
    }
    if (type == kJsonChunk && !has_json) {
      has_json = true;
      const absl::Status read = ReadJson(bytes.substr(begin, size), begin);
      if (!read.ok()) return read;
    } else if (type == kBinaryChunk && !binary_.has_value()) {
      binary_ = bytes.substr(begin, size);
    }
    // Chunks end at multiples of four bytes. Some writers forget the padding.
    at = begin + (size + 3) / 4 * 4;
    if (size % 4 != 0 && !is_chunk(at) && is_chunk(begin + size)) {
      AddNote(source_, "chunks of GLB that are not padded", {"byte", begin});
      at = begin + size;
    }
  }
  if (has_json) return absl::OkStatus();
  return ErrorAtByte(source_, kHeader,
                     "has no JSON chunk; is the file damaged?");
}

absl::Status GltfFile::ReadJson(std::string_view text, size_t offset) {
  absl::StatusOr<JsonValue> json = ParseJsonValue(source_, text, offset);
  if (!json.ok()) return json.status();
  json_ = *std::move(json);
  return absl::OkStatus();
}

absl::StatusOr<std::string_view> GltfFile::BytesOfUri(uint64_t buffer,
                                                      std::string_view uri) {
  constexpr std::string_view kBase64 = ";base64,";
  if (uri.starts_with("data:")) {
    const size_t begin = uri.find(kBase64);
    std::string& bytes = decoded_[buffer];
    if (begin == std::string::npos ||
        (bytes.empty() &&
         !absl::Base64Unescape(std::string(uri.substr(begin + kBase64.size())),
                               &bytes))) {
      return Error("buffer", buffer,
                   "its data URI is no base64; write the bytes in base64");
    }
    return bytes;
  }
  const std::string name = Unescaped(uri);
  const bool is_elsewhere = name.find("://") != std::string::npos ||
                            Printable(name) != name || name.starts_with('/');
  if (!source_.folder.has_value() || is_elsewhere) {
    return Error("buffer", buffer,
                 absl::StrCat("is in ", Quoted(name),
                              is_elsewhere ? ", which is not beside the file"
                                           : ", and this file has no folder",
                              "; write all in one file, as GLB"));
  }
  const std::string path =
      os::Utf8Of(os::PathOf(*source_.folder) / os::PathOf(name));
  auto found = files_.find(path);
  if (found == files_.end()) {
    absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
    if (!bytes.ok()) {
      return absl::Status(
          bytes.status().code(),
          Error("buffer", buffer, std::string(bytes.status().message()))
              .message());
    }
    found = files_.emplace(path, *std::move(bytes)).first;
  }
  return found->second.view();
}

absl::StatusOr<std::string_view> GltfFile::BufferBytes(uint64_t buffer) {
  const auto buffers = json_.Member("buffers").items();
  if (buffer >= buffers.size()) {
    return Error("buffer", buffer,
                 absl::StrCat("is named, and there are ", buffers.size(),
                              "; is the file damaged?"));
  }
  const JsonValue& entry = buffers[buffer];
  const std::string_view uri = entry.Member("uri").Text();
  absl::StatusOr<std::string_view> bytes =
      Error("buffer", buffer,
            IsMeshopt(entry)
                ? "is compressed by meshopt; write the file without it, with "
                  "Blender or gltf-transform for one"
                : "has neither a uri nor a GLB chunk; is the file damaged?");
  if (!uri.empty()) {
    bytes = BytesOfUri(buffer, uri);
  } else if (buffer == 0 && binary_.has_value()) {
    bytes = *binary_;
  }
  if (!bytes.ok()) return bytes;
  const std::optional<uint64_t> length = entry.Member("byteLength").Whole();
  if (!length.has_value() || *length > bytes->size()) {
    return Error(
        "buffer", buffer,
        length.has_value()
            ? absl::StrCat("claims ", *length, " bytes, and there are ",
                           bytes->size(), "; is the file cut short?")
            : "has no byteLength; is the file damaged?");
  }
  return bytes->substr(0, *length);
}

absl::StatusOr<std::string_view> GltfFile::ViewBytes(uint64_t view) {
  const auto views = json_.Member("bufferViews").items();
  if (view >= views.size()) {
    return Error("bufferView", view,
                 absl::StrCat("is named, and there are ", views.size(),
                              "; is the file damaged?"));
  }
  const JsonValue& entry = views[view];
  const std::optional<uint64_t> buffer = entry.Member("buffer").Whole();
  if (!buffer.has_value()) {
    return Error("bufferView", view, "has no buffer; is the file damaged?");
  }
  const absl::StatusOr<std::string_view> bytes = BufferBytes(*buffer);
  if (!bytes.ok() && IsMeshopt(entry)) {
    return Error("bufferView", view,
                 "is compressed by meshopt; write the file without it, with "
                 "Blender or gltf-transform for one");
  }
  if (!bytes.ok()) return bytes;
  const uint64_t offset = entry.Member("byteOffset").Whole().value_or(0);
  const std::optional<uint64_t> length = entry.Member("byteLength").Whole();
  if (!length.has_value() || offset > bytes->size() ||
      *length > bytes->size() - offset) {
    return Error("bufferView", view,
                 absl::StrCat("reaches beyond the ", bytes->size(),
                              " bytes of its buffer; is the file damaged?"));
  }
  return bytes->substr(offset, *length);
}

}  // namespace orbox::mesh_internal
