// SPDX-License-Identifier: Apache-2.0

// Triangles that overlap balls, boxes, oriented boxes and frustums.
#include <nanobind/nanobind.h>

#include <optional>
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
#include "tools/python/plain.h"

namespace orbox::python {

namespace {

enum class WantedIds { kAll, kAny, kCount };

template <typename AnyTree>
Answer FindIn(WantedIds find, const AnyTree& tree, const Regions& regions,
              const CallOptions& run) {
  using Options = OptionsOf<AnyTree>;
  const auto call = [&](const auto& question) {
    return RunBatch<AnyTree>(run, regions.size(), Options(), question);
  };
  switch (find) {
    case WantedIds::kAny:
      return NumpyBools(call([&](const Options& options) {
        return AnyOverlap(tree, regions, options);
      }));
    case WantedIds::kCount:
      return NumpyCounts(call([&](const Options& options) {
        return CountOverlaps(tree, regions, options);
      }));
    case WantedIds::kAll:
      break;
  }
  return NumpyLists(call([&](const Options& options) {
    return AllOverlaps(tree, regions, options);
  }));
}

// Runs a batch. A row of the array contains the numbers of a Shape in order.
template <typename AnyTree, typename Shape>
Answer InShapes(const AnyTree& tree,
                const DoubleRows<ArrayRows<Shape>::kWidth>& a, WantedIds find,
                const CallOptions& run) {
  const ArrayRows<Shape> shapes(a);
  return FindIn(find, tree, Regions(shapes.span()), run);
}

// Runs a single query. Chunked trees support only batches.
template <typename Shape>
Answer InShape(const PosedTree& tree, const nb::tuple& parts, WantedIds find) {
  const std::optional<Shape> shape = PlainQuery<Shape>(parts);
  if (!shape) return nb::none();
  switch (find) {
    case WantedIds::kAny:
      return nb::bool_(Unlocked([&] { return AnyOverlap(tree, *shape); }));
    case WantedIds::kCount:
      return nb::int_(Unlocked([&] { return CountOverlaps(tree, *shape); }));
    case WantedIds::kAll:
      break;
  }
  return NumpyList(Unlocked([&] { return AllOverlaps(tree, *shape); }));
}

using Frustums = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig,
                             nb::device::cpu>;

template <typename AnyTree>
Answer InFrustums(const AnyTree& tree, const Frustums& a, WantedIds find,
                  const CallOptions& run) {
  const size_t planes = a.shape(1);
  const ArrayRows<HalfSpace> all(a.data(), a.shape(0) * planes);
  std::vector<HalfSpaces> sets(a.shape(0));
  for (size_t i = 0; i < sets.size(); ++i) {
    sets[i] = all.span().subspan(i * planes, planes);
  }
  return FindIn(find, tree, Regions(sets), run);
}

Answer InOneOfChunks(const ChunkedTree& /*tree*/, const nb::tuple& /*parts*/,
                     WantedIds /*find*/) {
  return nb::none();
}

template <typename AnyTree>
void BindShapes(nb::module_& m) {
  m.def("in_balls", InShapes<AnyTree, Sphere>);
  m.def("in_boxes", InShapes<AnyTree, Aabb>);
  m.def("in_obbs", InShapes<AnyTree, Obb>);
  m.def("in_frustums", InFrustums<AnyTree>);
}

}  // namespace

void BindRegions(nb::module_& m) {
  nb::enum_<WantedIds>(m, "Find")
      .value("all", WantedIds::kAll)
      .value("any", WantedIds::kAny)
      .value("count", WantedIds::kCount);
  BindShapes<PosedTree>(m);
  BindShapes<ChunkedTree>(m);
  m.def("in_ball", InShape<Sphere>);
  m.def("in_box", InShape<Aabb>);
  m.def("in_obb", InShape<Obb>);
  for (const char* name : {"in_ball", "in_box", "in_obb"}) {
    m.def(name, InOneOfChunks);
  }
}

}  // namespace orbox::python
