// SPDX-License-Identifier: Apache-2.0

// Triangles that overlap balls, boxes, oriented boxes and frustums.
#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <vector>

#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/queries.h"

namespace orbox::python {

namespace {

// Calls a function of regions: of one, or of a batch with its options.
template <typename Find>
auto CallOf(Find find) {
  return [find](const auto& tree, const auto& shapes, const auto&... options) {
    if constexpr (sizeof...(options) == 0) {
      return find(tree, shapes);
    } else {
      return find(tree, Regions(shapes), options...);
    }
  };
}

using Frustums = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig,
                             nb::device::cpu>;

template <typename AnyTree, typename Find>
void BindFrustumsOf(nb::module_& m, const std::string& name, Find find) {
  m.def(name.c_str(),
        [find](const AnyTree& tree, const Frustums& a,
               const CallOptions& run) -> Answer {
          const size_t planes = a.shape(1);
          const ArrayRows<HalfSpace> all(a.data(), a.shape(0) * planes);
          std::vector<HalfSpaces> sets(a.shape(0));
          for (size_t i = 0; i < sets.size(); ++i) {
            sets[i] = all.span().subspan(i * planes, planes);
          }
          return ManyOf(RunBatch<AnyTree>(
              run, sets.size(), OptionsOf<AnyTree>(), [&](const auto& options) {
                return find(tree, Regions(sets), options);
              }));
        });
}

// Binds a query of all regions. `find` is its function.
template <typename Find>
void BindRegionQuery(nb::module_& m, const std::string& find_what, Find find) {
  BindQuery<Sphere, Trees>(m, "in_ball" + find_what, CallOf(find));
  BindQuery<Aabb, Trees>(m, "in_box" + find_what, CallOf(find));
  BindQuery<Obb, Trees>(m, "in_obb" + find_what, CallOf(find));
  BindFrustumsOf<PosedTree>(m, "in_frustum" + find_what, find);
  BindFrustumsOf<ChunkedTree>(m, "in_frustum" + find_what, find);
}

}  // namespace

void BindRegions(nb::module_& m) {
  BindRegionQuery(m, "", [](const auto&... a) { return AllOverlaps(a...); });
  BindRegionQuery(m, "_any", [](const auto&... a) { return AnyOverlap(a...); });
  BindRegionQuery(m, "_count",
                  [](const auto&... a) { return CountOverlaps(a...); });
}

}  // namespace orbox::python
