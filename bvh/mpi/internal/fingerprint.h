// SPDX-License-Identifier: Apache-2.0

// A hash of arguments, to check that ranks were called with equal ones.
// Private.
//
//   Fingerprint of("AllWithin");
//   of.Add(distance).Add(k).Add(options);
//   absl::Status same = ranks.AgreeOn(of.value(), "arguments");
#ifndef ORBOX_BVH_MPI_INTERNAL_FINGERPRINT_H_
#define ORBOX_BVH_MPI_INTERNAL_FINGERPRINT_H_

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// FNV-1a (Fowler, Noll, Vo) on 64 bits at a time, each mixed.
class Fingerprint {
 public:
  explicit Fingerprint(std::string_view kind) {
    for (const char c : kind) Mix(static_cast<unsigned char>(c));
  }

  Fingerprint& Add(uint64_t number) { return Mix(number); }
  Fingerprint& Add(double number) {
    return Mix(std::bit_cast<uint64_t>(number));
  }
  Fingerprint& Add(const Vec3& p) { return Add(p.x).Add(p.y).Add(p.z); }
  Fingerprint& Add(const ChunkedTree& tree);
  Fingerprint& Add(const Pose& pose);
  // Adds the options that have to be equal on all ranks.
  Fingerprint& Add(const DistributedOptions& options) {
    return Add(options.max_distance)
        .Add(uint64_t{options.memory})
        .Add(uint64_t{options.statistics != nullptr})
        .Add(uint64_t{options.own_statistics != nullptr})
        .Add(uint64_t{options.inside == InsideRule::kParity});
  }

  uint64_t value() const { return value_; }

 private:
  Fingerprint& Mix(uint64_t number) {
    value_ = (value_ ^ number) * 0x100000001b3;
    value_ ^= value_ >> 29;
    return *this;
  }

  uint64_t value_ = 0xcbf29ce484222325;
};

inline Fingerprint& Fingerprint::Add(const ChunkedTree& tree) {
  Mix(tree.table().size());
  for (const ChunkRow& row : tree.table()) {
    Add(row.box.lo).Add(row.box.hi).Add(row.vertex);
    Mix(row.count).Mix(row.first).Mix(row.lowest_id).Mix(row.highest_id);
    Mix(row.degenerate).Mix(row.bytes);
  }
  return *this;
}

inline Fingerprint& Fingerprint::Add(const Pose& pose) {
  for (const Vec3& row : pose.rows) Add(row);
  return Add(pose.translation);
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_FINGERPRINT_H_
