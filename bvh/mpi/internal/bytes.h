// SPDX-License-Identifier: Apache-2.0

// Values in the form in which ranks of one program send them: as in memory.
// Private.
//
//   ByteWriter out(&bytes);
//   out.Put(point);
//   out.PutList<uint64_t>(ids);
//   ByteReader in(bytes);
//   point = in.Get<Vec3>();
//   ids = in.GetList<uint64_t>();
#ifndef ORBOX_BVH_MPI_INTERNAL_BYTES_H_
#define ORBOX_BVH_MPI_INTERNAL_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace orbox {

// Appends values; may throw std::bad_alloc.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>* out) : out_(out) {}

  template <typename T>
  void Put(const T& value) {
    PutAll<T>({&value, 1});
  }
  // Writes the number of values, then the values.
  template <typename T>
  void PutList(std::span<const T> values) {
    Put<uint64_t>(values.size());
    PutAll<T>(values);
  }
  template <typename T>
  void PutAll(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    out_->insert(out_->end(), bytes.begin(), bytes.end());
  }

 private:
  std::vector<std::byte>* out_;
};

// Reads values. Requires the types and order in which they were written.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }

  template <typename T>
  T Get() {
    T value;
    GetAll<T>({&value, 1});
    return value;
  }
  template <typename T>
  std::vector<T> GetList() {
    std::vector<T> values(Get<uint64_t>());
    GetAll<T>(values);
    return values;
  }
  template <typename T>
  void GetAll(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return;
    std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_ = bytes_.subspan(values.size_bytes());
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_BYTES_H_
