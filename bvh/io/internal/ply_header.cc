// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/ply_header.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

struct TypeName {
  std::string_view name;
  PlyType type;
};

// The type names of 1994, and the later ones that contain the size.
constexpr TypeName kTypeNames[] = {
    {"char", PlyType::kInt8},      {"int8", PlyType::kInt8},
    {"uchar", PlyType::kUint8},    {"uint8", PlyType::kUint8},
    {"short", PlyType::kInt16},    {"int16", PlyType::kInt16},
    {"ushort", PlyType::kUint16},  {"uint16", PlyType::kUint16},
    {"int", PlyType::kInt32},      {"int32", PlyType::kInt32},
    {"uint", PlyType::kUint32},    {"uint32", PlyType::kUint32},
    {"float", PlyType::kFloat32},  {"float32", PlyType::kFloat32},
    {"double", PlyType::kFloat64}, {"float64", PlyType::kFloat64}};

bool IsInteger(PlyType type) {
  return type != PlyType::kFloat32 && type != PlyType::kFloat64;
}

struct CountingLess {
  bool operator()(std::string_view a, std::string_view b) const {
    ++*count;
    return a < b;
  }
  size_t* count;
};

class PlyHeaderReader {
 public:
  PlyHeaderReader(const MeshSource& source, bool needs_faces)
      : source_(source), needs_faces_(needs_faces), scan_(source.bytes, {}) {}

  absl::StatusOr<PlyHeader> Read();

 private:
  absl::Status ReadFormat();
  absl::Status ReadElement();
  absl::Status ReadProperty();
  absl::StatusOr<PlyType> ReadType();
  absl::Status ExpectLineEnd();
  absl::Status AssignRoles();
  absl::Status AssignPosition(PlyElement& element);
  absl::Status AssignIndices(PlyElement& element);
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, scan_.line(), what);
  }

  const MeshSource& source_;
  const bool needs_faces_;
  TextScanner scan_;
  bool has_format_ = false;
  PlyHeader header_;
  // Names of the last element's properties. A set, because a hostile file may
  // have a hundred thousand of them. A hash table is not used, because hostile
  // names could be chosen to collide.
  std::set<std::string_view, CountingLess> names_{
      CountingLess{&header_.name_comparisons}};
};

absl::StatusOr<PlyHeader> PlyHeaderReader::Read() {
  if (scan_.Word() != "ply") {
    return Error("the first line is not 'ply'; is this a PLY file?");
  }
  scan_.SkipLine();
  while (true) {
    if (!scan_.SkipToContent()) {
      return Error("the header has no 'end_header'; is the file cut short?");
    }
    const std::string_view word = scan_.Word();
    if (word == "end_header") break;
    absl::Status status;
    if (word == "format") {
      status = ReadFormat();
    } else if (word == "element") {
      status = ReadElement();
    } else if (word == "property") {
      status = ReadProperty();
    } else if (word != "comment" && word != "obj_info" &&
               header_.elements.empty()) {
      // Old versions of Blender wrote comments without the word "comment".
      AddNote(source_, "unknown lines of the header, skipped",
              {"line", scan_.line()});
    } else if (word != "comment" && word != "obj_info") {
      status = Error(absl::StrCat(Quoted(word),
                                  " begins no line of a PLY header; remove or "
                                  "correct the line"));
    }
    if (!status.ok()) return status;
    scan_.SkipLine();
  }
  if (absl::Status s = ExpectLineEnd(); !s.ok()) return s;
  if (!has_format_) return Error("the header has no 'format' line; add one");
  scan_.SkipLine();
  header_.body_offset = scan_.offset();
  header_.body_line = scan_.line();
  if (absl::Status s = AssignRoles(); !s.ok()) return s;
  return std::move(header_);
}

absl::Status PlyHeaderReader::ReadFormat() {
  if (has_format_) return Error("a second 'format' line; remove one");
  has_format_ = true;
  const std::string_view format = scan_.Word();
  if (format == "ascii") {
    header_.format = PlyFormat::kAscii;
  } else if (format == "binary_little_endian") {
    header_.format = PlyFormat::kBinaryLittleEndian;
  } else if (format == "binary_big_endian") {
    header_.format = PlyFormat::kBinaryBigEndian;
  } else {
    return Error(absl::StrCat("the format ", Quoted(format),
                              " is not known; it is ascii, "
                              "binary_little_endian or binary_big_endian"));
  }
  const std::string_view version = scan_.Word();
  if (version != "1.0") {
    return Error(absl::StrCat("the version of the format is ", Quoted(version),
                              "; only 1.0 is known"));
  }
  return ExpectLineEnd();
}

absl::Status PlyHeaderReader::ReadElement() {
  PlyElement element;
  element.name = std::string(scan_.Word());
  element.line = scan_.line();
  if (element.name.empty()) {
    return Error("an element without name; write 'element NAME COUNT'");
  }
  int64_t count = 0;
  const TextScanner::Outcome outcome = scan_.ReadInteger(count);
  if (outcome != TextScanner::kRead) {
    return Error(DescribeNumber(
        scan_, outcome, absl::StrCat("number of ", Quoted(element.name))));
  }
  if (count < 0) {
    return Error(absl::StrCat("the number of ", Quoted(element.name), " is ",
                              count, "; correct it"));
  }
  element.count = static_cast<uint64_t>(count);
  header_.elements.push_back(std::move(element));
  names_.clear();
  return ExpectLineEnd();
}

absl::Status PlyHeaderReader::ReadProperty() {
  if (header_.elements.empty()) {
    return Error("a property before any element; put an 'element' line first");
  }
  PlyProperty property{};
  TextScanner ahead = scan_;
  property.is_list = ahead.Word() == "list";
  if (property.is_list) {
    scan_ = ahead;
    const absl::StatusOr<PlyType> count_type = ReadType();
    if (!count_type.ok()) return count_type.status();
    if (!IsInteger(*count_type)) {
      return Error("the length of a list is no integer type; correct it");
    }
    property.count_type = *count_type;
  }
  const absl::StatusOr<PlyType> type = ReadType();
  if (!type.ok()) return type.status();
  property.type = *type;
  const std::string_view name = scan_.Word();
  property.name = std::string(name);
  if (name.empty()) {
    return Error("a property without name; write 'property TYPE NAME'");
  }
  if (!names_.insert(name).second) {
    return Error(absl::StrCat("a second property ", Quoted(name),
                              " of the same element; remove one"));
  }
  header_.elements.back().properties.push_back(std::move(property));
  return ExpectLineEnd();
}

absl::StatusOr<PlyType> PlyHeaderReader::ReadType() {
  const std::string_view word = scan_.Word();
  for (const TypeName& known : kTypeNames) {
    if (word == known.name) return known.type;
  }
  return Error(absl::StrCat("the type ", Quoted(word),
                            " is not known; it is char, uchar, short, ushort, "
                            "int, uint, float or double"));
}

absl::Status PlyHeaderReader::ExpectLineEnd() {
  if (scan_.AtLineEnd()) return absl::OkStatus();
  return Error(absl::StrCat("the line goes on with ", Quoted(scan_.Word()),
                            ", which is one word too many; remove it"));
}

absl::Status PlyHeaderReader::AssignRoles() {
  bool has_vertices = false;
  bool has_faces = false;
  for (PlyElement& element : header_.elements) {
    absl::Status status;
    if (element.name == "vertex") {
      if (has_vertices) {
        return ErrorAtLine(source_, element.line,
                           "a second element 'vertex'; remove one");
      }
      has_vertices = true;
      status = AssignPosition(element);
    } else if (element.name == "face" || element.name == "tristrips") {
      has_faces = true;
      element.role = element.name == "face" ? PlyElement::Role::kPolygons
                                            : PlyElement::Role::kStrips;
      status = AssignIndices(element);
    }
    if (!status.ok()) return status;
  }
  if (!has_vertices) {
    return ErrorInFile(source_, "no element 'vertex' is declared; add one");
  }
  if (needs_faces_ && !has_faces) {
    return ErrorInFile(source_,
                       "neither 'face' nor 'tristrips' is declared; a mesh "
                       "needs triangles");
  }
  return absl::OkStatus();
}

absl::Status PlyHeaderReader::AssignPosition(PlyElement& element) {
  element.role = PlyElement::Role::kVertices;
  static constexpr std::string_view kNames[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto found =
        std::find_if(element.properties.begin(), element.properties.end(),
                     [&](const PlyProperty& p) {
                       return p.name == kNames[axis] && !p.is_list;
                     });
    if (found == element.properties.end()) {
      return ErrorAtLine(
          source_, element.line,
          absl::StrCat("the vertices have no number ", Quoted(kNames[axis]),
                       "; declare x, y and z"));
    }
    element.position[axis] =
        static_cast<size_t>(found - element.properties.begin());
  }
  if (element.count > Mesh::kMaxVertices) {
    return ErrorAtLine(source_, element.line,
                       absl::StrCat("the number of vertices is ", element.count,
                                    ", and a mesh may have at most ",
                                    Mesh::kMaxVertices, "; correct or split"));
  }
  header_.vertex_count = element.count;
  return absl::OkStatus();
}

absl::Status PlyHeaderReader::AssignIndices(PlyElement& element) {
  const auto found =
      std::find_if(element.properties.begin(), element.properties.end(),
                   [](const PlyProperty& p) {
                     return p.is_list && (p.name == "vertex_indices" ||
                                          p.name == "vertex_index");
                   });
  if (found == element.properties.end()) {
    return ErrorAtLine(source_, element.line,
                       absl::StrCat("the element ", Quoted(element.name),
                                    " has no list 'vertex_indices'; add it"));
  }
  if (!IsInteger(found->type)) {
    return ErrorAtLine(source_, element.line,
                       absl::StrCat("the list ", Quoted(found->name),
                                    " is of no integer type; correct it"));
  }
  element.indices = static_cast<size_t>(found - element.properties.begin());
  return absl::OkStatus();
}

}  // namespace

size_t SizeOf(PlyType type) {
  switch (type) {
    case PlyType::kInt8:
    case PlyType::kUint8:
      return 1;
    case PlyType::kInt16:
    case PlyType::kUint16:
      return 2;
    case PlyType::kInt32:
    case PlyType::kUint32:
    case PlyType::kFloat32:
      return 4;
    case PlyType::kFloat64:
      break;
  }
  return 8;
}

size_t PlyElement::LeastBytes() const {
  size_t bytes = 0;
  for (const PlyProperty& p : properties) {
    bytes += SizeOf(p.is_list ? p.count_type : p.type);
  }
  return bytes;
}

bool PlyElement::HasList() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& p) { return p.is_list; });
}

absl::StatusOr<PlyHeader> ReadPlyHeader(const MeshSource& source,
                                        bool needs_faces) {
  return PlyHeaderReader(source, needs_faces).Read();
}

}  // namespace orbox::mesh_internal
