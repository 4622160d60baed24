// SPDX-License-Identifier: Apache-2.0

// Winding numbers of chunks, step by step, for one machine and for ranks: which
// chunks a point sees as wholes, what the others say, and inside or outside.
// Private.
//
//   ChunkMoments moments(tree);
//   s = moments.Put(tree, 0, tree.table().size());
//   std::vector<NearChunk> near;
//   moments.Look(points, which, max_error, threads, numbers, &near);
//   for (...) numbers[n.point] += ...              // in the order of `near`
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_WINDING_CHUNKS_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_WINDING_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/query/internal/winding_moments.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A chunk that a point cannot see as a whole, and the error that it may have.
struct NearChunk {
  uint32_t chunk;
  uint32_t point;
  double max_error;
};

// Chunks as they are seen from afar.
class ORBOX_EXPORT ChunkMoments {
 public:
  // No chunk is in it yet: all bits are 0.
  explicit ChunkMoments(const ChunkedTree& tree);

  // Takes chunks [begin, end) in; loads each once.
  absl::Status Put(const ChunkedTree& tree, size_t begin, size_t end);

  // The rows as numbers, of which each is that of one chunk: the sum of those
  // of several processes has the chunks of all.
  std::span<uint64_t> bits();

  // Sets numbers[i], for the i of `which`, to what is seen from afar, and
  // appends what is left, by point. The order of numbers that are added is that
  // of chunks. On so many cores (0: all).
  void Look(std::span<const Vec3> points, std::span<const uint32_t> which,
            double max_error, int threads, std::span<double> numbers,
            std::vector<NearChunk>* near) const;

 private:
  class View;

  TreeSpace space_;
  size_t chunks_;
  std::vector<MomentRow> rows_;  // eight chunks a row
};

// What is inside: numbers are made more exact until they are on one side of
// 1/2.
class ORBOX_EXPORT InsideByWinding {
 public:
  static constexpr double kErrors[] = {0.25, 0.02, 1e-4, 0.0};

  explicit InsideByWinding(std::span<const Vec3> points);

  // Those that are not settled; numbers() is for what a search with the next of
  // kErrors finds of them.
  std::span<const uint32_t> open() const { return open_; }
  std::span<double> numbers() { return numbers_; }
  void Settle(double max_error);

  std::vector<uint8_t> Result() const;

 private:
  const std::span<const Vec3> points_;
  std::vector<uint32_t> open_;
  std::vector<double> numbers_;
};

// The finite points.
ORBOX_EXPORT std::vector<uint32_t> FiniteOnes(std::span<const Vec3> points);

// A question as those of chunk_questions.h, whose queries name their chunks.
struct ORBOX_EXPORT WindingChunkQuestion {
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
  void Ask(const Chunk& chunk, std::span<const Query> queries,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Query&, const Answer& from, Answer* answer) const {
    answer->number += from.number;
  }
  void Finish(const Query&, Answer*) const {}
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_WINDING_CHUNKS_H_
