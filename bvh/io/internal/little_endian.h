// SPDX-License-Identifier: Apache-2.0

// Numbers as bytes and as text, for mesh files.
#ifndef ORBOX_BVH_IO_INTERNAL_LITTLE_ENDIAN_H_
#define ORBOX_BVH_IO_INTERNAL_LITTLE_ENDIAN_H_

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace orbox::mesh_internal {

// Appends the fewest digits that are read back as an equal number.
template <typename T>
void AppendNumber(T value, std::string& out) {
  // The longest double has 24 characters.
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  out.append(buffer, end);
}

template <typename T>
void AppendLittle(T value, std::string& out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

inline void AppendLittleFloat(float value, std::string& out) {
  AppendLittle(std::bit_cast<uint32_t>(value), out);
}

// Requires sizeof(T) bytes at `p`.
template <typename T>
T LoadLittle(const char* p) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
  }
  return static_cast<T>(value);
}

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_LITTLE_ENDIAN_H_
