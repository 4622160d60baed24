// SPDX-License-Identifier: Apache-2.0

// OFF, the format of Geomview, and its variants [ST][C][N]OFF, whose vertices
// have further values after x, y, z. (Geomview manual, "OFF files".)
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/binary_off.h"
#include "orbox/bvh/io/internal/polygon.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

// First words of files with three-dimensional points without weights.
constexpr std::string_view kKeywords[] = {
    "OFF",   "NOFF",   "COFF",   "CNOFF",   "NCOFF",
    "STOFF", "STNOFF", "STCOFF", "STCNOFF", "STNCOFF"};

// Returns the number of values per vertex in a file with this first word.
size_t NumbersOfVertex(std::string_view keyword) {
  return 3 + (keyword.find('N') != std::string_view::npos ? 3 : 0) +
         (keyword.find('C') != std::string_view::npos ? 4 : 0) +
         (keyword.starts_with("ST") ? 2 : 0);
}

class OffReader {
 public:
  explicit OffReader(const MeshSource& source)
      : source_(source),
        scan_(source.bytes,
              {.comments = true, .not_finite = source.options.skip_invalid}) {}

  absl::StatusOr<Mesh> Read();

 private:
  absl::Status ReadHeader();
  absl::Status ReadCounts();
  absl::Status ReadVertices();
  absl::Status ReadFaces();
  absl::Status ReadFace();
  // Reads a number, on this line or a later one.
  TextScanner::Outcome ReadDouble(double& value);
  TextScanner::Outcome ReadInteger(int64_t& value);
  // Skips colours and other values up to the end of the line.
  absl::Status SkipRestOfLine(std::string_view after);
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, scan_.line(), what);
  }
  absl::Status NumberError(TextScanner::Outcome outcome,
                           const std::string& what) const {
    if (scan_.AtEnd()) {
      return Error(absl::StrCat("the file ends before the ", what,
                                "; complete it, or correct the counts"));
    }
    return Error(DescribeNumber(scan_, outcome, what));
  }

  const MeshSource& source_;
  TextScanner scan_;
  ReadProgress progress_{source_};
  std::optional<BinaryOff> binary_;
  int64_t vertex_count_ = 0;
  int64_t face_count_ = 0;
  std::vector<Vec3> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<uint32_t> corners_;  // of the face being read
  Polygons polygons_{source_};
};

absl::StatusOr<Mesh> OffReader::Read() {
  if (absl::Status s = ReadHeader(); !s.ok()) return s;
  if (binary_.has_value()) return ReadBinaryOff(source_, *binary_);
  if (absl::Status s = ReadCounts(); !s.ok()) return s;
  if (absl::Status s = ReadVertices(); !s.ok()) return s;
  if (absl::Status s = ReadFaces(); !s.ok()) return s;
  if (scan_.SkipToContent()) {
    return Error(absl::StrCat("after the last of ", face_count_,
                              " faces comes ", Quoted(scan_.Word()),
                              "; remove it, or correct the counts"));
  }
  polygons_.Finish(vertices_, triangles_);
  if (triangles_.empty()) {
    return ErrorInFile(source_, "an OFF file without faces; add some");
  }
  return CreateMesh(source_, std::move(vertices_), std::move(triangles_));
}

absl::Status OffReader::ReadHeader() {
  if (!scan_.SkipToContent()) {
    return ErrorInFile(source_, "no OFF header; the file is blank");
  }
  TextScanner after = scan_;
  const std::string_view word = after.Word();
  // The keyword is optional.
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0 &&
      word != "4OFF" && word != "4nOFF") {
    return absl::OkStatus();
  }
  for (const std::string_view known : kKeywords) {
    if (word == known) {
      scan_ = after;
      TextScanner next = scan_;
      if (!next.AtLineEnd() && next.Word() == "BINARY") {
        // Binary data begins after the end of the line.
        next.SkipLine();
        binary_ = {.offset = next.offset(), .numbers = NumbersOfVertex(known)};
      }
      return absl::OkStatus();
    }
    // Some writers omit the space before the counts.
    if (known == "OFF" && word.starts_with(known) &&
        std::isdigit(static_cast<unsigned char>(word[known.size()])) != 0) {
      for (size_t i = 0; i < known.size(); ++i) scan_.Advance();
      return absl::OkStatus();
    }
  }
  if (word.ends_with("OFF")) {
    return Error(absl::StrCat(
        "the header ", Quoted(word),
        " stands for coordinates in another dimension than 3, or with weights;"
        " write OFF, COFF, NOFF or STOFF with x y z"));
  }
  return Error(absl::StrCat("the file begins with ", Quoted(word),
                            " in place of OFF; is this an OFF file?"));
}

absl::Status OffReader::ReadCounts() {
  struct Count {
    std::string_view name;
    int64_t* value;
    int64_t least_bytes;  // of each item: digits and blanks between them
  };
  for (const Count& count : {Count{"number of vertices", &vertex_count_, 5},
                             Count{"number of faces", &face_count_, 3}}) {
    const std::string name(count.name);
    const TextScanner::Outcome outcome = ReadInteger(*count.value);
    if (outcome != TextScanner::kRead) return NumberError(outcome, name);
    const auto left =
        static_cast<int64_t>(source_.bytes.size() - scan_.offset());
    if (*count.value < 0 || *count.value > left / count.least_bytes) {
      return Error(absl::StrCat("the ", name, " is ", *count.value,
                                ", and only ", left,
                                " bytes follow; correct it"));
    }
  }
  if (static_cast<size_t>(vertex_count_) > Mesh::kMaxVertices) {
    return Error(absl::StrCat("the number of vertices is ", vertex_count_,
                              ", and a mesh may have at most ",
                              Mesh::kMaxVertices, "; split it"));
  }
  // Skips the number of edges, which is not needed and which some writers omit.
  return SkipRestOfLine("number of faces");
}

absl::Status OffReader::ReadVertices() {
  static constexpr std::string_view kNames[] = {"x coordinate of vertex ",
                                                "y coordinate of vertex ",
                                                "z coordinate of vertex "};
  vertices_.reserve(static_cast<size_t>(vertex_count_));
  for (int64_t i = 0; i < vertex_count_; ++i) {
    Vec3 v;
    for (size_t axis = 0; axis < 3; ++axis) {
      const TextScanner::Outcome outcome = ReadDouble(v[axis]);
      if (outcome != TextScanner::kRead) {
        return NumberError(outcome, absl::StrCat(std::string(kNames[axis]), i,
                                                 " of ", vertex_count_));
      }
    }
    vertices_.push_back(v);
    if (absl::Status s = SkipRestOfLine("vertex"); !s.ok()) return s;
    progress_.At(scan_.offset());
  }
  return absl::OkStatus();
}

absl::Status OffReader::ReadFaces() {
  triangles_.reserve(
      std::min(static_cast<size_t>(face_count_), Mesh::kMaxTriangles));
  for (int64_t i = 0; i < face_count_; ++i) {
    if (absl::Status s = ReadFace(); !s.ok()) return s;
    progress_.At(scan_.offset());
  }
  return absl::OkStatus();
}

absl::Status OffReader::ReadFace() {
  int64_t corner_count = 0;
  TextScanner::Outcome outcome = ReadInteger(corner_count);
  if (outcome != TextScanner::kRead) {
    return NumberError(outcome, "number of corners of a face");
  }
  if (corner_count < 0) {
    return Error(absl::StrCat("the number of corners of a face is ",
                              corner_count, "; correct it"));
  }
  const NotePlace place{"line", scan_.line()};
  corners_.clear();
  for (int64_t k = 0; k < corner_count; ++k) {
    int64_t vertex = 0;
    outcome = ReadInteger(vertex);
    if (outcome != TextScanner::kRead) {
      return NumberError(outcome, absl::StrCat("corner ", k + 1, " of ",
                                               corner_count, " of the face"));
    }
    if (vertex < 0 || vertex >= vertex_count_) {
      return Error(absl::StrCat("a face names vertex ", vertex,
                                ", and there are ", vertex_count_,
                                ", counted from 0; correct the index"));
    }
    corners_.push_back(static_cast<uint32_t>(vertex));
  }
  if (corners_.size() < 3) {
    AddNote(source_, kFewCorners, place);
  } else if (!polygons_.Append(corners_, vertices_, place, triangles_)) {
    return Error(TooManyTriangles());
  }
  return SkipRestOfLine("face");
}

TextScanner::Outcome OffReader::ReadDouble(double& value) {
  return scan_.SkipToContent() ? scan_.ReadDouble(value)
                               : TextScanner::kLineEnd;
}

TextScanner::Outcome OffReader::ReadInteger(int64_t& value) {
  return scan_.SkipToContent() ? scan_.ReadInteger(value)
                               : TextScanner::kLineEnd;
}

absl::Status OffReader::SkipRestOfLine(std::string_view after) {
  while (!scan_.AtLineEnd()) {
    double ignored;
    const TextScanner::Outcome outcome = scan_.ReadDouble(ignored);
    if (outcome == TextScanner::kMalformed) {
      return Error(
          DescribeNumber(scan_, outcome,
                         absl::StrCat("value after the ", std::string(after))));
    }
    if (outcome != TextScanner::kRead) scan_.Word();
  }
  scan_.SkipLine();
  return absl::OkStatus();
}

}  // namespace

bool IsOff(std::string_view bytes) {
  TextScanner scan(bytes, {.comments = true});
  if (!scan.SkipToContent()) return false;
  const std::string_view word = scan.Word();
  if (std::find(std::begin(kKeywords), std::end(kKeywords), word) ==
      std::end(kKeywords)) {
    return false;
  }
  TextScanner binary = scan;
  if (!binary.AtLineEnd() && binary.Word() == "BINARY") return true;
  for (int i = 0; i < 3; ++i) {
    int64_t count = 0;
    if (!scan.SkipToContent() ||
        scan.ReadInteger(count) != TextScanner::kRead) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<Mesh> ReadOff(const MeshSource& source) {
  return OffReader(source).Read();
}

}  // namespace orbox::mesh_internal
