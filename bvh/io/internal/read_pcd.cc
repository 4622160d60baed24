// SPDX-License-Identifier: Apache-2.0

// PCD files of the Point Cloud Library (pointclouds.org, "The PCD file
// format").
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/pcd_points.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

// A field of each point: `count` values of `size` bytes.
struct PcdField {
  std::string_view name;
  uint64_t size = 4;
  uint64_t count = 1;
  char type = 'F';  // I, U or F

  uint64_t bytes() const { return size * count; }
};

struct PcdHeader {
  std::vector<PcdField> fields;
  std::array<size_t, 3> coordinates;  // the fields x, y and z
  uint64_t points = 0;
  std::string_view data;  // ascii, binary or binary_compressed
  size_t body_offset = 0;
  size_t body_line = 0;

  uint64_t PointBytes() const {
    uint64_t sum = 0;
    for (const PcdField& field : fields) sum += field.bytes();
    return sum;
  }
};

class PcdHeaderReader {
 public:
  explicit PcdHeaderReader(const MeshSource& source)
      : source_(source), scan_(source.bytes, {.comments = true}) {}

  absl::StatusOr<PcdHeader> Read();

 private:
  // Limits keep the sum of a point's bytes below 2^64.
  static constexpr int64_t kMostFields = 1 << 16;
  static constexpr int64_t kMostValues = 1 << 24;

  absl::Status ReadEntry(std::string_view keyword);
  absl::Status ReadNames();
  absl::Status ReadTypes();
  // Reads one number for each field.
  absl::Status ReadNumbers(std::string_view keyword, uint64_t PcdField::*into);
  absl::Status ReadNumber(std::string_view keyword, int64_t most,
                          uint64_t* into);
  absl::Status CheckCount(std::string_view keyword, size_t count) const;
  absl::Status Finish();
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, scan_.line(), what);
  }

  const MeshSource& source_;
  TextScanner scan_;
  PcdHeader header_;
  uint64_t width_ = 0;
  uint64_t height_ = 1;
  std::optional<uint64_t> points_;
};

absl::StatusOr<PcdHeader> PcdHeaderReader::Read() {
  while (header_.data.empty()) {
    if (!scan_.SkipToContent()) {
      return Error("the header ends without DATA; is the file cut short?");
    }
    const std::string_view keyword = scan_.Word();
    if (absl::Status s = ReadEntry(keyword); !s.ok()) return s;
    scan_.SkipLine();
  }
  if (absl::Status s = Finish(); !s.ok()) return s;
  return std::move(header_);
}

absl::Status PcdHeaderReader::ReadEntry(std::string_view keyword) {
  constexpr int64_t kMostPoints = int64_t{1} << 31;
  if (keyword == "VERSION" || keyword == "VIEWPOINT") return absl::OkStatus();
  if (keyword == "FIELDS" || keyword == "COLUMNS") return ReadNames();
  if (keyword == "SIZE") return ReadNumbers(keyword, &PcdField::size);
  if (keyword == "TYPE") return ReadTypes();
  if (keyword == "COUNT") return ReadNumbers(keyword, &PcdField::count);
  if (keyword == "WIDTH") return ReadNumber(keyword, kMostPoints, &width_);
  if (keyword == "HEIGHT") return ReadNumber(keyword, kMostPoints, &height_);
  if (keyword == "POINTS") {
    return ReadNumber(keyword, kMostPoints, &points_.emplace(0));
  }
  if (keyword != "DATA") {
    return Error(absl::StrCat(Quoted(keyword),
                              " is not a keyword of PCD; remove the line"));
  }
  header_.data = scan_.Word();
  if (header_.data == "ascii" || header_.data == "binary" ||
      header_.data == "binary_compressed") {
    return absl::OkStatus();
  }
  return Error(absl::StrCat("the data is ", Quoted(header_.data),
                            "; give ascii, binary or binary_compressed"));
}

absl::Status PcdHeaderReader::ReadNames() {
  header_.fields.clear();
  while (!scan_.AtLineEnd()) {
    if (header_.fields.size() == kMostFields) return Error("too many fields");
    header_.fields.push_back({.name = scan_.Word()});
  }
  return absl::OkStatus();
}

absl::Status PcdHeaderReader::CheckCount(std::string_view keyword,
                                         size_t count) const {
  if (count == header_.fields.size()) return absl::OkStatus();
  return Error(absl::StrCat(std::string(keyword),
                            " does not have a value for each of the ",
                            header_.fields.size(), " fields; correct it"));
}

absl::Status PcdHeaderReader::ReadTypes() {
  size_t count = 0;
  for (; !scan_.AtLineEnd(); ++count) {
    const std::string_view type = scan_.Word();
    if (count < header_.fields.size()) header_.fields[count].type = type[0];
  }
  return CheckCount("TYPE", count);
}

absl::Status PcdHeaderReader::ReadNumber(std::string_view keyword, int64_t most,
                                         uint64_t* into) {
  int64_t value = 0;
  if (const auto outcome = scan_.ReadInteger(value);
      outcome != TextScanner::kRead) {
    return Error(DescribeNumber(scan_, outcome, keyword));
  }
  if (value < 0 || value > most) {
    return Error(absl::StrCat(std::string(keyword), " is ", value,
                              "; it has to be 0 to ", most));
  }
  *into = static_cast<uint64_t>(value);
  return absl::OkStatus();
}

absl::Status PcdHeaderReader::ReadNumbers(std::string_view keyword,
                                          uint64_t PcdField::*into) {
  size_t count = 0;
  for (; !scan_.AtLineEnd(); ++count) {
    uint64_t value = 0;
    absl::Status status = ReadNumber(keyword, kMostValues, &value);
    if (!status.ok()) return status;
    if (count < header_.fields.size()) header_.fields[count].*into = value;
  }
  return CheckCount(keyword, count);
}

absl::Status PcdHeaderReader::Finish() {
  constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
  for (size_t k = 0; k < 3; ++k) {
    const auto found = std::find_if(
        header_.fields.begin(), header_.fields.end(),
        [&](const PcdField& field) { return field.name == kNames[k]; });
    if (found == header_.fields.end()) {
      return Error(absl::StrCat("there is no field ", Quoted(kNames[k]),
                                "; name x, y and z in FIELDS"));
    }
    const bool is_number =
        found->count == 1 &&
        (header_.data == "ascii" ||
         (found->type == 'F' && (found->size == 4 || found->size == 8)));
    if (!is_number) {
      return Error(absl::StrCat("field ", Quoted(kNames[k]),
                                " is not one float or double; give it TYPE F, "
                                "SIZE 4 or 8, and COUNT 1"));
    }
    header_.coordinates[k] = found - header_.fields.begin();
  }
  header_.points = points_.value_or(width_ * height_);
  header_.body_offset = scan_.offset();
  header_.body_line = scan_.line();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Vec3>> ReadPcdText(const MeshSource& source,
                                              const PcdHeader& header) {
  TextScanner scan(
      source.bytes.substr(header.body_offset),
      {.comments = true, .not_finite = source.options.skip_invalid});
  const auto error = [&](const std::string& what) {
    return ErrorAtLine(source, header.body_line + scan.line() - 1, what);
  };
  std::vector<Vec3> points;
  points.reserve(std::min<size_t>(header.points, source.bytes.size() / 6 + 1));
  for (uint64_t i = 0; i < header.points; ++i) {
    if (!scan.SkipToContent()) {
      return error(absl::StrCat("the file ends before point ", i, " of ",
                                header.points,
                                "; is it cut short, or the count wrong?"));
    }
    Vec3 p;
    for (size_t f = 0; f < header.fields.size(); ++f) {
      const PcdField& field = header.fields[f];
      const auto coordinate =
          std::find(header.coordinates.begin(), header.coordinates.end(), f);
      if (coordinate != header.coordinates.end()) {
        double& value = p[coordinate - header.coordinates.begin()];
        const auto outcome = scan.ReadDouble(value);
        if (outcome != TextScanner::kRead) {
          return error(DescribeNumber(
              scan, outcome, absl::StrCat("field ", Quoted(field.name))));
        }
        continue;
      }
      for (uint64_t k = 0; k < field.count; ++k) {
        if (scan.AtLineEnd()) {
          return error(absl::StrCat("the row ends before field ",
                                    Quoted(field.name), "; add its value"));
        }
        scan.Word();
      }
    }
    if (!scan.AtLineEnd()) {
      return error(absl::StrCat("after the last field comes ",
                                Quoted(scan.Word()), "; remove it"));
    }
    points.push_back(p);
  }
  if (!scan.SkipToContent()) return points;
  return error(absl::StrCat("after the last point comes ", Quoted(scan.Word()),
                            "; remove it, or correct POINTS"));
}

// The layout of values: each field at its offset in each point, or, in
// compressed files, all values of a field together.
enum class PcdOrder { kByPoint, kByField };

std::vector<Vec3> PcdPointsIn(std::string_view bytes, const PcdHeader& header,
                              PcdOrder order) {
  std::array<const char*, 3> at;
  std::array<uint64_t, 3> step;
  std::array<bool, 3> is_double;
  for (size_t k = 0; k < 3; ++k) {
    const size_t f = header.coordinates[k];
    uint64_t offset = 0;
    for (size_t i = 0; i < f; ++i) offset += header.fields[i].bytes();
    const bool by_field = order == PcdOrder::kByField;
    at[k] = bytes.data() + (by_field ? offset * header.points : offset);
    step[k] = by_field ? header.fields[f].size : header.PointBytes();
    is_double[k] = header.fields[f].size == 8;
  }
  std::vector<Vec3> points(header.points);
  for (Vec3& p : points) {
    for (size_t k = 0; k < 3; ++k) {
      p[k] = is_double[k] ? std::bit_cast<double>(LoadLittle<uint64_t>(at[k]))
                          : std::bit_cast<float>(LoadLittle<uint32_t>(at[k]));
      at[k] += step[k];
    }
  }
  return points;
}

// Returns the text that LZF has compressed, or nothing if it is not `size`
// bytes. A control byte below 32 comes before that many bytes and one. Others
// have the length of a copy in their upper three bits, less two. A length of
// nine continues in the next byte. The other bits and the byte after are the
// distance of the original, less one.
std::optional<std::string> DecompressLzf(std::string_view in, size_t size) {
  // Three bytes make 264 at most.
  constexpr size_t kMostRatio = 88;
  if (size / kMostRatio > in.size()) return std::nullopt;
  std::string out;
  out.reserve(size);
  size_t at = 0;
  const auto next = [&] { return static_cast<unsigned char>(in[at++]); };
  while (at < in.size()) {
    const size_t control = next();
    if (control < 32) {
      const size_t length = control + 1;
      if (length > in.size() - at || length > size - out.size()) {
        return std::nullopt;
      }
      out.append(in.substr(at, length));
      at += length;
      continue;
    }
    size_t length = control / 32 + 2;
    if (in.size() - at < (length == 9 ? 2 : 1)) return std::nullopt;
    if (length == 9) length += next();
    const size_t distance = control % 32 * 256 + next() + 1;
    if (distance > out.size() || length > size - out.size()) {
      return std::nullopt;
    }
    // A copy may overlap itself.
    for (size_t i = 0; i < length; ++i) out += out[out.size() - distance];
  }
  if (out.size() != size) return std::nullopt;
  return out;
}

absl::StatusOr<std::vector<Vec3>> ReadPcdBinary(const MeshSource& source,
                                                const PcdHeader& header) {
  const std::string_view body = source.bytes.substr(header.body_offset);
  const uint64_t stride = header.PointBytes();
  if (header.points > body.size() / stride) {
    return ErrorAtByte(
        source, header.body_offset,
        absl::StrCat(header.points, " points of ", stride,
                     " bytes do not fit the ", body.size(),
                     " bytes that follow; is the file cut short?"));
  }
  if (const size_t rest = body.size() - header.points * stride; rest > 0) {
    AddNote(source, "bytes after the last point, skipped",
            {"byte", source.bytes.size() - rest}, rest);
  }
  return PcdPointsIn(body, header, PcdOrder::kByPoint);
}

absl::StatusOr<std::vector<Vec3>> ReadPcdCompressed(const MeshSource& source,
                                                    const PcdHeader& header) {
  constexpr size_t kSizes = 8;
  const std::string_view body = source.bytes.substr(header.body_offset);
  const auto error = [&](const std::string& what) {
    return ErrorAtByte(source, header.body_offset, what);
  };
  if (body.size() < kSizes) {
    return error("the file ends before its points; is it cut short?");
  }
  const auto packed = LoadLittle<uint32_t>(body.data());
  const auto size = LoadLittle<uint32_t>(body.data() + 4);
  if (packed > body.size() - kSizes) {
    return error(absl::StrCat(packed, " bytes of points are not in the ",
                              body.size() - kSizes,
                              " that follow; is the file cut short?"));
  }
  const uint64_t stride = header.PointBytes();
  if (size % stride != 0 || size / stride != header.points) {
    return error(absl::StrCat(size, " bytes are not ", header.points,
                              " points of ", stride,
                              " bytes; correct the header"));
  }
  const std::optional<std::string> bytes =
      DecompressLzf(body.substr(kSizes, packed), size);
  if (!bytes.has_value()) {
    return error(
        "the compressed points are damaged; convert the file again "
        "(pcl_convert_pcd_ascii_binary IN OUT 1)");
  }
  return PcdPointsIn(*bytes, header, PcdOrder::kByField);
}

}  // namespace
}  // namespace orbox::mesh_internal

namespace orbox {

bool IsPcdFile(std::string_view bytes) {
  mesh_internal::TextScanner scan(bytes, {.comments = true});
  if (!scan.SkipToContent()) return false;
  const std::string_view word = scan.Word();
  if (word != "VERSION" && word != "FIELDS" && word != "COLUMNS") return false;
  scan.SkipLine();
  if (!scan.SkipToContent()) return false;
  const std::string_view next = scan.Word();
  return next == "FIELDS" || next == "COLUMNS" || next == "SIZE";
}

absl::StatusOr<std::vector<Vec3>> ReadPcdPoints(std::string_view bytes,
                                                std::string_view name,
                                                const ReadOptions& options) {
  const mesh_internal::MeshSource source{bytes, name, options};
  const absl::StatusOr<mesh_internal::PcdHeader> header =
      mesh_internal::PcdHeaderReader(source).Read();
  if (!header.ok()) return header.status();
  absl::StatusOr<std::vector<Vec3>> points =
      header->data == "ascii"    ? ReadPcdText(source, *header)
      : header->data == "binary" ? ReadPcdBinary(source, *header)
                                 : ReadPcdCompressed(source, *header);
  if (!points.ok()) return points.status();
  return mesh_internal::FinitePoints(source, "point", *std::move(points));
}

}  // namespace orbox
