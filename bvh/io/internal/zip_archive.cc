// SPDX-License-Identifier: Apache-2.0

// The ZIP format of APPNOTE.TXT 6.3 (PKWARE), section 4.3.
#include "orbox/bvh/io/internal/zip_archive.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/little_endian.h"

namespace orbox::mesh_internal {
namespace {

constexpr uint32_t kEndMark = 0x06054b50;
constexpr size_t kEndSize = 22;
constexpr uint32_t kWideLocatorMark = 0x07064b50;
constexpr size_t kWideLocatorSize = 20;
constexpr uint32_t kWideEndMark = 0x06064b50;
constexpr size_t kWideEndSize = 56;
constexpr uint32_t kEntryMark = 0x02014b50;
constexpr size_t kEntrySize = 46;
constexpr uint32_t kHeaderMark = 0x04034b50;
constexpr size_t kHeaderSize = 30;
// Marks a number that is stored elsewhere, in 64 bits.
constexpr uint32_t kElsewhere = 0xffffffff;
constexpr uint16_t kWideExtra = 1;

constexpr uint16_t kEncrypted = 1;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;

std::string FoldedName(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  return absl::AsciiStrToLower(std::string(name));
}

// The position of the directory, and its number of entries.
struct Directory {
  uint64_t begin = 0;
  uint64_t count = 0;
};
std::optional<Directory> FindDirectory(std::string_view bytes) {
  // The end record may be followed by a comment of up to 65,535 bytes.
  constexpr size_t kFarthest = kEndSize + 0xffff;
  if (bytes.size() < kEndSize) return std::nullopt;
  const size_t last = bytes.size() - kEndSize;
  const size_t first = bytes.size() - std::min(bytes.size(), kFarthest);
  size_t at = last + 1;
  do {
    if (at == first) return std::nullopt;
    --at;
  } while (LoadLittle<uint32_t>(bytes.data() + at) != kEndMark);
  const char* const end = bytes.data() + at;
  const Directory directory{.begin = LoadLittle<uint32_t>(end + 16),
                            .count = LoadLittle<uint16_t>(end + 10)};
  if (at < kWideLocatorSize) return directory;
  const char* const locator = end - kWideLocatorSize;
  if (LoadLittle<uint32_t>(locator) != kWideLocatorMark) return directory;
  const auto wide = LoadLittle<uint64_t>(locator + 8);
  if (bytes.size() < kWideEndSize || wide > bytes.size() - kWideEndSize ||
      LoadLittle<uint32_t>(bytes.data() + wide) != kWideEndMark) {
    return std::nullopt;
  }
  return Directory{.begin = LoadLittle<uint64_t>(bytes.data() + wide + 48),
                   .count = LoadLittle<uint64_t>(bytes.data() + wide + 32)};
}

// Replaces the numbers that the entry's extra field has in 64 bits.
void ReadWideNumbers(std::string_view extra, ZipArchive::File& file) {
  constexpr size_t kBlockHeader = 4;
  while (extra.size() >= kBlockHeader) {
    const auto kind = LoadLittle<uint16_t>(extra.data());
    const size_t size = LoadLittle<uint16_t>(extra.data() + 2);
    extra.remove_prefix(kBlockHeader);
    if (size > extra.size()) return;
    if (kind == kWideExtra) {
      std::string_view numbers = extra.substr(0, size);
      for (uint64_t* number : {&file.size, &file.packed_size, &file.header}) {
        if (*number != kElsewhere || numbers.size() < 8) continue;
        *number = LoadLittle<uint64_t>(numbers.data());
        numbers.remove_prefix(8);
      }
    }
    extra.remove_prefix(size);
  }
}

// Decompresses one file. The destructor ends the stream.
class Inflater {
 public:
  Inflater() {
    // Raw deflate: without a zlib header.
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_ = {};
};

// Computes the checksum of pieces, in order.
class Checksum {
 public:
  void Add(std::string_view piece) {
    size_ += piece.size();
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(piece.data()),
                   piece.size());
  }
  bool IsOf(const ZipArchive::File& file) const {
    return size_ == file.size && sum_ == file.checksum;
  }

 private:
  uint64_t size_ = 0;
  uLong sum_ = crc32_z(0, nullptr, 0);
};

}  // namespace

absl::StatusOr<ZipArchive> ZipArchive::Open(const MeshSource& source) {
  ZipArchive archive(source);
  const absl::Status read = archive.ReadDirectory();
  if (!read.ok()) return read;
  return archive;
}

absl::Status ZipArchive::ReadDirectory() {
  const std::optional<Directory> directory = FindDirectory(source_.bytes);
  if (!directory.has_value()) {
    return ErrorInFile(source_,
                       "has no directory of a ZIP archive at its end; is it "
                       "cut short?");
  }
  uint64_t at = directory->begin;
  for (uint64_t i = 0; i < directory->count; ++i) {
    const absl::StatusOr<uint64_t> next = ReadEntry(at);
    if (!next.ok()) return next.status();
    at = *next;
  }
  return absl::OkStatus();
}

// Reads an entry. Returns the position of the next one.
absl::StatusOr<uint64_t> ZipArchive::ReadEntry(uint64_t at) {
  const std::string_view bytes = source_.bytes;
  const auto damaged = [&] {
    return ErrorAtByte(source_, at,
                       "no entry of a ZIP archive's directory; is the file "
                       "damaged?");
  };
  if (bytes.size() < kEntrySize || at > bytes.size() - kEntrySize) {
    return damaged();
  }
  const char* const entry = bytes.data() + at;
  if (LoadLittle<uint32_t>(entry) != kEntryMark) return damaged();
  File file{.flags = LoadLittle<uint16_t>(entry + 8),
            .method = LoadLittle<uint16_t>(entry + 10),
            .checksum = LoadLittle<uint32_t>(entry + 16),
            .packed_size = LoadLittle<uint32_t>(entry + 20),
            .size = LoadLittle<uint32_t>(entry + 24),
            .header = LoadLittle<uint32_t>(entry + 42)};
  const size_t name_size = LoadLittle<uint16_t>(entry + 28);
  const size_t extra_size = LoadLittle<uint16_t>(entry + 30);
  const size_t size =
      kEntrySize + name_size + extra_size + LoadLittle<uint16_t>(entry + 32);
  if (size > bytes.size() - at) return damaged();
  file.name = bytes.substr(at + kEntrySize, name_size);
  ReadWideNumbers(bytes.substr(at + kEntrySize + name_size, extra_size), file);
  std::string key = FoldedName(file.name);
  files_.emplace(std::move(key), std::move(file));
  return at + size;
}

const ZipArchive::File* ZipArchive::Find(std::string_view name) const {
  const auto found = files_.find(FoldedName(name));
  return found == files_.end() ? nullptr : &found->second;
}

absl::Status ZipArchive::Unpack(
    const File& file,
    const std::function<absl::Status(std::string_view)>& consume) const {
  const std::string_view bytes = source_.bytes;
  const auto error = [&](const std::string& what) {
    return ErrorInFile(source_, absl::StrCat(Quoted(file.name), ": ", what));
  };
  if ((file.flags & kEncrypted) != 0) {
    return error("is encrypted; write the file without it");
  }
  if (file.method != kStored && file.method != kDeflated) {
    return error(absl::StrCat("is compressed by method ", file.method,
                              "; write the file with deflate"));
  }
  const bool has_header =
      bytes.size() >= kHeaderSize &&
      file.header <= bytes.size() - kHeaderSize &&
      LoadLittle<uint32_t>(bytes.data() + file.header) == kHeaderMark;
  if (!has_header) return error("is not in the archive; is it damaged?");
  const char* const header = bytes.data() + file.header;
  const uint64_t begin = file.header + kHeaderSize +
                         LoadLittle<uint16_t>(header + 26) +
                         LoadLittle<uint16_t>(header + 28);
  if (begin > bytes.size() || file.packed_size > bytes.size() - begin) {
    return error("reaches beyond the archive's end; is it cut short?");
  }
  const std::string_view packed = bytes.substr(begin, file.packed_size);
  if (file.method == kDeflated) return Inflate(file, packed, consume);
  Checksum checksum;
  checksum.Add(packed);
  if (!checksum.IsOf(file)) {
    return error(
        "has another size or checksum than the archive says; is it "
        "damaged?");
  }
  return consume(packed);
}

absl::Status ZipArchive::Inflate(
    const File& file, std::string_view packed,
    const std::function<absl::Status(std::string_view)>& consume) const {
  const auto damaged = [&] {
    return ErrorInFile(source_, absl::StrCat(Quoted(file.name),
                                             ": cannot be unpacked; is the "
                                             "file damaged?"));
  };
  constexpr size_t kPiece = size_t{1} << 16;
  constexpr size_t kMostAtOnce = std::numeric_limits<uInt>::max();
  Inflater inflater;
  z_stream& stream = inflater.stream();
  std::array<char, kPiece> piece;
  Checksum checksum;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const size_t count = std::min(packed.size(), kMostAtOnce);
      stream.next_in = reinterpret_cast<Bytef*>(
          const_cast<char*>(packed.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(count);
      packed.remove_prefix(count);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = kPiece;
    result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END) return damaged();
    const std::string_view made(piece.data(), kPiece - stream.avail_out);
    checksum.Add(made);
    if (const absl::Status consumed = consume(made); !consumed.ok())
      return consumed;
  }
  return checksum.IsOf(file) ? absl::OkStatus() : damaged();
}

}  // namespace orbox::mesh_internal
