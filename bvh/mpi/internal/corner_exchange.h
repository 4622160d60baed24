// SPDX-License-Identifier: Apache-2.0

// The vertices of a file that ranks read together: each has a run of them, and
// triangles name any. Ranks ask each other for corners. Private.
//
//   CornerExchange corners(ranks, file, memory);     // in a phase
//   absl::Status all = corners.Load(&is_regular);
//   all = corners.Find(indices, &triangles);         // each round, on all
//   ranks
#ifndef ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_
#define ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/mesh/internal/mesh_records.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/internal/mail.h"

namespace orbox {

class CornerExchange {
 public:
  // `memory` is the same on all ranks. Allocates; all have to outlive this.
  CornerExchange(Communicator& ranks, const mesh_internal::MeshRecords& file,
                 size_t memory);

  // Reads this rank's vertices, and keeps them as far as they fit; others are
  // read again where somebody asks for them. False where one is not regular.
  // Local.
  absl::Status Load(bool* is_regular);

  // How many triangles a rank may ask for at a time: so many that what comes to
  // a rank fits, though all ranks ask it alone. At least 16.
  static size_t TrianglesAtOnce(int ranks, size_t memory);

  // The corners of these triangles, perhaps none. Collective.
  absl::Status Find(const std::vector<TriangleIndices>& indices,
                    std::vector<Triangle>* triangles);

 private:
  static constexpr uint64_t kBlock = 4096;  // vertices that are read together

  // The vertex, one of this rank's.
  absl::Status Vertex(uint64_t vertex, Vec3* position, bool* is_regular);
  absl::Status Ask(const std::vector<TriangleIndices>& indices);
  absl::Status Reply();
  void Join(const std::vector<TriangleIndices>& indices,
            std::vector<Triangle>* triangles) const;

  struct Block {
    uint64_t number = ~uint64_t{0};  // of none
    std::vector<Vec3> vertices;
  };

  Communicator& ranks_;
  const mesh_internal::MeshRecords& file_;
  const std::pair<size_t, size_t> own_;
  std::vector<Block> blocks_;     // block b is in place b % size, or nowhere
  std::vector<uint32_t> wanted_;  // ascending
  Mail requests_;
  Mail replies_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_CORNER_EXCHANGE_H_
