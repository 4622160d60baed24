// SPDX-License-Identifier: Apache-2.0

// Scenes: their bodies, and queries with points, rays, regions and meshes.
#include "tools/python/scene.h"

#include <nanobind/nanobind.h>

#include <tuple>
#include <vector>

#include "orbox/bvh/query/region.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/poses.h"

namespace orbox::python {

template <>
struct FieldsOf<BodyPoint> {
  static auto Of(const BodyPoint& p) {
    return std::tuple_cat(FieldsOf<BodyId>::Of(p.body),
                          FieldsOf<SurfacePoint>::Of(p.surface));
  }
};
template <>
struct FieldsOf<BodyHit> {
  static auto Of(const BodyHit& h) {
    return std::tuple(int64_t{h.body}, h.hit.t, int64_t{h.hit.triangle},
                      h.hit.point);
  }
};
template <>
struct FieldsOf<ContactEvent> {  // 0 for begin, 1 for stay, 2 for end
  static auto Of(const ContactEvent& e) {
    return std::tuple(TrianglePair{e.bodies.a, e.bodies.b},
                      static_cast<int64_t>(e.change));
  }
};

namespace {

// Returns the body to ignore. Python passes a negative number for none.
BodyId Except(int64_t body) {
  return body >= 0 ? static_cast<BodyId>(body) : kNoBody;
}

Answer MeshOverlaps(SharedScene& scene, const PosedTree& mesh, int64_t except,
                    const CallOptions& run) {
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AllOverlaps(s, mesh, {Except(except)}, options);
      }));
}

Answer MeshClosest(SharedScene& scene, const PosedTree& mesh, int64_t except,
                   const CallOptions& run) {
  return NumpyRow(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return ClosestPair(s, mesh, {.except = Except(except)}, options);
      }));
}

Answer PosesOverlap(SharedScene& scene, const Tree& part, const PoseRows& array,
                    int64_t except, const CallOptions& run) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyBools(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AnyOverlap(s, part, poses, {Except(except)}, options);
      }));
}

Answer PosesClosest(SharedScene& scene, const Tree& part, const PoseRows& array,
                    int64_t except, const CallOptions& run) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return ClosestPair(s, part, poses, {.except = Except(except)}, options);
      }));
}

Answer ClosestPoints(SharedScene& scene, const DoubleRows<3>& array,
                     double max_distance, const CallOptions& run) {
  const ArrayRows<Vec3> rows(array);
  const std::vector<Vec3> points(rows.span().begin(), rows.span().end());
  CheckFinite({array.data(), 3 * points.size()}, 3, "points");
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return ClosestPoint(s, points, {.max_distance = max_distance}, options);
      }));
}

Answer FirstHits(SharedScene& scene,
                 const DoubleRows<ArrayRows<Ray>::kWidth>& array,
                 const CallOptions& run) {
  const ArrayRows<Ray> rays(array);
  return NumpyColumns(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return ClosestHit(s, rays.span(), {}, options);
      }));
}

template <typename Shape>
Answer BodiesIn(SharedScene& scene,
                const DoubleRows<ArrayRows<Shape>::kWidth>& array,
                const CallOptions& run) {
  const ArrayRows<Shape> shapes(array);
  return NumpyLists(
      ValueOnScene(scene, run, [&](const Scene& s, const RunOptions& options) {
        return AllOverlaps(s, Regions(shapes.span()), {}, options);
      }));
}

Answer Track(ContactTracker& tracker, SharedScene& scene) {
  {
    const nb::gil_scoped_release unlocked;
    scene.Read([&](const Scene& s) { tracker.Update(s); });
  }
  return NumpyColumns(tracker.events());
}

void BindChanges(nb::class_<SharedScene>& scene) {
  scene.def(nb::init<>())
      .def("add",
           [](SharedScene& s, const Tree& tree, const PoseRows& array) {
             const Pose pose = OnePose(array);
             return ValueOf(
                 s.Change([&](Scene& all) { return all.Add(tree, pose); }));
           })
      .def("move",
           [](SharedScene& s, BodyId body, const PoseRows& array) {
             const Pose pose = OnePose(array);
             ThrowIfBad(
                 s.Change([&](Scene& all) { return all.Move(body, pose); }));
           })
      .def("reshape",
           [](SharedScene& s, BodyId body, const Tree& tree,
              const PoseRows& array) {
             const Pose pose = OnePose(array);
             ThrowIfBad(s.Change(
                 [&](Scene& all) { return all.Reshape(body, tree, pose); }));
           })
      .def("remove", [](SharedScene& s, BodyId body) {
        ThrowIfBad(s.Change([&](Scene& all) { return all.Remove(body); }));
      });
}

}  // namespace

void BindScene(nb::module_& m) {
  nb::class_<SharedScene> scene(m, "Scene");
  BindChanges(scene);
  BindScenePairs(scene);
  scene.def("mesh_overlaps", MeshOverlaps)
      .def("mesh_closest", MeshClosest)
      .def("poses_overlap", PosesOverlap)
      .def("poses_closest", PosesClosest)
      .def("closest", ClosestPoints)
      .def("ray_first", FirstHits)
      .def("in_balls", BodiesIn<Sphere>)
      .def("in_boxes", BodiesIn<Aabb>);
  nb::class_<ContactTracker>(m, "ContactTracker")
      .def(nb::init<double>())
      .def("update", Track);
}

}  // namespace orbox::python
