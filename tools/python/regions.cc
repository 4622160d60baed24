// SPDX-License-Identifier: Apache-2.0

// Triangles that overlap balls, boxes, oriented boxes and frustums.
#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "orbox/bvh/large/chunked_queries.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/region_overlap.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/plain.h"

namespace orbox::python {

namespace {

enum class Wanted { kAll, kAny, kCount };

template <typename AnyTree>
Answer FindIn(Wanted find, const AnyTree& tree, const Regions& regions,
              const Asked& asked) {
  const auto ask = [&](const auto& question) {
    return AskBatch<AnyTree>(asked, regions.size(), QueryOptions(), question);
  };
  switch (find) {
    case Wanted::kAny:
      return NumpyBools(ask([&](const QueryOptions& options) {
        return AnyOverlap(tree, regions, options);
      }));
    case Wanted::kCount:
      return NumpyCounts(ask([&](const QueryOptions& options) {
        return CountOverlaps(tree, regions, options);
      }));
    case Wanted::kAll:
      break;
  }
  return NumpyLists(ask([&](const QueryOptions& options) {
    return AllOverlaps(tree, regions, options);
  }));
}

// A row of the array is the numbers of a Shape in their order.
template <typename AnyTree, typename Shape>
Answer InShapes(const AnyTree& tree, const DoubleRows<Rows<Shape>::kWidth>& a,
                Wanted find, const Asked& asked) {
  const Rows<Shape> shapes(a);
  return FindIn(find, tree, Regions(shapes.span()), asked);
}

// A single one; chunked trees answer batches alone.
template <typename Shape>
Answer InShape(const Tree& tree, const nb::tuple& parts, Wanted find) {
  const std::optional<Shape> shape = PlainQuery<Shape>(parts);
  if (!shape) return nb::none();
  switch (find) {
    case Wanted::kAny:
      return nb::bool_(Unlocked([&] { return AnyOverlap(tree, *shape); }));
    case Wanted::kCount:
      return nb::int_(Unlocked([&] { return CountOverlaps(tree, *shape); }));
    case Wanted::kAll:
      break;
  }
  return NumpyList(Unlocked([&] { return AllOverlaps(tree, *shape); }));
}

using Frustums = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig,
                             nb::device::cpu>;

template <typename AnyTree>
Answer InFrustums(const AnyTree& tree, const Frustums& a, Wanted find,
                  const Asked& asked) {
  const size_t planes = a.shape(1);
  const Rows<HalfSpace> all(a.data(), a.shape(0) * planes);
  std::vector<HalfSpaces> sets(a.shape(0));
  for (size_t i = 0; i < sets.size(); ++i) {
    sets[i] = all.span().subspan(i * planes, planes);
  }
  return FindIn(find, tree, Regions(sets), asked);
}

Answer InOneOfChunks(const ChunkedTree& /*tree*/, const nb::tuple& /*parts*/,
                     Wanted /*find*/) {
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
  nb::enum_<Wanted>(m, "Find")
      .value("all", Wanted::kAll)
      .value("any", Wanted::kAny)
      .value("count", Wanted::kCount);
  BindShapes<Tree>(m);
  BindShapes<ChunkedTree>(m);
  m.def("in_ball", InShape<Sphere>);
  m.def("in_box", InShape<Aabb>);
  m.def("in_obb", InShape<Obb>);
  for (const char* name : {"in_ball", "in_box", "in_obb"}) {
    m.def(name, InOneOfChunks);
  }
}

}  // namespace orbox::python
