// SPDX-License-Identifier: Apache-2.0

// Scenes: their bodies, and queries with points, rays, regions and meshes.
#include "tools/python/scene.h"

#include <nanobind/nanobind.h>

#include <tuple>
#include <vector>

#include "orbox/bvh/query/region.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_options.h"
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

// Returns options that ignore a body, or none if the number is negative.
SceneOptions Except(int64_t body) {
  SceneOptions options;
  if (body >= 0) options.except = static_cast<BodyId>(body);
  return options;
}

Answer MeshOverlaps(SharedScene& scene, const PosedTree& mesh, int64_t except,
                    const CallOptions& run) {
  return NumpyColumns(RunOnScene(scene, run, Except(except),
                                 [&](const Scene& s, const auto& options) {
                                   return AllOverlaps(s, mesh, options);
                                 }));
}

Answer MeshClosest(SharedScene& scene, const PosedTree& mesh, int64_t except,
                   const CallOptions& run) {
  return NumpyRow(RunOnScene(scene, run, Except(except),
                             [&](const Scene& s, const auto& options) {
                               return ClosestPair(s, mesh, options);
                             }));
}

Answer PosesOverlap(SharedScene& scene, const Tree& part, const PoseRows& array,
                    int64_t except, const CallOptions& run) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyBools(ValueOf(RunOnScene(
      scene, run, Except(except), [&](const Scene& s, const auto& options) {
        return AnyOverlap(s, part, poses, options);
      })));
}

Answer PosesClosest(SharedScene& scene, const Tree& part, const PoseRows& array,
                    int64_t except, const CallOptions& run) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyColumns(ValueOf(RunOnScene(
      scene, run, Except(except), [&](const Scene& s, const auto& options) {
        return ClosestPair(s, part, poses, options);
      })));
}

Answer ClosestPoints(SharedScene& scene, const DoubleRows<3>& array,
                     double max_distance, const CallOptions& run) {
  const ArrayRows<Vec3> rows(array);
  const std::vector<Vec3> points(rows.span().begin(), rows.span().end());
  CheckFinite({array.data(), 3 * points.size()}, 3, "points");
  return NumpyColumns(
      ValueOf(RunOnScene(scene, run, SceneOptions{.max_distance = max_distance},
                         [&](const Scene& s, const auto& options) {
                           return ClosestPoint(s, points, options);
                         })));
}

Answer FirstHits(SharedScene& scene,
                 const DoubleRows<ArrayRows<Ray>::kWidth>& array,
                 const CallOptions& run) {
  const ArrayRows<Ray> rays(array);
  return NumpyColumns(ValueOf(RunOnScene(
      scene, run, SceneOptions(), [&](const Scene& s, const auto& options) {
        return ClosestHit(s, rays.span(), options);
      })));
}

template <typename Shape>
Answer BodiesIn(SharedScene& scene,
                const DoubleRows<ArrayRows<Shape>::kWidth>& array,
                const CallOptions& run) {
  const ArrayRows<Shape> shapes(array);
  return NumpyLists(ValueOf(RunOnScene(
      scene, run, SceneOptions(), [&](const Scene& s, const auto& options) {
        return AllOverlaps(s, Regions(shapes.span()), options);
      })));
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
