// PLY, ASCII and binary in either byte order: polygons and triangle strips; all
// other elements and properties are skipped, whatever their types.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/ply_header.h"
#include "orbox/bvh/mesh/internal/source.h"
#include "orbox/bvh/mesh/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

// The mesh in the making, and its rules, which are the same for text and
// binary. What is wrong is returned in words; empty words mean that all is
// well.
struct PlySurface {
  uint64_t vertex_count = 0;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<int64_t> list;      // of the element being read
  std::vector<uint32_t> corners;  // the same, once its indices are checked

  std::string AddList(PlyElement::Role role) {
    return role == PlyElement::Role::kPolygons ? AddPolygon() : AddStrips();
  }
  std::string AddPolygon();
  std::string AddStrips();
  std::string AddStrip();
  std::string AddCorner(int64_t vertex);
};

std::string PlySurface::AddCorner(int64_t vertex) {
  if (vertex < 0 || static_cast<uint64_t>(vertex) >= vertex_count) {
    return absl::StrCat("a face names vertex ", vertex, ", and there are ",
                        vertex_count, ", counted from 0; correct the index");
  }
  corners.push_back(static_cast<uint32_t>(vertex));
  return {};
}

std::string PlySurface::AddPolygon() {
  if (list.size() < 3) {
    return absl::StrCat("a face of ", list.size(),
                        list.size() == 1 ? " corner" : " corners",
                        "; it needs at least 3");
  }
  corners.clear();
  for (const int64_t vertex : list) {
    if (std::string error = AddCorner(vertex); !error.empty()) return error;
  }
  return AppendFan(corners, triangles) ? std::string() : TooManyTriangles();
}

// Strips follow one another in a list, separated by -1.
std::string PlySurface::AddStrips() {
  corners.clear();
  for (const int64_t vertex : list) {
    std::string error = vertex == -1 ? AddStrip() : AddCorner(vertex);
    if (!error.empty()) return error;
  }
  return AddStrip();
}

// Each corner after the second makes a triangle with the two before it; every
// other one is turned, so that all face the same side.
std::string PlySurface::AddStrip() {
  if (corners.size() > 2 &&
      corners.size() - 2 > Mesh::kMaxTriangles - triangles.size()) {
    return TooManyTriangles();
  }
  for (size_t k = 2; k < corners.size(); ++k) {
    const bool turned = k % 2 != 0;
    triangles.push_back({corners[k - (turned ? 1 : 2)],
                         corners[k - (turned ? 2 : 1)], corners[k]});
  }
  corners.clear();
  return {};
}

// Each element stands on a line of its own.
class PlyTextBody {
 public:
  PlyTextBody(const MeshSource& source, const PlyHeader& header,
              PlySurface& surface)
      : source_(source),
        header_(header),
        surface_(surface),
        scan_(source.bytes.substr(header.body_offset), {}),
        progress_(source) {}

  absl::Status Read();

 private:
  absl::Status ReadElement(const PlyElement& element, uint64_t number);
  absl::Status ReadList(const PlyProperty& property, bool keep);
  absl::Status SkipNumber(const PlyProperty& property);
  absl::Status NumberError(TextScanner::Outcome outcome,
                           const PlyProperty& property) const {
    return Error(DescribeNumber(
        scan_, outcome, absl::StrCat("property ", Quoted(property.name))));
  }
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, header_.body_line + scan_.line() - 1, what);
  }

  const MeshSource& source_;
  const PlyHeader& header_;
  PlySurface& surface_;
  TextScanner scan_;
  Progress progress_;
};

absl::Status PlyTextBody::Read() {
  for (const PlyElement& element : header_.elements) {
    // Nothing of such an element can be in the file.
    if (element.properties.empty()) continue;
    if (element.role == PlyElement::Role::kVertices) {
      // A coordinate takes a digit and a blank.
      surface_.vertices.reserve(
          std::min<size_t>(element.count, source_.bytes.size() / 6 + 1));
    }
    for (uint64_t i = 0; i < element.count; ++i) {
      if (absl::Status s = ReadElement(element, i); !s.ok()) return s;
      progress_.At(header_.body_offset + scan_.offset());
    }
  }
  if (!scan_.SkipToContent()) return absl::OkStatus();
  return Error(absl::StrCat("after the last element comes ",
                            Quoted(scan_.Word()),
                            "; remove it, or correct the counts"));
}

absl::Status PlyTextBody::ReadElement(const PlyElement& element,
                                      uint64_t number) {
  if (!scan_.SkipToContent()) {
    return Error(absl::StrCat("the file ends before ", Quoted(element.name),
                              " ", number, " of ", element.count,
                              "; is it cut short, or the count wrong?"));
  }
  Vec3 position;
  for (size_t i = 0; i < element.properties.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    absl::Status status;
    if (property.is_list) {
      const bool is_surface = element.role == PlyElement::Role::kPolygons ||
                              element.role == PlyElement::Role::kStrips;
      status = ReadList(property, is_surface && i == element.indices);
    } else if (const auto axis = std::find(element.position.begin(),
                                           element.position.end(), i);
               element.role == PlyElement::Role::kVertices &&
               axis != element.position.end()) {
      const auto outcome = scan_.ReadDouble(
          position[static_cast<size_t>(axis - element.position.begin())]);
      if (outcome != TextScanner::kRead) return NumberError(outcome, property);
    } else {
      status = SkipNumber(property);
    }
    if (!status.ok()) return status;
  }
  if (!scan_.AtLineEnd()) {
    return Error(absl::StrCat(
        "behind the last property of a ", Quoted(element.name), " comes ",
        Quoted(scan_.Word()), "; remove it, or declare the property"));
  }
  if (element.role == PlyElement::Role::kVertices) {
    surface_.vertices.push_back(position);
  } else if (element.role != PlyElement::Role::kSkip) {
    const std::string error = surface_.AddList(element.role);
    if (!error.empty()) return Error(error);
  }
  scan_.SkipLine();
  return absl::OkStatus();
}

absl::Status PlyTextBody::ReadList(const PlyProperty& property, bool keep) {
  int64_t length = 0;
  TextScanner::Outcome outcome = scan_.ReadInteger(length);
  if (outcome != TextScanner::kRead) return NumberError(outcome, property);
  if (length < 0) {
    return Error(absl::StrCat("the length of the list ", Quoted(property.name),
                              " is ", length, "; correct it"));
  }
  if (keep) surface_.list.clear();
  for (int64_t k = 0; k < length; ++k) {
    if (!keep) {
      if (absl::Status s = SkipNumber(property); !s.ok()) return s;
      continue;
    }
    int64_t value = 0;
    outcome = scan_.ReadInteger(value);
    if (outcome != TextScanner::kRead) return NumberError(outcome, property);
    surface_.list.push_back(value);
  }
  return absl::OkStatus();
}

// What nobody needs may be NaN, but it has to be a number.
absl::Status PlyTextBody::SkipNumber(const PlyProperty& property) {
  double ignored = 0;
  const TextScanner::Outcome outcome = scan_.ReadDouble(ignored);
  if (outcome == TextScanner::kNotFinite) {
    scan_.Word();
  } else if (outcome != TextScanner::kRead) {
    return NumberError(outcome, property);
  }
  return absl::OkStatus();
}

template <typename T>
T Load(const char* p, bool swap) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// The number at p, as To: double, or int64_t for integer types.
template <typename To>
To LoadAs(const char* p, PlyType type, bool swap) {
  switch (type) {
    case PlyType::kInt8:
      return static_cast<To>(Load<int8_t>(p, false));
    case PlyType::kUint8:
      return static_cast<To>(Load<uint8_t>(p, false));
    case PlyType::kInt16:
      return static_cast<To>(Load<int16_t>(p, swap));
    case PlyType::kUint16:
      return static_cast<To>(Load<uint16_t>(p, swap));
    case PlyType::kInt32:
      return static_cast<To>(Load<int32_t>(p, swap));
    case PlyType::kUint32:
      return static_cast<To>(Load<uint32_t>(p, swap));
    case PlyType::kFloat32:
      return static_cast<To>(Load<float>(p, swap));
    case PlyType::kFloat64:
      break;
  }
  return static_cast<To>(Load<double>(p, swap));
}

class PlyBinaryBody {
 public:
  PlyBinaryBody(const MeshSource& source, const PlyHeader& header,
                PlySurface& surface)
      : source_(source),
        header_(header),
        surface_(surface),
        swap_((header.format == PlyFormat::kBinaryLittleEndian) !=
              (std::endian::native == std::endian::little)),
        offset_(header.body_offset),
        progress_(source) {}

  absl::Status Read();

 private:
  size_t BytesLeft() const { return source_.bytes.size() - offset_; }
  const char* Here() const { return source_.bytes.data() + offset_; }
  // Vertices and elements to skip, if they have no list, so that each is as
  // long as the other.
  absl::Status ReadVertices(const PlyElement& element);
  // Any element, property by property.
  absl::Status ReadElement(const PlyElement& element, uint64_t number);
  absl::Status ReadList(const PlyProperty& property, bool keep);
  absl::Status AddVertex(const Vec3& position, size_t offset, uint64_t number);
  absl::Status CutShort(const PlyElement& element, uint64_t number) const;

  const MeshSource& source_;
  const PlyHeader& header_;
  PlySurface& surface_;
  const bool swap_;
  size_t offset_;
  Progress progress_;
};

absl::Status PlyBinaryBody::Read() {
  for (const PlyElement& element : header_.elements) {
    const size_t least = element.LeastBytes();
    // Nothing of such an element can be in the file.
    if (least == 0) continue;
    if (element.count > BytesLeft() / least) {
      return CutShort(element, BytesLeft() / least);
    }
    if (element.role == PlyElement::Role::kVertices) {
      surface_.vertices.reserve(element.count);
    }
    if (element.HasList()) {
      for (uint64_t i = 0; i < element.count; ++i) {
        if (absl::Status s = ReadElement(element, i); !s.ok()) return s;
        progress_.At(offset_);
      }
    } else if (element.role == PlyElement::Role::kVertices) {
      if (absl::Status s = ReadVertices(element); !s.ok()) return s;
    } else {
      offset_ += element.count * least;
    }
  }
  if (BytesLeft() == 0) return absl::OkStatus();
  return ErrorAtByte(source_, offset_,
                     absl::StrCat("after the last element come ", BytesLeft(),
                                  " bytes more; remove them, or correct the "
                                  "counts"));
}

absl::Status PlyBinaryBody::ReadVertices(const PlyElement& element) {
  size_t start[3];
  PlyType type[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    start[axis] = 0;
    for (size_t i = 0; i < element.position[axis]; ++i) {
      start[axis] += SizeOf(element.properties[i].type);
    }
    type[axis] = element.properties[element.position[axis]].type;
  }
  const size_t stride = element.LeastBytes();
  for (uint64_t i = 0; i < element.count; ++i, offset_ += stride) {
    const Vec3 position = {LoadAs<double>(Here() + start[0], type[0], swap_),
                           LoadAs<double>(Here() + start[1], type[1], swap_),
                           LoadAs<double>(Here() + start[2], type[2], swap_)};
    if (absl::Status s = AddVertex(position, offset_, i); !s.ok()) return s;
    progress_.At(offset_);
  }
  return absl::OkStatus();
}

absl::Status PlyBinaryBody::ReadElement(const PlyElement& element,
                                        uint64_t number) {
  const size_t start = offset_;
  Vec3 position;
  for (size_t i = 0; i < element.properties.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    const size_t bytes =
        SizeOf(property.is_list ? property.count_type : property.type);
    if (bytes > BytesLeft()) return CutShort(element, number);
    if (property.is_list) {
      const bool keep = (element.role == PlyElement::Role::kPolygons ||
                         element.role == PlyElement::Role::kStrips) &&
                        i == element.indices;
      if (absl::Status s = ReadList(property, keep); !s.ok()) return s;
      continue;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      if (element.role == PlyElement::Role::kVertices &&
          element.position[axis] == i) {
        position[axis] = LoadAs<double>(Here(), property.type, swap_);
      }
    }
    offset_ += bytes;
  }
  if (element.role == PlyElement::Role::kSkip) return absl::OkStatus();
  if (element.role == PlyElement::Role::kVertices) {
    return AddVertex(position, start, number);
  }
  const std::string error = surface_.AddList(element.role);
  return error.empty() ? absl::OkStatus() : ErrorAtByte(source_, start, error);
}

// Requires that the list's length is within the file.
absl::Status PlyBinaryBody::ReadList(const PlyProperty& property, bool keep) {
  const auto length = LoadAs<int64_t>(Here(), property.count_type, swap_);
  const size_t item = SizeOf(property.type);
  const size_t left = BytesLeft() - SizeOf(property.count_type);
  if (length < 0 || static_cast<uint64_t>(length) > left / item) {
    return ErrorAtByte(
        source_, offset_,
        absl::StrCat("the list ", Quoted(property.name), " has the length ",
                     length, ", and ", left,
                     " bytes are left; is the file cut short or damaged?"));
  }
  offset_ += SizeOf(property.count_type);
  if (keep) {
    surface_.list.clear();
    for (int64_t k = 0; k < length; ++k) {
      surface_.list.push_back(LoadAs<int64_t>(
          Here() + static_cast<size_t>(k) * item, property.type, swap_));
    }
  }
  offset_ += static_cast<size_t>(length) * item;
  return absl::OkStatus();
}

absl::Status PlyBinaryBody::AddVertex(const Vec3& position, size_t offset,
                                      uint64_t number) {
  if (!IsFinite(position)) {
    return ErrorAtByte(
        source_, offset,
        absl::StrCat("vertex ", number, " has a coordinate that is not finite ",
                     "(NaN or infinity); repair or remove it"));
  }
  surface_.vertices.push_back(position);
  return absl::OkStatus();
}

absl::Status PlyBinaryBody::CutShort(const PlyElement& element,
                                     uint64_t number) const {
  return ErrorAtByte(
      source_, source_.bytes.size(),
      absl::StrCat("the file ends before or within ", Quoted(element.name), " ",
                   number, " of ", element.count,
                   "; is it cut short, or the count in line ", element.line,
                   " wrong?"));
}

}  // namespace

absl::StatusOr<Mesh> ReadPly(const MeshSource& source) {
  const absl::StatusOr<PlyHeader> header = ReadPlyHeader(source);
  if (!header.ok()) return header.status();
  PlySurface surface;
  surface.vertex_count = header->vertex_count;
  const absl::Status status =
      header->format == PlyFormat::kAscii
          ? PlyTextBody(source, *header, surface).Read()
          : PlyBinaryBody(source, *header, surface).Read();
  if (!status.ok()) return status;
  if (surface.triangles.empty()) {
    return ErrorInFile(source, "a PLY file without faces; add some");
  }
  return Mesh::Create(std::move(surface.vertices),
                      std::move(surface.triangles));
}

}  // namespace orbox::mesh_internal
