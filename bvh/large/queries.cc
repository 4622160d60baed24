// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/queries.h"

#include <optional>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_answers.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/queries-inl.h"

namespace orbox {

absl::StatusOr<bool> IsClosed(const ChunkedTree& tree) {
  return GuardMemory("for the edges between chunks; build larger ones",
                     [&]() -> absl::StatusOr<bool> {
                       const absl::StatusOr<UnpairedEdges> edges =
                           FindUnpairedEdges(tree);
                       if (!edges.ok()) return edges.status();
                       tree.Remember(edges->open + edges->unequal == 0);
                       return edges->open == 0;
                     });
}

absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree) {
  if (const std::optional<bool> known = tree.known_agreement()) return *known;
  const absl::StatusOr<bool> closed = IsClosed(tree);
  if (!closed.ok()) return closed.status();
  return *closed && *tree.known_agreement();
}

inline absl::StatusOr<bool> DoFacesAgreeIfNeeded(const ChunkedTree& tree,
                                                 bool is_needed,
                                                 const QueryOptions&) {
  if (!is_needed) return false;
  return DoFacesAgree(tree);
}

ORBOX_INSTANTIATE_QUERIES(ChunkedTree)

}  // namespace orbox
