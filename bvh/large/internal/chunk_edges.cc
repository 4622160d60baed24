// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_edges.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

bool IsLowerEdge(const EdgeBalance& x, const EdgeBalance& y) {
  return x.ends < y.ends;
}

EdgeBalance EdgeOf(const Vec3& from, const Vec3& to) {
  // 0 and -0 compare equal.
  const std::array<double, 3> a = {from.x, from.y, from.z};
  const std::array<double, 3> b = {to.x, to.y, to.z};
  const auto& low = a < b ? a : b;
  const auto& high = a < b ? b : a;
  return {{low[0], low[1], low[2], high[0], high[1], high[2]}, a < b ? 1 : -1};
}

// Calls take(edge, id) for the sides of a chunk's triangles.
template <typename Take>
void ForEachSide(const Chunk& chunk, Take take) {
  const Mesh& mesh = chunk.tree.mesh();
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    for (size_t k = 0; k < 3; ++k) {
      const Vec3& from = t[k];
      const Vec3& to = t[(k + 1) % 3];
      if (!(from == to)) take(EdgeOf(from, to), chunk.ids[i]);
    }
  }
}

}  // namespace

void PairUp(std::vector<EdgeBalance>* edges) {
  std::sort(edges->begin(), edges->end(), IsLowerEdge);
  size_t kept = 0;
  for (size_t i = 0; i < edges->size();) {
    EdgeBalance sum = (*edges)[i];
    for (++i; i < edges->size() && !IsLowerEdge(sum, (*edges)[i]); ++i) {
      sum.balance += (*edges)[i].balance;
    }
    if (sum.balance != 0) (*edges)[kept++] = sum;
  }
  edges->resize(kept);
}

absl::StatusOr<std::vector<EdgeBalance>> UnpairedOfChunks(
    const ChunkedTree& tree, size_t begin, size_t end, const Watch& watch) {
  std::vector<EdgeBalance> unpaired;
  std::vector<EdgeBalance> own;
  size_t paired_up = 0;
  for (size_t i = begin; i < end; ++i) {
    watch.CheckCancelled();
    const absl::StatusOr<Chunk> chunk = tree.Load(i);
    if (!chunk.ok()) return chunk.status();
    own.clear();
    ForEachSide(*chunk, [&](const EdgeBalance& edge, uint64_t) {
      own.push_back(edge);
    });
    PairUp(&own);
    unpaired.insert(unpaired.end(), own.begin(), own.end());
    if (unpaired.size() < 2 * paired_up) continue;
    PairUp(&unpaired);
    paired_up = unpaired.size();
  }
  PairUp(&unpaired);
  return unpaired;
}

UnpairedEdges CountUnpaired(std::span<const EdgeBalance> edges) {
  UnpairedEdges result;
  for (const EdgeBalance& edge : edges) {
    ++(edge.balance % 2 != 0 ? result.open : result.unequal);
  }
  return result;
}

absl::StatusOr<uint64_t> LowestAtEdges(const ChunkedTree& tree, size_t begin,
                                       size_t end,
                                       std::span<const EdgeBalance> edges,
                                       uint64_t lowest, const Watch& watch) {
  for (size_t i = begin; i < end; ++i) {
    watch.CheckCancelled();
    const absl::StatusOr<Chunk> chunk = tree.Load(i);
    if (!chunk.ok()) return chunk.status();
    ForEachSide(*chunk, [&](const EdgeBalance& edge, uint64_t id) {
      if (id < lowest &&
          std::binary_search(edges.begin(), edges.end(), edge, IsLowerEdge)) {
        lowest = id;
      }
    });
  }
  return lowest;
}

absl::Status CheckClosed(const UnpairedEdges& edges) {
  return CheckClosed(edges.open, /*unequal=*/0, edges.first);
}

absl::StatusOr<UnpairedEdges> FindUnpairedEdges(const ChunkedTree& tree,
                                                const Watch& watch) {
  const size_t chunks = tree.table().size();
  const absl::StatusOr<std::vector<EdgeBalance>> unpaired =
      UnpairedOfChunks(tree, 0, chunks, watch);
  if (!unpaired.ok()) return unpaired.status();
  UnpairedEdges result = CountUnpaired(*unpaired);
  if (unpaired->empty()) return result;
  const absl::StatusOr<uint64_t> first = LowestAtEdges(
      tree, 0, chunks, *unpaired, std::numeric_limits<uint64_t>::max(), watch);
  if (!first.ok()) return first.status();
  result.first = *first;
  return result;
}

ChunkedTree::Faces FacesBy(const UnpairedEdges& edges) {
  if (edges.open != 0) return ChunkedTree::Faces::kOpen;
  return edges.unequal != 0 ? ChunkedTree::Faces::kDisagree
                            : ChunkedTree::Faces::kAgree;
}

absl::StatusOr<UnpairedEdges> UnpairedEdgesOf(const ChunkedTree& tree,
                                              const QueryOptions& options) {
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return s;
  return GuardMemory("for the edges between chunks; build larger ones",
                     [&]() -> absl::StatusOr<UnpairedEdges> {
                       absl::StatusOr<UnpairedEdges> edges =
                           FindUnpairedEdges(tree, run);
                       if (edges.ok()) tree.Remember(FacesBy(*edges));
                       return edges;
                     });
}

absl::StatusOr<ChunkedTree::Faces> FacesOf(const ChunkedTree& tree,
                                           const QueryOptions& options) {
  if (const auto known = tree.known_faces()) return *known;
  const absl::StatusOr<UnpairedEdges> edges = UnpairedEdgesOf(tree, options);
  if (!edges.ok()) return edges.status();
  return FacesBy(*edges);
}

}  // namespace orbox
