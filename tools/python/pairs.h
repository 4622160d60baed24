// SPDX-License-Identifier: Apache-2.0

// Common code for queries of two meshes.
#ifndef ORBOX_TOOLS_PYTHON_PAIRS_H_
#define ORBOX_TOOLS_PYTHON_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/traverse/query_options.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <>
struct FieldsOf<NearCluster> {
  static auto Of(const NearCluster& p) {
    return std::tuple_cat(std::tuple(static_cast<int64_t>(p.pair_count)),
                          FieldsOf<Witness>::Of(p.closest),
                          std::tuple(p.box.lo, p.box.hi, p.area_a, p.area_b));
  }
};

inline std::string NameOf(MeshRelation relation) {
  switch (relation) {
    case MeshRelation::kMeet:
      return "meet";
    case MeshRelation::kApart:
      return "apart";
    case MeshRelation::kFirstInSecond:
      return "inside";
    case MeshRelation::kSecondInFirst:
      return "contains";
    case MeshRelation::kSolidsOverlap:
      return "solids overlap";
    case MeshRelation::kUndefined:
      break;
  }
  return "undefined";
}

// Runs a query of two meshes. Watches it if the meshes have more than
// `watched_above` triangles.
template <typename Options, typename Question>
auto RunOnPair(const PosedTree& a, const PosedTree& b, const CallOptions& run,
               Options options, const Question& call,
               size_t watched_above = kWatchedTriangles) {
  const size_t triangles =
      a.tree().mesh().triangle_count() + b.tree().mesh().triangle_count();
  return RunQuery(run, triangles > watched_above, std::move(options), call);
}

// Returns the value of a query that takes run options only.
template <typename Question>
auto ValueOnPair(const PosedTree& a, const PosedTree& b, const CallOptions& run,
                 const Question& call,
                 size_t watched_above = kWatchedTriangles) {
  return ValueOf(RunOnPair(a, b, run, RunOptions(), call, watched_above));
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_PAIRS_H_
