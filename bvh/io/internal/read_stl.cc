// SPDX-License-Identifier: Apache-2.0

// STL, ASCII and binary (StereoLithography Interface Specification, 3D Systems,
// 1988). The two are distinguished by the size of the file. Its first word is
// not reliable, because binary headers may start with "solid".
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox::mesh_internal {
namespace {

// Layout of a binary file: 80 arbitrary bytes, the number of facets, and the
// facets. A facet has a normal and three corners, of three floats each, and two
// arbitrary bytes.
constexpr size_t kCountOffset = 80;
constexpr size_t kCornersOffset = 12;

uint64_t BinarySize(std::string_view bytes) {
  return kStlHeaderBytes +
         uint64_t{kStlFacetBytes} *
             LoadLittle<uint32_t>(bytes.data() + kCountOffset);
}

// Returns a corner of a facet. Replaces -0 by 0.
Vec3 CornerAt(const char* facet, size_t corner) {
  const char* p = facet + kCornersOffset + 12 * corner;
  return Vec3{std::bit_cast<float>(LoadLittle<uint32_t>(p)),
              std::bit_cast<float>(LoadLittle<uint32_t>(p + 4)),
              std::bit_cast<float>(LoadLittle<uint32_t>(p + 8))} +
         Vec3{};
}

// Returns true if the header and the count consist of printable characters and
// line ends. This is false for counts below a hundred million facets.
bool IsText(std::string_view bytes) {
  const std::string_view header = bytes.substr(0, kStlHeaderBytes);
  return std::all_of(header.begin(), header.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r';
  });
}

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Compares two words, ignoring case. Requires `lower` in lower case.
bool SameWord(std::string_view word, std::string_view lower) {
  return word == lower ||
         std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return Lower(a) == b; });
}

// Returns a mesh. Three consecutive corners are a triangle.
absl::StatusOr<Mesh> MeshOfCorners(const MeshSource& source,
                                   const std::vector<Vec3>& corners) {
  if (corners.empty()) {
    return ErrorInFile(source, "an STL file without facets; add some");
  }
  const Welded welded = Weld(corners);
  std::vector<Vec3> vertices;
  vertices.reserve(welded.first.size());
  for (const uint32_t first : welded.first) vertices.push_back(corners[first]);
  std::vector<TriangleIndices> triangles;
  triangles.reserve(corners.size() / 3);
  for (size_t i = 0; i < corners.size(); i += 3) {
    triangles.push_back({welded.id[i], welded.id[i + 1], welded.id[i + 2]});
  }
  return CreateMesh(source, std::move(vertices), std::move(triangles));
}

class AsciiStlReader {
 public:
  AsciiStlReader(const MeshSource& source, BodyMarks* marks)
      : source_(source), scan_(source.bytes, {}), marks_(marks) {}

  absl::StatusOr<Mesh> Read();

 private:
  absl::Status ReadFacet();  // after the word "facet"
  absl::Status ReadCorner();
  // Returns the next word, on this line or a later one. Empty at the end of the
  // file.
  std::string_view NextWord();
  absl::Status Expect(std::string_view keyword);
  // Returns true if `word`, which is no keyword, follows an end on its line.
  bool IsTail(std::string_view word, size_t line_of_end) const {
    return !word.empty() && scan_.line() == line_of_end;
  }
  // Skips the rest of the line. Returns an error about `word` if the rest has
  // keywords.
  absl::Status SkipTail(std::string_view word, std::string_view wanted);
  // Returns true if `word` is the keyword, such as "endfacet", or if `word` and
  // the next one together are it, such as "end facet". Skips the next one in
  // that case.
  bool IsEnd(std::string_view word, std::string_view keyword);
  absl::Status WrongWord(std::string_view word, std::string_view wanted) const;
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, scan_.line(), what);
  }

  const MeshSource& source_;
  TextScanner scan_;
  BodyMarks* const marks_;  // null if marks are not needed
  std::vector<Vec3> corners_;
};

absl::StatusOr<Mesh> AsciiStlReader::Read() {
  ReadProgress progress(source_);
  if (absl::Status s = Expect("solid"); !s.ok()) return s;
  while (true) {
    const size_t first_line = scan_.line();
    if (marks_ != nullptr) {
      marks_->list.push_back(
          {scan_.RestOfLine(), static_cast<uint32_t>(corners_.size() / 3)});
    }
    scan_.SkipLine();
    bool begins_next = false;
    size_t line_of_end = 0;  // of the last facet
    while (true) {
      const std::string_view word = NextWord();
      if (IsEnd(word, "endsolid")) break;
      begins_next = SameWord(word, "solid");
      if (begins_next || (word.empty() && !corners_.empty())) {
        AddNote(source_, "solids without their 'endsolid'",
                {"line", first_line});
        break;
      }
      if (!SameWord(word, "facet")) {
        if (!IsTail(word, line_of_end)) {
          return WrongWord(word, "facet or endsolid");
        }
        absl::Status s = SkipTail(word, "facet or endsolid");
        if (!s.ok()) return s;
        continue;
      }
      if (absl::Status s = ReadFacet(); !s.ok()) return s;
      line_of_end = scan_.line();
      progress.At(scan_.offset());
    }
    if (begins_next) continue;
    scan_.SkipLine();
    if (!scan_.SkipToContent()) break;
    if (absl::Status s = Expect("solid"); !s.ok()) return s;
  }
  return MeshOfCorners(source_, corners_);
}

absl::Status AsciiStlReader::ReadFacet() {
  if (corners_.size() / 3 == Mesh::kMaxTriangles) {
    return Error(TooManyTriangles());
  }
  if (absl::Status s = Expect("normal"); !s.ok()) return s;
  // Normals are skipped, because many writers write NaN for degenerate facets.
  for (int i = 0; i < 3; ++i) {
    if (NextWord().empty()) return WrongWord({}, "a normal");
  }
  if (absl::Status s = Expect("outer"); !s.ok()) return s;
  if (absl::Status s = Expect("loop"); !s.ok()) return s;
  for (int i = 0; i < 3; ++i) {
    if (absl::Status s = ReadCorner(); !s.ok()) return s;
  }
  if (absl::Status s = Expect("endloop"); !s.ok()) return s;
  const size_t line = scan_.line();
  std::string_view word = NextWord();
  bool is_end = IsEnd(word, "endfacet");
  if (!is_end && IsTail(word, line)) {
    if (absl::Status s = SkipTail(word, "endfacet"); !s.ok()) return s;
    word = NextWord();
    is_end = IsEnd(word, "endfacet");
  }
  return is_end ? absl::OkStatus() : WrongWord(word, "endfacet");
}

absl::Status AsciiStlReader::SkipTail(std::string_view word,
                                      std::string_view wanted) {
  TextScanner ahead = scan_;
  while (!ahead.AtLineEnd()) {
    const std::string_view next = ahead.Word();
    for (const std::string_view keyword : {"facet", "vertex", "endsolid"}) {
      if (SameWord(next, keyword)) return WrongWord(word, wanted);
    }
  }
  AddNote(source_, "words after 'endloop' and 'endfacet', skipped",
          {"line", scan_.line()});
  scan_ = ahead;
  return absl::OkStatus();
}

absl::Status AsciiStlReader::ReadCorner() {
  static constexpr std::string_view kNames[] = {"x coordinate", "y coordinate",
                                                "z coordinate"};
  if (absl::Status s = Expect("vertex"); !s.ok()) return s;
  Vec3 corner;
  for (size_t axis = 0; axis < 3; ++axis) {
    const TextScanner::Outcome outcome = scan_.ReadDouble(corner[axis]);
    if (outcome != TextScanner::kRead) {
      return Error(DescribeNumber(scan_, outcome, kNames[axis]));
    }
  }
  corners_.push_back(corner + Vec3{});  // replaces -0 by 0
  return absl::OkStatus();
}

std::string_view AsciiStlReader::NextWord() {
  return scan_.SkipToContent() ? scan_.Word() : std::string_view();
}

absl::Status AsciiStlReader::Expect(std::string_view keyword) {
  const std::string_view word = NextWord();
  if (SameWord(word, keyword) || IsEnd(word, keyword)) {
    return absl::OkStatus();
  }
  return WrongWord(word, keyword);
}

bool AsciiStlReader::IsEnd(std::string_view word, std::string_view keyword) {
  if (SameWord(word, keyword)) return true;
  constexpr std::string_view kEnd = "end";
  if (!SameWord(word, kEnd) || !keyword.starts_with(kEnd)) return false;
  const TextScanner before = scan_;
  if (SameWord(NextWord(), keyword.substr(kEnd.size()))) {
    AddNote(source_, "'end' and its keyword as two words",
            {"line", scan_.line()});
    return true;
  }
  scan_ = before;
  return false;
}

absl::Status AsciiStlReader::WrongWord(std::string_view word,
                                       std::string_view wanted) const {
  if (word.empty()) {
    return Error(absl::StrCat("the file ends where ", std::string(wanted),
                              " should follow; is it cut short?"));
  }
  if (SameWord(word, "vertex")) {
    return Error("a facet with more than 3 corners; split it into triangles");
  }
  if (SameWord(word, "endloop")) {
    return Error("a facet with fewer than 3 corners; complete or remove it");
  }
  return Error(absl::StrCat(Quoted(word), " stands where ", std::string(wanted),
                            " should; correct it"));
}

// Calls begin(count) with the number of facets, then visit(corner) with each
// corner in order.
template <typename Begin, typename Visit>
absl::Status ForEachCorner(const MeshSource& source, Begin begin, Visit visit) {
  const std::string_view bytes = source.bytes;
  if (bytes.size() < kStlHeaderBytes) {
    return ErrorAtByte(
        source, bytes.size(),
        absl::StrCat("the file ends within the ", kStlHeaderBytes,
                     " bytes of a binary STL header; is it cut short? (ASCII "
                     "STL begins with 'solid')"));
  }
  const uint32_t count = LoadLittle<uint32_t>(bytes.data() + kCountOffset);
  if (bytes.size() != BinarySize(bytes) && IsText(bytes)) {
    return ErrorInFile(source,
                       "is text, and not ASCII STL, which begins with 'solid'; "
                       "name it by its format");
  }
  // If there are no facets, trailing bytes are an error, because all data would
  // be skipped.
  if (bytes.size() < BinarySize(bytes) ||
      (count == 0 && bytes.size() > BinarySize(bytes))) {
    return ErrorAtByte(
        source, kCountOffset,
        absl::StrCat("the header claims ", count, " facets, which take ",
                     BinarySize(bytes), " bytes, and the file has ",
                     bytes.size(),
                     bytes.size() < BinarySize(bytes)
                         ? "; is it cut short?"
                         : "; remove what follows, or correct the count"));
  }
  if (bytes.size() > BinarySize(bytes)) {
    AddNote(source, "bytes after the last facet, skipped",
            {"byte", BinarySize(bytes)}, bytes.size() - BinarySize(bytes));
  }
  if (absl::Status s = begin(count); !s.ok()) return s;
  ReadProgress progress(source);
  for (size_t i = 0; i < count; ++i) {
    for (size_t corner = 0; corner < 3; ++corner) {
      const size_t facet = kStlHeaderBytes + i * kStlFacetBytes;
      const Vec3 v = CornerAt(bytes.data() + facet, corner);
      if (!IsFinite(v)) {
        return ErrorAtByte(source, facet + kCornersOffset + 12 * corner,
                           absl::StrCat("corner ", corner, " of facet ", i,
                                        " is not finite (NaN or infinity); "
                                        "repair or remove the facet"));
      }
      if (absl::Status s = visit(v); !s.ok()) return s;
    }
    progress.At(kStlHeaderBytes + i * kStlFacetBytes);
  }
  return absl::OkStatus();
}

absl::StatusOr<Mesh> ReadBinaryStl(const MeshSource& source) {
  std::vector<Vec3> corners;
  const absl::Status status = ForEachCorner(
      source,
      [&](uint32_t count) {
        if (count > Mesh::kMaxTriangles) {
          return ErrorAtByte(source, kCountOffset, TooManyTriangles());
        }
        corners.reserve(size_t{3} * count);
        return absl::OkStatus();
      },
      [&](const Vec3& corner) {
        corners.push_back(corner);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return MeshOfCorners(source, corners);
}

}  // namespace

std::optional<uint64_t> FacetsOfBinaryStl(std::string_view bytes,
                                          uint64_t size) {
  if (bytes.size() < kStlHeaderBytes || size != BinarySize(bytes)) return {};
  return (size - kStlHeaderBytes) / kStlFacetBytes;
}

bool LoadStlFacets(std::string_view facets, std::vector<Triangle>* triangles) {
  for (size_t at = 0; at < facets.size(); at += kStlFacetBytes) {
    const char* facet = facets.data() + at;
    const Triangle t = {CornerAt(facet, 0), CornerAt(facet, 1),
                        CornerAt(facet, 2)};
    if (!IsFinite(t.a) || !IsFinite(t.b) || !IsFinite(t.c)) return false;
    triangles->push_back(t);
  }
  return true;
}

bool IsAsciiStl(std::string_view bytes) {
  if (bytes.size() >= kStlHeaderBytes && bytes.size() == BinarySize(bytes)) {
    return false;
  }
  TextScanner scan(bytes, {});
  if (!scan.SkipToContent() || !SameWord(scan.Word(), "solid")) return false;
  // The count in a binary file has zero bytes, even if its header is text.
  return bytes.substr(0, kStlHeaderBytes).find('\0') == std::string_view::npos;
}

bool IsStl(std::string_view bytes) {
  if (bytes.size() > kStlHeaderBytes && bytes.size() == BinarySize(bytes)) {
    return true;
  }
  if (!IsAsciiStl(bytes)) return false;
  TextScanner scan(bytes, {});
  if (!scan.SkipToContent()) return false;
  scan.SkipLine();  // "solid" and its name
  if (!scan.SkipToContent()) return false;
  const std::string_view word = scan.Word();
  return SameWord(word, "facet") || SameWord(word, "endsolid");
}

absl::StatusOr<Mesh> ReadStl(const MeshSource& source, BodyMarks* marks) {
  return IsAsciiStl(source.bytes) ? AsciiStlReader(source, marks).Read()
                                  : ReadBinaryStl(source);
}

absl::Status StreamBinaryStl(const MeshSource& source,
                             TriangleConsumer consume) {
  std::vector<Vec3> corners;
  std::vector<Triangle> triangles;
  const auto flush = [&] {
    triangles.clear();
    for (size_t i = 0; i < corners.size(); i += 3) {
      triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
    }
    corners.clear();
    return triangles.empty() ? absl::OkStatus() : consume(triangles);
  };
  const absl::Status status = ForEachCorner(
      source, [](uint32_t) { return absl::OkStatus(); },
      [&](const Vec3& corner) {
        corners.push_back(corner);
        return corners.size() == 3 * kStreamedTriangles ? flush()
                                                        : absl::OkStatus();
      });
  if (!status.ok()) return status;
  return flush();
}

}  // namespace orbox::mesh_internal
