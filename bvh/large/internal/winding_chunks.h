// SPDX-License-Identifier: Apache-2.0

// Winding numbers of chunks, step by step, for one machine and for ranks: the
// chunks that a point sees as wholes, the contributions of the others, and
// inside or outside. Private.
//
//   ChunkMoments moments(tree);
//   s = moments.Put(tree, 0, tree.table().size(), workers);
//   std::vector<NearChunk> near;
//   moments.Look(points, which, max_error, workers, numbers, &near);
//   for (...) numbers[n.point] += ...              // in the order of `near`
#ifndef ORBOX_BVH_LARGE_INTERNAL_WINDING_CHUNKS_H_
#define ORBOX_BVH_LARGE_INTERNAL_WINDING_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A chunk that a point cannot see as a whole, and the error permitted for its
// contribution.
struct NearChunk {
  uint32_t chunk;
  uint32_t point;
  double max_error;
};

// Moments of all chunks, for points far away.
class ORBOX_EXPORT ChunkMoments {
 public:
  // Contains no chunk yet: all bits are 0.
  explicit ChunkMoments(const ChunkedTree& tree);

  // Adds chunks [begin, end); loads each once. Polls the workers.
  absl::Status Put(const ChunkedTree& tree, size_t begin, size_t end,
                   const Workers& workers);

  // The rows as integers, each of which belongs to one chunk. The sums of those
  // of several processes contain the chunks of all.
  std::span<uint64_t> bits();

  // Sets numbers[i], for each i in `which`, to the sum over the chunks that are
  // far enough. Appends the other chunks to `near`, by point. Sums are in the
  // order of chunks. Polls the workers.
  void Look(std::span<const Vec3> points, std::span<const uint32_t> which,
            double max_error, const Workers& workers, std::span<double> numbers,
            std::vector<NearChunk>* near) const;

 private:
  class View;

  TreeSpace space_;
  size_t chunks_;
  std::vector<MomentRow> rows_;  // eight chunks per row
};

// Points inside: numbers are computed more and more precisely, until they are
// on one side of 1/2.
class ORBOX_EXPORT InsideByWinding {
 public:
  static constexpr double kErrors[] = {0.25, 0.02, 1e-4, 0.0};

  explicit InsideByWinding(std::span<const Vec3> points);

  // The points that are undecided. The next search, with the next of kErrors,
  // writes their numbers into numbers().
  std::span<const uint32_t> undecided() const { return undecided_; }
  std::span<double> numbers() { return numbers_; }
  void Settle(double max_error);

  std::vector<uint8_t> Result() const;

 private:
  const std::span<const Vec3> points_;
  std::vector<uint32_t> undecided_;
  std::vector<double> numbers_;
};

// Returns the indices of the finite points.
ORBOX_EXPORT std::vector<uint32_t> FiniteOnes(std::span<const Vec3> points);

// Traits (chunk_traits.h) of a query that names its chunk.
struct ORBOX_EXPORT WindingChunkTraits {
  struct Query {
    Vec3 point;
    double max_error;
    uint32_t chunk;
  };
  struct Answer {
    double number = 0;
  };

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return kInfinity; }
  uint32_t ChunkOf(const Query& query) const { return query.chunk; }
  bool IsDone(const Answer&) const { return false; }
  void Run(const Chunk& chunk, std::span<const Query> queries,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Query&, const Answer& from, Answer* answer) const {
    answer->number += from.number;
  }
  void Finish(const Query&, Answer*) const {}
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_WINDING_CHUNKS_H_
