// SPDX-License-Identifier: Apache-2.0

// Makes a mesh of parts that are known to be valid: the contents of a tree
// file. And what is remembered of a mesh once someone asked.
//
//   Mesh mesh = MeshAccess::Make({.vertices = ..., .triangles = ..., ...});
//   bool is_closed = MeshAccess::IsClosed(mesh).Or([&] { return ...; });
#ifndef ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
#define ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// Yes or no, from when someone asked. Thread-safe: threads that ask at the same
// time all find it out.
class Remembered {
 public:
  template <typename Find>
  bool Or(Find find) const {
    const Answer known = answer_.load(std::memory_order_relaxed);
    if (known != kUnknown) return known == kYes;
    const bool found = find();
    answer_.store(found ? kYes : kNo, std::memory_order_relaxed);
    return found;
  }

 private:
  enum Answer : uint8_t { kUnknown, kNo, kYes };
  mutable std::atomic<Answer> answer_ = kUnknown;
};

struct MeshAccess {
  using Parts = Mesh::Data;

  // Checks nothing. Requires what Mesh::Create checks, and the bounds and
  // counts that it computes.
  static Mesh Make(Parts parts) {
    return Mesh(std::make_shared<const Data>(std::move(parts)));
  }

  static const Remembered& IsClosed(const Mesh& mesh) {
    return static_cast<const Data&>(*mesh.data_).is_closed;
  }

 private:
  // Each mesh has this: all are made here.
  struct Data : Parts {
    explicit Data(Parts parts) : Parts(std::move(parts)) {}
    Remembered is_closed;
  };
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
