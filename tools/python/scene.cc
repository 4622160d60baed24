// SPDX-License-Identifier: Apache-2.0

// Scenes: many bodies, asked together. A scene may be asked by many threads and
// changed by others: changes wait for questions, and questions for changes.
#include "orbox/bvh/scene/scene.h"

#include <nanobind/nanobind.h>

#include <limits>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "orbox/bvh/query/region.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/poses.h"

namespace orbox::python {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class SharedScene {
 public:
  // Waits for questions; without the interpreter's lock, which these may need.
  template <typename Work>
  auto Change(Work work) {
    const nb::gil_scoped_release unlocked;
    const std::unique_lock lock(mutex_);
    is_old_ = true;
    return work(scene_);
  }

  // The scene after its last change, which nobody changes meanwhile.
  template <typename Work>
  auto Ask(Work work) {
    while (true) {
      {
        const std::shared_lock lock(mutex_);
        if (!is_old_) return work(static_cast<const Scene&>(scene_));
      }
      const std::unique_lock lock(mutex_);
      if (is_old_) scene_.Update();
      is_old_ = false;
    }
  }

 private:
  Scene scene_;
  std::shared_mutex mutex_;
  bool is_old_ = false;
};

template <typename Options = QueryOptions, typename Work>
auto AskWatched(SharedScene& scene, int threads, const nb::object& progress,
                TraversalStatistics* statistics, Work work) {
  return Run({.progress = progress, .watched = true}, [&](Control& control) {
    Options options;
    options.threads = threads;
    options.statistics = statistics;
    control.Steer(options);
    return scene.Ask([&](const Scene& s) { return work(s, options); });
  });
}

nb::object NumpyBodies(std::span<const BodyPair> pairs) {
  Column<int64_t> ids(2 * pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    ids[2 * i] = pairs[i].a;
    ids[2 * i + 1] = pairs[i].b;
  }
  return Numpy(std::move(ids), 2);
}

// Gaps as columns: distance, faces, points of both.
class GapColumns {
 public:
  explicit GapColumns(size_t n)
      : distance_(n), faces_(2 * n), on_a_(3 * n), on_b_(3 * n) {}
  void Set(size_t i, const Witness& gap) {
    distance_[i] = gap.distance;
    Put(faces_, i, gap.triangles);
    Put(on_a_, i, gap.on_a);
    Put(on_b_, i, gap.on_b);
  }
  void SetMiss(size_t i) {
    distance_[i] = kInfinity;
    faces_[2 * i] = faces_[2 * i + 1] = -1;
    Put(on_a_, i, {kNan, kNan, kNan});
    Put(on_b_, i, {kNan, kNan, kNan});
  }
  nb::tuple Finish() && {
    return nb::make_tuple(
        Numpy(std::move(distance_)), Numpy(std::move(faces_), 2),
        Numpy(std::move(on_a_), 3), Numpy(std::move(on_b_), 3));
  }

 private:
  Column<double> distance_;
  Column<int64_t> faces_;
  Column<double> on_a_;
  Column<double> on_b_;
};

nb::tuple PairGaps(std::span<const BodyPairGap> gaps) {
  std::vector<BodyPair> bodies(gaps.size());
  GapColumns columns(gaps.size());
  for (size_t i = 0; i < gaps.size(); ++i) {
    bodies[i] = gaps[i].bodies;
    columns.Set(i, gaps[i].gap);
  }
  return nb::make_tuple(NumpyBodies(bodies), std::move(columns).Finish());
}

nb::object Overlaps(SharedScene& scene, int threads, const nb::object& progress,
                    TraversalStatistics* statistics) {
  return NumpyBodies(AskWatched(scene, threads, progress, statistics,
                                [](const Scene& s, const auto& options) {
                                  return AllOverlaps(s, options);
                                }));
}

nb::object OverlappingFaces(SharedScene& scene, int threads,
                            const nb::object& progress,
                            TraversalStatistics* statistics) {
  const auto lists = AskWatched(scene, threads, progress, statistics,
                                [](const Scene& s, const auto& options) {
                                  return AllOverlappingTriangles(s, options);
                                });
  return nb::make_tuple(NumpyBodies(lists.bodies), Numpy(Offsets(lists.pairs)),
                        NumpyPairs(lists.pairs.values));
}

nb::object Within(SharedScene& scene, double distance, int threads,
                  const nb::object& progress, TraversalStatistics* statistics) {
  return PairGaps(AskWatched(scene, threads, progress, statistics,
                             [&](const Scene& s, const auto& options) {
                               return AllWithin(s, distance, options);
                             }));
}

nb::object FacesWithin(SharedScene& scene, double distance, int threads,
                       const nb::object& progress,
                       TraversalStatistics* statistics) {
  const auto lists =
      AskWatched(scene, threads, progress, statistics,
                 [&](const Scene& s, const auto& options) {
                   return AllTrianglesWithin(s, distance, options);
                 });
  const nb::tuple columns = NumpyDistances(lists.pairs.values);
  return nb::make_tuple(NumpyBodies(lists.bodies), Numpy(Offsets(lists.pairs)),
                        columns[0], columns[1]);
}

nb::object MeshOverlaps(SharedScene& scene, const PosedTree& mesh,
                        int64_t except, TraversalStatistics* statistics) {
  return NumpyIds(std::span<const BodyId>(
      AskWatched<SceneOptions>(scene, 1, nb::none(), statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 if (except >= 0)
                                   options.except = static_cast<BodyId>(except);
                                 return AllOverlaps(s, mesh, options);
                               })));
}

nb::object MeshClosest(SharedScene& scene, const PosedTree& mesh,
                       int64_t except, TraversalStatistics* statistics) {
  const std::optional<BodyGap> gap =
      AskWatched<SceneOptions>(scene, 1, nb::none(), statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 if (except >= 0)
                                   options.except = static_cast<BodyId>(except);
                                 return ClosestPair(s, mesh, options);
                               });
  if (!gap) return nb::none();
  GapColumns columns(1);
  columns.Set(0, gap->gap);
  return nb::make_tuple(gap->body, std::move(columns).Finish());
}

nb::object PosesOverlap(SharedScene& scene, const Tree& part,
                        const PoseRows& array, int64_t except, int threads,
                        const nb::object& progress,
                        TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyBools(ValueOf(
      AskWatched<SceneOptions>(scene, threads, progress, statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 if (except >= 0)
                                   options.except = static_cast<BodyId>(except);
                                 return AnyOverlap(s, part, poses, options);
                               })));
}

nb::object PosesClosest(SharedScene& scene, const Tree& part,
                        const PoseRows& array, int64_t except, int threads,
                        const nb::object& progress,
                        TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  const auto gaps = ValueOf(
      AskWatched<SceneOptions>(scene, threads, progress, statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 if (except >= 0)
                                   options.except = static_cast<BodyId>(except);
                                 return ClosestPair(s, part, poses, options);
                               }));
  Column<int64_t> bodies(gaps.size());
  GapColumns columns(gaps.size());
  for (size_t i = 0; i < gaps.size(); ++i) {
    bodies[i] = gaps[i] ? static_cast<int64_t>(gaps[i]->body) : -1;
    if (gaps[i]) {
      columns.Set(i, gaps[i]->gap);
    } else {
      columns.SetMiss(i);
    }
  }
  return nb::make_tuple(Numpy(std::move(bodies)), std::move(columns).Finish());
}

nb::object ClosestPoints(SharedScene& scene, const DoubleRows<3>& array,
                         double max_distance, int threads,
                         const nb::object& progress,
                         TraversalStatistics* statistics) {
  const Rows<Vec3> rows(array);
  const std::vector<Vec3> points(rows.span().begin(), rows.span().end());
  CheckFinite({array.data(), 3 * points.size()}, 3, "points");
  const auto found = ValueOf(
      AskWatched<SceneOptions>(scene, threads, progress, statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 options.max_distance = max_distance;
                                 return ClosestPoint(s, points, options);
                               }));
  Column<int64_t> bodies(found.size());
  Column<double> distances(found.size());
  Column<int64_t> faces(found.size());
  Column<double> places(3 * found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const auto& hit = found[i];
    bodies[i] = hit ? static_cast<int64_t>(hit->body) : -1;
    distances[i] = hit ? hit->surface.distance : kInfinity;
    faces[i] = hit ? static_cast<int64_t>(hit->surface.triangle) : -1;
    Put(places, i, hit ? hit->surface.point : Vec3{kNan, kNan, kNan});
  }
  return nb::make_tuple(Numpy(std::move(bodies)), Numpy(std::move(distances)),
                        Numpy(std::move(faces)), Numpy(std::move(places), 3));
}

nb::object FirstHits(SharedScene& scene, const DoubleRows<6>& array,
                     double max_t, int threads, const nb::object& progress,
                     TraversalStatistics* statistics) {
  const Rows<Ray> rays(array);
  const auto found = ValueOf(
      AskWatched<SceneOptions>(scene, threads, progress, statistics,
                               [&](const Scene& s, SceneOptions options) {
                                 options.max_distance = max_t;
                                 return ClosestHit(s, rays.span(), options);
                               }));
  Column<int64_t> bodies(found.size());
  Column<double> t(found.size());
  Column<int64_t> faces(found.size());
  Column<double> places(3 * found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const auto& hit = found[i];
    bodies[i] = hit ? static_cast<int64_t>(hit->body) : -1;
    t[i] = hit ? hit->hit.t : kInfinity;
    faces[i] = hit ? static_cast<int64_t>(hit->hit.triangle) : -1;
    Put(places, i, hit ? hit->hit.point : Vec3{kNan, kNan, kNan});
  }
  return nb::make_tuple(Numpy(std::move(bodies)), Numpy(std::move(t)),
                        Numpy(std::move(faces)), Numpy(std::move(places), 3));
}

template <typename Shape>
nb::object BodiesIn(SharedScene& scene,
                    const DoubleRows<Rows<Shape>::kWidth>& array, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  const Rows<Shape> shapes(array);
  const auto lists = ValueOf(AskWatched<SceneOptions>(
      scene, threads, progress, statistics,
      [&](const Scene& s, const SceneOptions& options) {
        return AllOverlaps(s, Regions(shapes.span()), options);
      }));
  return nb::make_tuple(Numpy(Offsets(lists)),
                        NumpyIds(std::span<const BodyId>(lists.values)));
}

nb::object ClosestBodies(SharedScene& scene, TraversalStatistics* statistics) {
  const std::optional<BodyPairGap> gap =
      AskWatched(scene, 1, nb::none(), statistics,
                 [](const Scene& s, const auto& options) {
                   return ClosestPair(s, options);
                 });
  if (!gap) return nb::none();
  return PairGaps({&*gap, 1});
}

Pose OnePose(const PoseRows& array) {
  const std::vector<Pose> poses = PosesOf(array);
  if (poses.size() != 1) throw nb::value_error("pose: one pose is asked for");
  return poses[0];
}

// The pairs and what became of each: 0 for begin, 1 for stay, 2 for end.
nb::object Track(ContactTracker& tracker, SharedScene& scene) {
  {
    const nb::gil_scoped_release unlocked;
    scene.Ask([&](const Scene& s) { tracker.Update(s); });
  }
  const std::span<const ContactEvent> events = tracker.events();
  std::vector<BodyPair> bodies(events.size());
  Column<int64_t> changes(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    bodies[i] = events[i].bodies;
    changes[i] = static_cast<int64_t>(events[i].change);
  }
  return nb::make_tuple(NumpyBodies(bodies), Numpy(std::move(changes)));
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
  const auto common = [&](const char* name, auto function) {
    scene.def(name, function, nb::arg(), nb::arg().none(),
              nb::arg("statistics").none());
  };
  common("overlaps", Overlaps);
  common("overlapping_faces", OverlappingFaces);
  const auto with_one = [&](const char* name, auto function) {
    scene.def(name, function, nb::arg(), nb::arg(), nb::arg().none(),
              nb::arg("statistics").none());
  };
  with_one("within", Within);
  with_one("faces_within", FacesWithin);
  with_one("in_balls", BodiesIn<Sphere>);
  with_one("in_boxes", BodiesIn<Aabb>);
  const auto with_two = [&](const char* name, auto function) {
    scene.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
              nb::arg("statistics").none());
  };
  with_two("closest", ClosestPoints);
  with_two("ray_first", FirstHits);
  const auto of_poses = [&](const char* name, auto function) {
    scene.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
              nb::arg().none(), nb::arg("statistics").none());
  };
  of_poses("poses_overlap", PosesOverlap);
  of_poses("poses_closest", PosesClosest);
  scene
      .def("mesh_overlaps", MeshOverlaps, nb::arg(), nb::arg(),
           nb::arg("statistics").none())
      .def("mesh_closest", MeshClosest, nb::arg(), nb::arg(),
           nb::arg("statistics").none())
      .def("closest_bodies", ClosestBodies, nb::arg("statistics").none());
  nb::class_<ContactTracker>(m, "ContactTracker")
      .def(nb::init<double>())
      .def("update", Track);
}

}  // namespace orbox::python
