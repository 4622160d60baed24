// SPDX-License-Identifier: Apache-2.0

// Hits of rays and of moving balls.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/rays/ray_crossings.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/traverse/query_options.h"
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
                                              const RunOptions& options) {
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

// Binds a query of rays. `find` is its function. Rows of a batch contain max_t,
// and single queries take it as a limit.
template <typename Find>
void BindHits(nb::module_& m, const std::string& name, std::type_identity<Ray>,
              Find find) {
  QueryBinder<Ray, Trees>::Batches(m, name, find);
  QueryBinder<Ray, Trees, double>::Singles(
      m, name + "_one", [find](const PosedTree& tree, Ray ray, double max_t) {
        ray.max_t = max_t;
        return find(tree, ray);
      });
}

// Binds a query of moving balls, which have no limits.
template <typename Find>
void BindHits(nb::module_& m, const std::string& name,
              std::type_identity<SweptSphere>, Find find) {
  BindQuery<SweptSphere, Trees>(m, name, find);
}

template <typename Query>
void BindKind(nb::module_& m, const std::string& kind) {
  constexpr std::type_identity<Query> kQuery;
  BindHits(m, kind + "_first", kQuery,
           [](const auto&... a) { return ClosestHit(a...); });
  BindHits(m, kind + "_any", kQuery,
           [](const auto&... a) { return AnyHit(a...); });
  BindHits(m, kind + "_count", kQuery,
           [](const auto&... a) { return CountHits(a...); });
  BindHits(m, kind + "_all", kQuery,
           [](const auto&... a) { return AllHits(a...); });
}

}  // namespace

void BindRays(nb::module_& m) {
  BindKind<Ray>(m, "ray");
  BindKind<SweptSphere>(m, "sweep");
  BindBatch<Ray, PosedTree>(m, "ray_crossings", Crossings);
}

}  // namespace orbox::python
