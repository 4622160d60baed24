// SPDX-License-Identifier: Apache-2.0

// The data of a binary PLY file, in either byte order.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/ply_body.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox::mesh_internal {
namespace {

template <typename T>
T Load(const char* p, bool swap) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// Returns the number at p as To: double, or int64_t for integer types.
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

// Offsets of the coordinates in a vertex without lists.
class VertexLayout {
 public:
  VertexLayout(const PlyElement& element, bool swap)
      : stride_(element.LeastBytes()), swap_(swap) {
    for (size_t axis = 0; axis < 3; ++axis) {
      for (size_t i = 0; i < element.position[axis]; ++i) {
        start_[axis] += SizeOf(element.properties[i].type);
      }
      type_[axis] = element.properties[element.position[axis]].type;
    }
  }

  size_t stride() const { return stride_; }
  Vec3 PositionAt(const char* vertex) const {
    return TinyAsZero(
        Vec3{LoadAs<double>(vertex + start_[0], type_[0], swap_),
             LoadAs<double>(vertex + start_[1], type_[1], swap_),
             LoadAs<double>(vertex + start_[2], type_[2], swap_)});
  }

 private:
  size_t start_[3] = {};
  PlyType type_[3] = {};
  size_t stride_;
  bool swap_;
};

bool IsSwapped(const PlyHeader& header) {
  return (header.format == PlyFormat::kBinaryLittleEndian) !=
         (std::endian::native == std::endian::little);
}

// Returns true if the list just read is a triangle or a strip, which needs no
// vertices to be cut.
bool IsRegular(const PlyElement& faces, const PlySurface& surface) {
  return faces.role == PlyElement::Role::kStrips || surface.list.size() == 3;
}

class PlyBinaryBody {
 public:
  // Starts at `offset`.
  PlyBinaryBody(const MeshSource& source, const PlyHeader& header,
                size_t offset, PlySurface& surface)
      : source_(source),
        header_(header),
        surface_(surface),
        swap_(IsSwapped(header)),
        offset_(offset),
        progress_(source) {}

  // Reads all elements.
  absl::Status Read();
  // Reads the next element, property by property.
  absl::Status ReadElement(const PlyElement& element, uint64_t number);
  size_t offset() const { return offset_; }

 private:
  bool is_streamed() const { return surface_.read_triangles != nullptr; }
  size_t BytesLeft() const { return source_.bytes.size() - offset_; }
  const char* Here() const { return source_.bytes.data() + offset_; }
  // Reads vertices or skipped elements without lists, which all have one
  // length.
  absl::Status ReadVertices(const PlyElement& element);
  absl::Status ReadList(const PlyProperty& property, bool keep);
  absl::Status AddVertex(const Vec3& position, size_t offset, uint64_t number);
  absl::Status CutShort(const PlyElement& element, uint64_t number) const;

  const MeshSource& source_;
  const PlyHeader& header_;
  PlySurface& surface_;
  const bool swap_;
  size_t offset_;
  ReadProgress progress_;
};

absl::Status PlyBinaryBody::Read() {
  for (const PlyElement& element : header_.elements) {
    const size_t least = element.LeastBytes();
    // Elements without properties take no bytes.
    if (least == 0) continue;
    if (element.count > BytesLeft() / least) {
      return CutShort(element, BytesLeft() / least);
    }
    if (element.role == PlyElement::Role::kVertices && !is_streamed()) {
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
  const VertexLayout layout(element, swap_);
  for (uint64_t i = 0; i < element.count; ++i, offset_ += layout.stride()) {
    const Vec3 position = layout.PositionAt(Here());
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
  const std::string error = surface_.AddList(element.role, {"byte", start});
  if (!error.empty()) return ErrorAtByte(source_, start, error);
  return is_streamed() && surface_.triangles.size() >= kStreamedTriangles
             ? surface_.read_triangles()
             : absl::OkStatus();
}

// Reads a list. Requires that the bytes of its length are inside the file.
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
  const bool is_skipped = source_.options.skip_invalid && !IsFinite(position);
  if (IsBeyond(position) && !is_skipped) {
    return ErrorAtByte(
        source_, offset,
        IsFinite(position)
            ? absl::StrCat("vertex ", number,
                           " is too large: ", RangeAdvice(position))
            : absl::StrCat("vertex ", number,
                           " has a coordinate that is not finite (NaN or "
                           "infinity); repair or remove it"));
  }
  if (!is_streamed()) surface_.vertices.push_back(position);
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

absl::Status ReadPlyBinary(const MeshSource& source, const PlyHeader& header,
                           PlySurface& surface) {
  return PlyBinaryBody(source, header, header.body_offset, surface).Read();
}

bool IsStreamable(const PlyHeader& header) {
  if (header.format == PlyFormat::kAscii) return false;
  for (const PlyElement& element : header.elements) {
    if (element.HasList()) return false;
    if (element.role == PlyElement::Role::kVertices) return true;
  }
  return false;
}

absl::Status StreamPlyBinary(const MeshSource& source, const PlyHeader& header,
                             TriangleConsumer consume) {
  size_t offset = header.body_offset;
  const PlyElement* vertices = header.elements.data();
  for (; vertices->role != PlyElement::Role::kVertices; ++vertices) {
    offset += vertices->count * vertices->LeastBytes();
  }
  const VertexLayout layout(*vertices, IsSwapped(header));
  PlySurface surface(source, header);
  std::vector<Triangle> triangles;
  // The vertices were read before, so their bytes are inside the file.
  const auto corner = [&](uint32_t i) {
    return layout.PositionAt(source.bytes.data() + offset +
                             i * layout.stride());
  };
  surface.vertex_at = corner;
  surface.read_triangles = [&] {
    triangles.clear();
    for (const TriangleIndices& t : surface.triangles) {
      triangles.push_back({corner(t[0]), corner(t[1]), corner(t[2])});
    }
    surface.triangles.clear();
    return triangles.empty() ? absl::OkStatus() : consume(triangles);
  };
  if (absl::Status s = ReadPlyBinary(source, header, surface); !s.ok()) {
    return s;
  }
  return surface.read_triangles();
}

std::optional<PlyRecords> RecordsOfPly(const MeshSource& source,
                                       const PlyHeader& header) {
  if (!IsStreamable(header)) return {};
  PlyRecords records;
  uint64_t offset = header.body_offset;
  for (const PlyElement& element : header.elements) {
    size_t length = element.LeastBytes();
    if (length == 0) continue;
    if (element.HasList()) {
      if (element.role == PlyElement::Role::kSkip || element.count == 0 ||
          records.faces != nullptr) {
        return {};
      }
      PlySurface surface(source, header);
      PlyBinaryBody first(source, header, offset, surface);
      if (!first.ReadElement(element, 0).ok() || !IsRegular(element, surface)) {
        return {};
      }
      length = first.offset() - offset;
      records.faces = &element;
      records.face_offset = offset;
      records.face_bytes = length;
    } else if (element.role == PlyElement::Role::kVertices) {
      records.vertices = &element;
      records.vertex_offset = offset;
      records.vertex_bytes = length;
    }
    if (element.count > (source.bytes.size() - offset) / length) return {};
    offset += element.count * length;
  }
  if (records.faces == nullptr || offset != source.bytes.size()) return {};
  return records;
}

bool LoadPlyVertices(const PlyHeader& header, const PlyElement& vertices,
                     std::string_view bytes, std::vector<Vec3>* positions) {
  const VertexLayout layout(vertices, IsSwapped(header));
  for (size_t at = 0; at < bytes.size(); at += layout.stride()) {
    positions->push_back(layout.PositionAt(bytes.data() + at));
    if (IsBeyond(positions->back())) return false;
  }
  return true;
}

bool LoadPlyFaces(const PlyHeader& header, const PlyElement& faces,
                  size_t face_bytes, std::string_view bytes,
                  std::vector<TriangleIndices>* triangles) {
  const ReadOptions options;
  const MeshSource source{bytes, {}, options};
  PlySurface surface(source, header);
  surface.triangles = std::move(*triangles);
  PlyBinaryBody body(source, header, 0, surface);
  for (size_t at = 0; at < bytes.size(); at += face_bytes) {
    if (body.offset() != at || !body.ReadElement(faces, 0).ok() ||
        !IsRegular(faces, surface)) {
      return false;
    }
  }
  *triangles = std::move(surface.triangles);
  return body.offset() == bytes.size();
}

}  // namespace orbox::mesh_internal
