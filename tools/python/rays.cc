// SPDX-License-Identifier: Apache-2.0

// Hits of rays and of moving balls.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
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
#include "tools/python/plain.h"

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

// The numbers of a ray are those of its members: the last one is the integer
// `skip`.
template <typename Query>
using QueryRows = DoubleRows<ArrayRows<Query>::kWidth>;

// Common code of all batches of rays or moving balls, for trees and chunked
// trees.
template <typename AnyTree, typename Query, typename Question>
auto RayBatch(const QueryRows<Query>& array, const CallOptions& run,
              const Question& call) {
  const ArrayRows<Query> queries(array);
  return RunBatch<AnyTree>(
      run, queries.size(), OptionsOf<AnyTree>(),
      [&](const auto& options) { return call(queries.span(), options); });
}

// Queries of one ray take its max_t as an argument. Moving balls ignore it.
Ray Limited(const Ray& ray, double max_t) {
  return {ray.origin, ray.direction, 0, max_t};
}
const SweptSphere& Limited(const SweptSphere& ball, double) { return ball; }

template <typename AnyTree, typename Query>
Answer First(const AnyTree& tree, const QueryRows<Query>& a,
             const CallOptions& run) {
  return NumpyColumns(RayBatch<AnyTree, Query>(
      a, run, [&](std::span<const Query> all, const auto& options) {
        return ClosestHit(tree, all, options);
      }));
}

template <typename AnyTree, typename Query>
Answer Any(const AnyTree& tree, const QueryRows<Query>& a,
           const CallOptions& run) {
  return NumpyBools(RayBatch<AnyTree, Query>(
      a, run, [&](std::span<const Query> all, const auto& options) {
        return AnyHit(tree, all, options);
      }));
}

template <typename AnyTree, typename Query>
Answer Count(const AnyTree& tree, const QueryRows<Query>& a,
             const CallOptions& run) {
  return NumpyCounts(RayBatch<AnyTree, Query>(
      a, run, [&](std::span<const Query> all, const auto& options) {
        return CountHits(tree, all, options);
      }));
}

template <typename AnyTree, typename Query>
Answer All(const AnyTree& tree, const QueryRows<Query>& a,
           const CallOptions& run) {
  return NumpyLists(RayBatch<AnyTree, Query>(
      a, run, [&](std::span<const Query> all, const auto& options) {
        return AllHits(tree, all, options);
      }));
}

Answer Crossings(const PosedTree& tree, const QueryRows<Ray>& a,
                 const CallOptions& run) {
  return NumpyLists(RayBatch<PosedTree, Ray>(
      a, run,
      [&](std::span<const Ray> all,
          const auto& options) -> absl::StatusOr<Lists<FaceCrossing>> {
        const auto hits = AllHits(tree, all, options);
        if (!hits.ok()) return hits.status();
        Lists<FaceCrossing> lists;
        for (size_t i = 0; i < all.size(); ++i) {
          if (options.cancelled != nullptr && *options.cancelled) {
            return absl::CancelledError(QueryCancelled().what());
          }
          const std::span<const RayHit> list = (*hits)[i];
          for (const RayCrossing& c : CrossingsOf(tree, all[i], list)) {
            lists.values.push_back({c, list[c.first].triangle});
          }
          lists.offsets.push_back(lists.values.size());
        }
        return lists;
      }));
}

// Single queries. The lock is kept, because the first hit takes some
// microseconds.
template <typename Query>
Answer FirstOne(const PosedTree& tree, const nb::tuple& parts,
                nb::handle max_t) {
  return RunOne<Query>(parts, max_t, [&](const Query& query, double limit) {
    return NumpyRowOrMissing(ClosestHit(tree, Limited(query, limit)));
  });
}

template <typename Query>
Answer AnyOne(const PosedTree& tree, const nb::tuple& parts, nb::handle max_t) {
  return RunOne<Query>(parts, max_t, [&](const Query& query, double limit) {
    return nb::bool_(AnyHit(tree, Limited(query, limit)));
  });
}

template <typename Query>
Answer CountOne(const PosedTree& tree, const nb::tuple& parts,
                nb::handle max_t) {
  return RunOne<Query>(parts, max_t, [&](const Query& query, double limit) {
    return nb::int_(
        Unlocked([&] { return CountHits(tree, Limited(query, limit)); }));
  });
}

template <typename Query>
Answer AllOne(const PosedTree& tree, const nb::tuple& parts, nb::handle max_t) {
  return RunOne<Query>(parts, max_t, [&](const Query& query, double limit) {
    return NumpyList(
        Unlocked([&] { return AllHits(tree, Limited(query, limit)); }));
  });
}

template <typename AnyTree, typename Query>
void BindRayBatches(nb::module_& m, const std::string& kind) {
  m.def((kind + "_first").c_str(), First<AnyTree, Query>);
  m.def((kind + "_any").c_str(), Any<AnyTree, Query>);
  m.def((kind + "_count").c_str(), Count<AnyTree, Query>);
  m.def((kind + "_all").c_str(), All<AnyTree, Query>);
}

// Binds a single query. Chunked trees support only batches.
template <typename Question>
void BindOne(nb::module_& m, const std::string& name, Question call) {
  m.def(name.c_str(), call, nb::arg(), nb::arg(), nb::arg("max_t").none());
  m.def(
      name.c_str(),
      [](const ChunkedTree&, const nb::tuple&, nb::handle) -> Answer {
        return nb::none();
      },
      nb::arg(), nb::arg(), nb::arg("max_t").none());
}

// Binds the queries of rays or of moving balls, both batches and single ones.
template <typename Query>
void BindKind(nb::module_& m, const std::string& kind) {
  BindRayBatches<PosedTree, Query>(m, kind);
  BindRayBatches<ChunkedTree, Query>(m, kind);
  BindOne(m, kind + "_first_one", FirstOne<Query>);
  BindOne(m, kind + "_any_one", AnyOne<Query>);
  BindOne(m, kind + "_count_one", CountOne<Query>);
  BindOne(m, kind + "_all_one", AllOne<Query>);
}

}  // namespace

void BindRays(nb::module_& m) {
  BindKind<Ray>(m, "ray");
  BindKind<SweptSphere>(m, "sweep");
  m.def("ray_crossings", Crossings);
}

}  // namespace orbox::python
