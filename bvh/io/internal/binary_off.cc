// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/binary_off.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/polygon.h"

namespace orbox::mesh_internal {
namespace {

constexpr size_t kNumberBytes = 4;

class BinaryOffReader {
 public:
  BinaryOffReader(const MeshSource& source, const BinaryOff& file)
      : source_(source),
        numbers_(file.numbers),
        offset_(std::min(file.offset, source.bytes.size())) {}

  absl::StatusOr<Mesh> Read();

 private:
  size_t NumbersLeft() const {
    return (source_.bytes.size() - offset_) / kNumberBytes;
  }
  // Returns the next number. Requires that its bytes exist.
  uint32_t Next() {
    const auto little = LoadLittle<uint32_t>(source_.bytes.data() + offset_);
    offset_ += kNumberBytes;
    return little >> 24 | (little >> 8 & 0xff00) | (little << 8 & 0xff0000) |
           little << 24;
  }
  // Returns a count of items. Fails if the file is too short for this many
  // items of at least `least` numbers each.
  absl::StatusOr<uint32_t> NextCount(const std::string& what, size_t least);
  absl::Status ReadVertices(uint32_t count);
  absl::Status ReadFace();
  absl::Status Error(const std::string& what) const {
    return ErrorAtByte(source_, offset_, what);
  }

  const MeshSource& source_;
  const size_t numbers_;
  size_t offset_;
  ReadProgress progress_{source_};
  std::vector<Vec3> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<uint32_t> corners_;  // of the face being read
  Polygons polygons_{source_};
};

absl::StatusOr<uint32_t> BinaryOffReader::NextCount(const std::string& what,
                                                    size_t least) {
  if (NumbersLeft() == 0) {
    return Error(
        absl::StrCat("the file ends before the ", what, "; is it cut short?"));
  }
  const uint32_t count = Next();
  if (count > NumbersLeft() / least) {
    return Error(absl::StrCat("the ", what, " is ", count, ", and only ",
                              NumbersLeft(),
                              " numbers follow; is the file cut short?"));
  }
  return count;
}

absl::Status BinaryOffReader::ReadVertices(uint32_t count) {
  vertices_.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const size_t start = offset_;
    Vec3 v;
    for (size_t axis = 0; axis < 3; ++axis) {
      v[axis] = std::bit_cast<float>(Next());
    }
    offset_ += (numbers_ - 3) * kNumberBytes;
    if (!IsFinite(v) && !source_.options.skip_invalid) {
      return ErrorAtByte(source_, start,
                         absl::StrCat("vertex ", i,
                                      " has a coordinate that is not finite "
                                      "(NaN or infinity); repair or remove "
                                      "it"));
    }
    vertices_.push_back(v);
    progress_.At(offset_);
  }
  return absl::OkStatus();
}

absl::Status BinaryOffReader::ReadFace() {
  const NotePlace place{"byte", offset_};
  const absl::StatusOr<uint32_t> count =
      NextCount("number of corners of a face", 1);
  if (!count.ok()) return count.status();
  corners_.clear();
  for (uint32_t k = 0; k < *count; ++k) {
    const uint32_t vertex = Next();
    if (vertex >= vertices_.size()) {
      return Error(absl::StrCat("a face names vertex ", vertex,
                                ", and there are ", vertices_.size(),
                                ", counted from 0; is the file damaged?"));
    }
    corners_.push_back(vertex);
  }
  if (corners_.size() < 3) {
    AddNote(source_, kFewCorners, place);
  } else if (!polygons_.Append(corners_, vertices_, place, triangles_)) {
    return Error(TooManyTriangles());
  }
  const absl::StatusOr<uint32_t> colors =
      NextCount("number of color components", 1);
  if (!colors.ok()) return colors.status();
  offset_ += *colors * kNumberBytes;
  return absl::OkStatus();
}

absl::StatusOr<Mesh> BinaryOffReader::Read() {
  const absl::StatusOr<uint32_t> vertices =
      NextCount("number of vertices", numbers_);
  if (!vertices.ok()) return vertices.status();
  // A face takes at least two numbers: the counts of its corners and of its
  // colours.
  const absl::StatusOr<uint32_t> faces = NextCount("number of faces", 2);
  if (!faces.ok()) return faces.status();
  // Skips the number of edges, which may be wrong.
  if (NumbersLeft() > 0) Next();
  if (*vertices > NumbersLeft() / numbers_) {
    return Error(absl::StrCat("the number of vertices is ", *vertices,
                              ", and only ", NumbersLeft(),
                              " numbers follow; is the file cut short?"));
  }
  if (absl::Status s = ReadVertices(*vertices); !s.ok()) return s;
  for (uint32_t i = 0; i < *faces; ++i) {
    if (absl::Status s = ReadFace(); !s.ok()) return s;
    progress_.At(offset_);
  }
  if (triangles_.empty()) {
    return ErrorInFile(source_, "an OFF file without faces; add some");
  }
  return CreateMesh(source_, std::move(vertices_), std::move(triangles_));
}

}  // namespace

absl::StatusOr<Mesh> ReadBinaryOff(const MeshSource& source,
                                   const BinaryOff& file) {
  return BinaryOffReader(source, file).Read();
}

}  // namespace orbox::mesh_internal
