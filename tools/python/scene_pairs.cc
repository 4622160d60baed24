// SPDX-License-Identifier: Apache-2.0

// Queries between the bodies of a scene.
#include <nanobind/nanobind.h>

#include <limits>
#include <tuple>

#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "tools/python/clash.h"
#include "tools/python/pairs.h"
#include "tools/python/scene.h"

namespace orbox::python {

namespace {

// Returns (bodies, offsets, columns).
template <typename Pair>
Answer NumpyBodyLists(const BodyPairLists<Pair>& lists) {
  const nb::object columns = NumpyLists(lists.pairs);
  return nb::make_tuple(NumpyColumns(lists.bodies), columns[0], columns[1]);
}

Answer Overlaps(SharedScene& scene, const CallOptions& run) {
  return NumpyColumns(
      ValueOnScene(scene, run, [](const Scene& s, const RunOptions& options) {
        return AllOverlaps(s, options);
      }));
}

Answer OverlappingFaces(SharedScene& scene, const CallOptions& run) {
  return NumpyBodyLists(
      ValueOnScene(scene, run, [](const Scene& s, const RunOptions& options) {
        return AllOverlappingTriangles(s, options);
      }));
}

Answer Within(SharedScene& scene, double distance, const CallOptions& run) {
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AllWithin(s, distance, options);
      }));
}

Answer FacesWithin(SharedScene& scene, double distance,
                   const CallOptions& run) {
  return NumpyBodyLists(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AllTrianglesWithin(s, distance, options);
      }));
}

Answer Clashes(SharedScene& scene, const ClashOptions& wanted,
               const CallOptions& run) {
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AllClashes(s, wanted, options);
      }));
}

Answer ClosestBodies(SharedScene& scene, const CallOptions& run) {
  return NumpyRow(
      ValueOnScene(scene, run, [](const Scene& s, const RunOptions& options) {
        return ClosestPair(s, std::numeric_limits<double>::infinity(), options);
      }));
}

}  // namespace

void BindScenePairs(nb::class_<SharedScene>& scene) {
  scene.def("overlaps", Overlaps)
      .def("overlapping_faces", OverlappingFaces)
      .def("within", Within)
      .def("faces_within", FacesWithin)
      .def("clashes", Clashes)
      .def("closest_bodies", ClosestBodies);
}

}  // namespace orbox::python
