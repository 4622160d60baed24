// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ: reads the statements v and f, and the names of o and g. Other
// statements do not affect the shape of the surface. (Appendix B1, "Object
// files", of the Advanced Visualizer manual.)
#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/polygon.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

class ObjReader {
 public:
  ObjReader(const MeshSource& source, BodyMarks* marks)
      : source_(source),
        scan_(source.bytes, {.comments = true,
                             .continuations = true,
                             .not_finite = source.options.skip_invalid}),
        marks_(marks) {}

  absl::StatusOr<Mesh> Read();

 private:
  // A face that refers to a vertex later in the file. Its indices can only be
  // checked at the end. Kept only if the index is above those of all earlier
  // faces: the first invalid face is among these.
  struct ForwardReference {
    uint32_t vertex;
    size_t line;
  };

  absl::Status ReadVertex();
  absl::Status ReadFace();
  absl::StatusOr<uint32_t> ReadCorner();
  // Skips the indices of texture coordinates and normals after a corner's first
  // index.
  absl::Status SkipCornerDetails();
  absl::Status SkipOther(std::string_view keyword);
  // Skips a first line of one or two whole numbers, which count vertices and
  // faces. Returns false for other lines.
  bool SkipCounts(std::string_view first);
  // Reads the name after the keyword o or g.
  void Mark(BodyMarks& marks);
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, scan_.line(), what);
  }

  const MeshSource& source_;
  TextScanner scan_;
  bool is_first_ = true;   // the current statement
  size_t flat_count_ = 0;  // of vertices without z
  std::vector<Vec3> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<ForwardReference> forward_references_;
  std::vector<uint32_t> corners_;  // of the face being read
  Polygons polygons_{source_};
  BodyMarks* const marks_;  // null if marks are not needed
  BodyMarks objects_;
  BodyMarks groups_{.list = {}, .same_name_is_same_body = true};
};

absl::StatusOr<Mesh> ObjReader::Read() {
  ReadProgress progress(source_);
  while (scan_.SkipToContent()) {
    progress.At(scan_.offset());
    const std::string_view keyword = scan_.Word();
    absl::Status status;
    if (keyword == "v") {
      status = ReadVertex();
    } else if (keyword == "f") {
      status = ReadFace();
    } else if (!is_first_ || !SkipCounts(keyword)) {
      status = SkipOther(keyword);
    }
    if (!status.ok()) return status;
    is_first_ = false;
  }
  for (const ForwardReference& r : forward_references_) {
    if (r.vertex < vertices_.size()) continue;
    return ErrorAtLine(
        source_, r.line,
        absl::StrCat("a face names vertex ", r.vertex + uint64_t{1},
                     ", and the file has ", vertices_.size(),
                     " (counted from 1); correct the index"));
  }
  polygons_.Finish(vertices_, triangles_);
  if (triangles_.empty()) {
    return ErrorInFile(
        source_, absl::StrCat("an OBJ file without faces (with ",
                              vertices_.size(), " vertices); add 'f' lines"));
  }
  if (marks_ != nullptr) {
    *marks_ = std::move(objects_.list.empty() ? groups_ : objects_);
  }
  return CreateMesh(source_, std::move(vertices_), std::move(triangles_));
}

void ObjReader::Mark(BodyMarks& marks) {
  marks.list.push_back(
      {scan_.RestOfLine(), static_cast<uint32_t>(triangles_.size())});
}

absl::Status ObjReader::ReadVertex() {
  static constexpr std::string_view kNames[] = {"x coordinate", "y coordinate",
                                                "z coordinate"};
  Vec3 v;
  for (size_t axis = 0; axis < 3; ++axis) {
    const TextScanner::Outcome outcome = scan_.ReadDouble(v[axis]);
    // The vertices of a plane figure have no z.
    if (outcome == TextScanner::kLineEnd && axis == 2 &&
        flat_count_ == vertices_.size()) {
      ++flat_count_;
      v.z = 0;
      AddNote(source_, "vertices without z, which is read as 0",
              {"line", scan_.line()});
    } else if (outcome != TextScanner::kRead) {
      return Error(DescribeNumber(scan_, outcome, kNames[axis]));
    }
  }
  // A weight (for curves) or a colour may follow.
  while (!scan_.AtLineEnd()) {
    double ignored;
    const TextScanner::Outcome outcome = scan_.ReadDouble(ignored);
    if (outcome == TextScanner::kMalformed) {
      return Error(
          DescribeNumber(scan_, outcome, "value behind the coordinates"));
    }
    if (outcome != TextScanner::kRead) scan_.Word();
  }
  vertices_.push_back(v);
  if (flat_count_ != 0 && flat_count_ < vertices_.size()) {
    return Error("a vertex with z after vertices without; complete those");
  }
  scan_.SkipLine();
  return absl::OkStatus();
}

absl::Status ObjReader::ReadFace() {
  corners_.clear();
  while (!scan_.AtLineEnd()) {
    const absl::StatusOr<uint32_t> corner = ReadCorner();
    if (!corner.ok()) return corner.status();
    corners_.push_back(*corner);
  }
  if (corners_.size() < 3) {
    AddNote(source_, kFewCorners, {"line", scan_.line()});
  } else if (!polygons_.Append(corners_, vertices_, {"line", scan_.line()},
                               triangles_)) {
    return Error(TooManyTriangles());
  }
  scan_.SkipLine();
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> ObjReader::ReadCorner() {
  int64_t written = 0;
  const TextScanner::Outcome outcome = scan_.ReadIntegerPrefix(written);
  if (outcome != TextScanner::kRead) {
    return Error(DescribeNumber(scan_, outcome, "corner of the face"));
  }
  const auto count = static_cast<int64_t>(vertices_.size());
  const int64_t vertex = written > 0 ? written - 1 : count + written;
  if (written == 0) {
    return Error("a face names vertex 0, and OBJ counts from 1; correct it");
  }
  if (vertex < 0) {
    return Error(absl::StrCat("a face names vertex ", written, ", and only ",
                              count, " come before it; correct the index"));
  }
  if (vertex >= static_cast<int64_t>(Mesh::kMaxVertices)) {
    return Error(absl::StrCat("a face names vertex ", written,
                              ", and a mesh may have at most ",
                              Mesh::kMaxVertices, "; correct the index"));
  }
  if (vertex >= count && (forward_references_.empty() ||
                          vertex > forward_references_.back().vertex)) {
    forward_references_.push_back(
        {static_cast<uint32_t>(vertex), scan_.line()});
  }
  if (absl::Status status = SkipCornerDetails(); !status.ok()) return status;
  return static_cast<uint32_t>(vertex);
}

absl::Status ObjReader::SkipCornerDetails() {
  for (int k = 0; k < 2 && scan_.Peek() == '/'; ++k) {
    scan_.Advance();
    if (scan_.Peek() == '/' || scan_.AtBoundary()) continue;
    int64_t ignored = 0;
    if (scan_.ReadIntegerPrefix(ignored) != TextScanner::kRead) break;
  }
  if (scan_.AtBoundary()) return absl::OkStatus();
  return Error(absl::StrCat("a corner of the face goes on with ",
                            Quoted(scan_.Word()),
                            "; write v, v/vt, v//vn or v/vt/vn"));
}

bool ObjReader::SkipCounts(std::string_view first) {
  const auto is_count = [](std::string_view word) {
    return std::all_of(word.begin(), word.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  TextScanner ahead = scan_;
  if (!is_count(first)) return false;
  if (!ahead.AtLineEnd() && !is_count(ahead.Word())) return false;
  if (!ahead.AtLineEnd()) return false;
  AddNote(source_, "counts in front of the first statement, skipped",
          {"line", scan_.line()});
  scan_.SkipLine();
  return true;
}

absl::Status ObjReader::SkipOther(std::string_view keyword) {
  if (std::isalpha(static_cast<unsigned char>(keyword.front())) == 0) {
    return Error(absl::StrCat("a line begins with ", Quoted(keyword),
                              ", which is no OBJ statement; is this OBJ?"));
  }
  // These names may end in a backslash that does not continue the line, as in
  // C:\models\.
  const bool is_name = keyword == "mtllib" || keyword == "usemtl" ||
                       keyword == "g" || keyword == "o";
  if (marks_ != nullptr && keyword == "o") Mark(objects_);
  if (marks_ != nullptr && keyword == "g") Mark(groups_);
  scan_.SkipLine(is_name ? TextScanner::Continuations::kIgnore
                         : TextScanner::Continuations::kFollow);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Mesh> ReadObj(const MeshSource& source, BodyMarks* marks) {
  return ObjReader(source, marks).Read();
}

}  // namespace orbox::mesh_internal
