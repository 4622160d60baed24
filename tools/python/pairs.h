// SPDX-License-Identifier: Apache-2.0

// What questions about two meshes share.
#ifndef ORBOX_TOOLS_PYTHON_PAIRS_H_
#define ORBOX_TOOLS_PYTHON_PAIRS_H_

#include <cstdint>
#include <tuple>
#include <utility>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pair_places.h"
#include "orbox/bvh/traverse/query_options.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <>
struct FieldsOf<NearPlace> {
  static auto Of(const NearPlace& p) {
    return std::tuple_cat(std::tuple(static_cast<int64_t>(p.pair_count)),
                          FieldsOf<Witness>::Of(p.closest),
                          std::tuple(p.box.lo, p.box.hi, p.area_a, p.area_b));
  }
};

// Asks about two meshes; watched if they are large.
template <typename Options, typename Question>
auto AskPair(const PosedTree& a, const PosedTree& b, const Asked& asked,
             Options options, const Question& ask) {
  const bool is_large =
      a.tree().mesh().triangle_count() + b.tree().mesh().triangle_count() >
      kWatchedTriangles;
  return Ask(asked, is_large, std::move(options), ask);
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_PAIRS_H_
