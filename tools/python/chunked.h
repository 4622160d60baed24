// SPDX-License-Identifier: Apache-2.0

// Common code for queries of trees and chunked trees, and result rows of
// chunked trees.
//
//   return NumpyColumns(RunBatch<AnyTree>(
//       run, rays.size(), OptionsOf<AnyTree>(), [&](const auto& options) {
//         return ClosestHit(tree, rays.span(), options);
//       }));
#ifndef ORBOX_TOOLS_PYTHON_CHUNKED_H_
#define ORBOX_TOOLS_PYTHON_CHUNKED_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <typename AnyTree>
inline constexpr bool kIsChunked = false;
template <>
inline constexpr bool kIsChunked<ChunkedTree> = true;
template <>
inline constexpr bool kIsChunked<ChunkedSignedDistanceField> = true;
template <>
inline constexpr bool kIsChunked<ChunkedWindingNumberField> = true;

// The options of an AnyTree's queries. Those of chunked trees also have limits.
template <typename AnyTree>
using OptionsOf =
    std::conditional_t<kIsChunked<AnyTree>, QueryOptions, RunOptions>;

// Returns the result of a batch of queries. Batches of chunked trees can always
// be cancelled, because even a few queries may read many files.
template <typename AnyTree, typename Options, typename Question>
auto RunBatch(const CallOptions& run, size_t queries, Options options,
              const Question& call) {
  return ValueOf(RunQuery(run, kIsChunked<AnyTree> || queries > kWatchedQueries,
                          std::move(options), call),
                 kIsChunked<AnyTree> ? Subject::kFile : Subject::kValue);
}

template <>
struct FieldsOf<uint64_t> {  // ids of triangles
  static auto Of(uint64_t id) { return std::tuple(static_cast<int64_t>(id)); }
};

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_CHUNKED_H_
