// SPDX-License-Identifier: Apache-2.0

// Vertices of a file that ranks read together. Each rank has a run of them, and
// triangles may refer to any. Ranks request corners from each other. Private.
//
//   CornerExchange corners(ranks, file, memory);     // in a phase
//   absl::Status all = corners.Load(&is_regular);
//   all = corners.Find(indices, &triangles);   // each round, on all ranks
#ifndef ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_
#define ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/io/internal/mesh_records.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/internal/mail.h"

namespace orbox {

class CornerExchange {
 public:
  // Requires equal `memory` on all ranks. Allocates; all arguments have to
  // outlive this object.
  CornerExchange(Communicator& ranks, const mesh_internal::MeshRecords& file,
                 size_t memory);

  // Reads this rank's vertices, and keeps as many as fit. Others are read again
  // when they are requested. Sets *is_regular to false if one is not regular.
  // Local.
  absl::Status Load(bool* is_regular);

  // Returns the number of triangles that a rank may request at a time, at least
  // 16. A rank's messages fit even if all ranks request only from it.
  static size_t TrianglesAtOnce(int ranks, size_t memory);

  // Finds the corners of these triangles; there may be none. Collective.
  absl::Status Find(const std::vector<TriangleIndices>& indices,
                    std::vector<Triangle>* triangles);

 private:
  static constexpr uint64_t kBlock = 4096;  // vertices that are read together

  // Finds a vertex of this rank.
  absl::Status Vertex(uint64_t vertex, Vec3* position, bool* is_regular);
  absl::Status SendRequests(const std::vector<TriangleIndices>& indices);
  absl::Status Reply();
  void Join(const std::vector<TriangleIndices>& indices,
            std::vector<Triangle>* triangles) const;

  struct Block {
    uint64_t number = ~uint64_t{0};  // no block
    std::vector<Vec3> vertices;
  };

  Communicator& ranks_;
  const mesh_internal::MeshRecords& file_;
  const std::pair<size_t, size_t> own_;
  std::vector<Block> blocks_;     // block b is blocks_[b % size], if read
  std::vector<uint32_t> wanted_;  // ascending
  Mail requests_;
  Mail replies_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_
