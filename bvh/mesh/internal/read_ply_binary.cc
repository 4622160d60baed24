// SPDX-License-Identifier: Apache-2.0

// The data of a binary PLY file, in either byte order.
#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/ply_body.h"

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
  // Vertices, and elements to skip, without lists: all of them have one length.
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
    // Such an element takes no bytes.
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

absl::Status ReadPlyBinary(const MeshSource& source, const PlyHeader& header,
                           PlySurface& surface) {
  return PlyBinaryBody(source, header, surface).Read();
}

}  // namespace orbox::mesh_internal
