// SPDX-License-Identifier: Apache-2.0

// Hits of rays and of moving balls.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/rays/ray_crossings.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/queries.h"

namespace orbox::python {

template <typename Id>
struct FieldsOf<BasicRayHit<Id>> {
  static auto Of(const BasicRayHit<Id>& h) {
    return std::tuple(h.t, static_cast<int64_t>(h.triangle), h.barycentric,
                      h.point);
  }
};
template <typename Id>
struct FieldsOf<BasicSweepHit<Id>> {
  static auto Of(const BasicSweepHit<Id>& h) {
    return std::tuple(h.earliest, h.latest, static_cast<int64_t>(h.triangle),
                      h.point);
  }
};

// A crossing and the lowest face at its point.
struct FaceCrossing {
  RayCrossing crossing;
  uint32_t face;
};
template <>
struct FieldsOf<FaceCrossing> {
  static auto Of(const FaceCrossing& c) {
    return std::tuple(c.crossing.t, int64_t{c.face},
                      int64_t{c.crossing.winding},
                      static_cast<int64_t>(c.crossing.count), c.crossing.point);
  }
};

namespace {

absl::StatusOr<Lists<FaceCrossing>> Crossings(const PosedTree& tree,
                                              std::span<const Ray> rays,
                                              double max_t,
                                              QueryOptions options) {
  options.max_distance = max_t;
  const auto hits = AllHits(tree, rays, options);
  if (!hits.ok()) return hits.status();
  Lists<FaceCrossing> lists;
  for (size_t i = 0; i < rays.size(); ++i) {
    if (options.cancelled != nullptr && *options.cancelled) {
      return absl::CancelledError(QueryCancelled().what());
    }
    const std::span<const RayHit> list = (*hits)[i];
    for (const RayCrossing& c : CrossingsOf(tree, rays[i], list)) {
      lists.values.push_back({c, list[c.first].triangle});
    }
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
}

// Binds a query of rays or of moving balls. `find` is its function.
template <typename Query, typename Find>
void BindHits(nb::module_& m, const std::string& name, Find find) {
  BindQuery<Query, Trees, double>(m, name,
                                  [find](const auto& tree, const auto& queries,
                                         double max_t, auto options) {
                                    options.max_distance = max_t;
                                    return find(tree, queries, options);
                                  });
}

template <typename Query>
void BindKind(nb::module_& m, const std::string& kind) {
  BindHits<Query>(m, kind + "_first",
                  [](const auto&... a) { return ClosestHit(a...); });
  BindHits<Query>(m, kind + "_any",
                  [](const auto&... a) { return AnyHit(a...); });
  BindHits<Query>(m, kind + "_count",
                  [](const auto&... a) { return CountHits(a...); });
  BindHits<Query>(m, kind + "_all",
                  [](const auto&... a) { return AllHits(a...); });
}

}  // namespace

void BindRays(nb::module_& m) {
  BindKind<Ray>(m, "ray");
  BindKind<SweptSphere>(m, "sweep");
  BindBatch<Ray, PosedTree, double>(m, "ray_crossings", Crossings);
}

}  // namespace orbox::python
