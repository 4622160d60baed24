// SPDX-License-Identifier: Apache-2.0

// The accessors of a glTF file: glTF 2.0 Specification, section 3.6.2.
#include <algorithm>
#include <bit>
#include <optional>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/gltf_file.h"
#include "orbox/bvh/io/internal/little_endian.h"

namespace orbox::mesh_internal {
namespace {

// Component types of the specification.
constexpr uint64_t kByte = 5120;
constexpr uint64_t kUnsignedByte = 5121;
constexpr uint64_t kShort = 5122;
constexpr uint64_t kUnsignedShort = 5123;
constexpr uint64_t kUnsignedInt = 5125;
constexpr uint64_t kFloat = 5126;

// Maximum number of zeros per byte of the file. A sparse accessor stores no
// bytes for its zeros, so their memory has to be bounded.
constexpr uint64_t kMostZerosPerByte = 16;

// Returns the size of a component, or 0 for an unknown type.
size_t BytesOfComponent(uint64_t type) {
  switch (type) {
    case kByte:
    case kUnsignedByte:
      return 1;
    case kShort:
    case kUnsignedShort:
      return 2;
    case kUnsignedInt:
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

// Formulas for normalized integers: section 3.11.
double LoadComponent(const char* p, uint64_t type, bool is_normalized) {
  double value = 0;
  double most = 1;
  switch (type) {
    case kByte:
      value = static_cast<int8_t>(LoadLittle<uint8_t>(p));
      most = 127;
      break;
    case kUnsignedByte:
      value = LoadLittle<uint8_t>(p);
      most = 255;
      break;
    case kShort:
      value = static_cast<int16_t>(LoadLittle<uint16_t>(p));
      most = 32767;
      break;
    case kUnsignedShort:
      value = LoadLittle<uint16_t>(p);
      most = 65535;
      break;
    case kUnsignedInt:
      return LoadLittle<uint32_t>(p);
    default:
      return std::bit_cast<float>(LoadLittle<uint32_t>(p));
  }
  return is_normalized ? std::max(value / most, -1.0) : value;
}

// Requires an unsigned type.
uint32_t LoadIndex(const char* p, uint64_t type) {
  return type == kUnsignedByte    ? LoadLittle<uint8_t>(p)
         : type == kUnsignedShort ? LoadLittle<uint16_t>(p)
                                  : LoadLittle<uint32_t>(p);
}

}  // namespace

absl::StatusOr<GltfFile::Elements> GltfFile::Find(uint64_t accessor,
                                                  std::string_view type,
                                                  size_t components) {
  const auto accessors = json_.Member("accessors").items();
  const auto error = [&](const std::string& what) {
    return Error("accessor", accessor, what);
  };
  if (accessor >= accessors.size()) {
    return error(absl::StrCat("is named, and there are ", accessors.size(),
                              "; is the file damaged?"));
  }
  const JsonValue& entry = accessors[accessor];
  const std::optional<uint64_t> count = entry.Member("count").Whole();
  const std::optional<uint64_t> view = entry.Member("bufferView").Whole();
  const uint64_t component_type =
      entry.Member("componentType").Whole().value_or(0);
  const size_t component = BytesOfComponent(component_type);
  if (entry.Member("type").Text() != type || component == 0 ||
      !count.has_value()) {
    return error(absl::StrCat("is no list of ", std::string(type),
                              " with a count and a componentType; is the file "
                              "damaged?"));
  }
  if (!view.has_value() && entry.Has("sparse")) {
    // An accessor without bytes has only zeros.
    if (*count > kMostZerosPerByte * byte_count()) {
      return error(absl::StrCat("claims ", *count,
                                " elements without bytes; is the file "
                                "damaged?"));
    }
    return Elements{.count = *count, .component_type = component_type};
  }
  if (!view.has_value()) {
    return error(
        "is compressed by Draco, or damaged: it names no bytes of its own; "
        "write the file without it, with Blender or gltf-transform for one");
  }
  return ElementsAt({.entry = entry,
                     .view = *view,
                     .count = *count,
                     .component_type = component_type,
                     .element = component * components},
                    accessor);
}

absl::StatusOr<GltfFile::Elements> GltfFile::ElementsAt(const Range& range,
                                                        uint64_t accessor) {
  const auto error = [&](const std::string& what) {
    return Error("accessor", accessor, what);
  };
  const JsonValue& entry = range.entry;
  const uint64_t count = range.count;
  const size_t element = range.element;
  const absl::StatusOr<std::string_view> bytes = ViewBytes(range.view);
  if (!bytes.ok()) return bytes.status();
  const uint64_t offset = entry.Member("byteOffset").Whole().value_or(0);
  const JsonValue& view_entry = json_.Member("bufferViews").items()[range.view];
  const uint64_t stride =
      view_entry.Member("byteStride").Whole().value_or(element);
  constexpr uint64_t kMostStride = 252;
  if (stride < element || stride > std::max<uint64_t>(kMostStride, element)) {
    return error(absl::StrCat("its elements of ", element, " bytes are ",
                              stride, " apart; is the file damaged?"));
  }
  const bool fits =
      offset <= bytes->size() &&
      (count == 0 ||
       (element <= bytes->size() - offset &&
        count - 1 <= (bytes->size() - offset - element) / stride));
  if (!fits) {
    return error(absl::StrCat("claims ", count, " elements, more than the ",
                              bytes->size(),
                              " bytes of its view hold; is the file cut "
                              "short?"));
  }
  return Elements{.bytes = bytes->data() + offset,
                  .count = count,
                  .stride = stride,
                  .component_type = range.component_type,
                  .is_normalized = entry.Member("normalized").IsTrue()};
}

absl::StatusOr<GltfFile::Sparse> GltfFile::FindSparse(uint64_t accessor,
                                                      size_t components) {
  const JsonValue& entry = json_.Member("accessors").items()[accessor];
  const JsonValue& sparse = entry.Member("sparse");
  Sparse found;
  if (sparse.is_null()) return found;
  const auto error = [&](const std::string& what) {
    return Error("accessor", accessor, what);
  };
  const JsonValue& indices = sparse.Member("indices");
  const JsonValue& values = sparse.Member("values");
  const std::optional<uint64_t> count = sparse.Member("count").Whole();
  const std::optional<uint64_t> index_view =
      indices.Member("bufferView").Whole();
  const std::optional<uint64_t> value_view =
      values.Member("bufferView").Whole();
  const uint64_t index_type =
      indices.Member("componentType").Whole().value_or(0);
  if (!count.has_value() || !index_view.has_value() ||
      !value_view.has_value() ||
      (index_type != kUnsignedByte && index_type != kUnsignedShort &&
       index_type != kUnsignedInt)) {
    return error(
        "is sparse without a count, indices or values; is the file "
        "damaged?");
  }
  const uint64_t type = entry.Member("componentType").Whole().value_or(0);
  const absl::StatusOr<Elements> ids =
      ElementsAt({.entry = indices,
                  .view = *index_view,
                  .count = *count,
                  .component_type = index_type,
                  .element = BytesOfComponent(index_type)},
                 accessor);
  if (!ids.ok()) return ids.status();
  const absl::StatusOr<Elements> replaced =
      ElementsAt({.entry = values,
                  .view = *value_view,
                  .count = *count,
                  .component_type = type,
                  .element = BytesOfComponent(type) * components},
                 accessor);
  if (!replaced.ok()) return replaced.status();
  found.values = *replaced;
  found.values.is_normalized = entry.Member("normalized").IsTrue();
  const uint64_t all = entry.Member("count").Whole().value_or(0);
  for (uint64_t i = 0; i < *count; ++i) {
    const uint32_t id = LoadIndex(ids->bytes + i * ids->stride, index_type);
    if (id >= all || (i > 0 && id <= found.ids.back())) {
      return error(
          "its sparse indices do not ascend, or are too large; is "
          "the file damaged?");
    }
    found.ids.push_back(id);
  }
  return found;
}

const char* GltfFile::ElementAt(const Elements& all, const Sparse& sparse,
                                uint64_t id) {
  const auto found = std::lower_bound(sparse.ids.begin(), sparse.ids.end(), id);
  if (found != sparse.ids.end() && *found == id) {
    return sparse.values.bytes +
           static_cast<size_t>(found - sparse.ids.begin()) *
               sparse.values.stride;
  }
  return all.bytes == nullptr ? nullptr : all.bytes + id * all.stride;
}

absl::StatusOr<size_t> GltfFile::CountPoints(uint64_t accessor) {
  const absl::StatusOr<Elements> found = Find(accessor, "VEC3", 3);
  if (!found.ok()) return found.status();
  return found->count;
}

absl::StatusOr<std::vector<Vec3>> GltfFile::Points(
    uint64_t accessor, std::span<const uint32_t> ids) {
  const absl::StatusOr<Elements> found = Find(accessor, "VEC3", 3);
  if (!found.ok()) return found.status();
  const absl::StatusOr<Sparse> sparse = FindSparse(accessor, 3);
  if (!sparse.ok()) return sparse.status();
  const size_t component = BytesOfComponent(found->component_type);
  std::vector<Vec3> points;
  points.reserve(ids.size());
  for (const uint32_t id : ids) {
    const char* const p = ElementAt(*found, *sparse, id);
    Vec3 point;
    for (size_t axis = 0; p != nullptr && axis < 3; ++axis) {
      point[axis] = LoadComponent(p + axis * component, found->component_type,
                                  found->is_normalized);
    }
    points.push_back(point);
  }
  return points;
}

absl::StatusOr<std::vector<uint32_t>> GltfFile::Indices(uint64_t accessor) {
  const absl::StatusOr<Elements> found = Find(accessor, "SCALAR", 1);
  if (!found.ok()) return found.status();
  const uint64_t type = found->component_type;
  if (type != kUnsignedByte && type != kUnsignedShort && type != kUnsignedInt) {
    return Error("accessor", accessor,
                 "its indices have a sign or are floats; is the file damaged?");
  }
  const absl::StatusOr<Sparse> sparse = FindSparse(accessor, 1);
  if (!sparse.ok()) return sparse.status();
  std::vector<uint32_t> indices(found->count);
  for (size_t i = 0; i < found->count; ++i) {
    const char* const p = ElementAt(*found, *sparse, i);
    if (p != nullptr) indices[i] = LoadIndex(p, type);
  }
  return indices;
}

}  // namespace orbox::mesh_internal
