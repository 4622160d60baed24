// SPDX-License-Identifier: Apache-2.0

// Many bodies: in one spot, in a line, in a plane, with giants and outliers.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "orbox/orbox.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kSmallest = 256;

using Bodies = std::vector<Aabb>;

Aabb BoxAt(const Vec3& center, double half) {
  const Vec3 h = Vec3{1, 1, 1} * half;
  return {center - h, center + h};
}

// In a cube in which each meets a few others.
Bodies General(size_t n) {
  meshes::Random random(41);
  const double side = std::cbrt(static_cast<double>(n));
  Bodies bodies;
  for (size_t i = 0; i < n; ++i) {
    bodies.push_back(BoxAt(random.Point(0, side), 0.4));
  }
  return bodies;
}

Bodies InOneSpot(size_t n) { return Bodies(n / 8, BoxAt({0, 0, 0}, 0.5)); }

Bodies InALine(size_t n) {
  Bodies bodies;
  for (size_t i = 0; i < n; ++i) {
    bodies.push_back(BoxAt({static_cast<double>(i), 0, 0}, 0.5));
  }
  return bodies;
}

// Flat, side by side: each touches its neighbours.
Bodies InAPlane(size_t n) {
  Bodies bodies;
  const auto across = static_cast<size_t>(std::sqrt(static_cast<double>(n)));
  for (size_t i = 0; i < n; ++i) {
    const Vec3 lo{static_cast<double>(i % across),
                  static_cast<double>(i / across), 0};
    bodies.push_back({lo, lo + Vec3{1, 1, 0}});
  }
  return bodies;
}

Bodies WithOutlier(size_t n) {
  Bodies bodies = General(n - 1);
  bodies.push_back(BoxAt({1e12, 0, 0}, 0.5));
  return bodies;
}

Bodies InAGiant(size_t n) {
  Bodies bodies = General(n - 1);
  const double side = std::cbrt(static_cast<double>(n));
  bodies.push_back(BoxAt(Vec3{1, 1, 1} * (side / 2), side));
  return bodies;
}

Bodies OfAllSizes(size_t n) {
  meshes::Random random(42);
  Bodies bodies;
  for (size_t i = 0; i < n; ++i) {
    const double half = 0.5 * std::exp(-random.Uniform(0, 30));
    bodies.push_back(BoxAt(random.Point(0, 10), half));
  }
  return bodies;
}

struct Crowd {
  const char* name;
  Bodies (*make)(size_t n);
};
constexpr Crowd kCrowds[] = {
    {"bodies_in_one_spot", InOneSpot}, {"bodies_in_a_line", InALine},
    {"bodies_in_a_plane", InAPlane},   {"bodies_with_outlier", WithOutlier},
    {"bodies_in_a_giant", InAGiant},   {"bodies_of_all_sizes", OfAllSizes}};

// A scene of boxes; the broad phase is the default one.
std::shared_ptr<Scene> SceneOf(const Bodies& bodies) {
  const Tree tree = Build(meshes::Cube()).value();
  auto scene = std::make_shared<Scene>();
  for (const Aabb& box : bodies) {
    const Vec3 size = box.hi - box.lo;
    Pose pose;
    for (size_t axis = 0; axis < 3; ++axis) {
      pose.rows[axis] = {};
      pose.rows[axis][axis] = size[axis];
      pose.translation[axis] = box.lo[axis];
    }
    scene->Add(tree, pose).value();
  }
  scene->Update();
  return scene;
}

struct SceneQuestion {
  const char* name;
  double (*call)(const Scene& scene, const Bodies& bodies);
};

double RunUpdate(const Scene&, const Bodies& bodies) {
  const std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
  for (size_t i = 0; i < bodies.size(); ++i) {
    phase->Insert(static_cast<BodyId>(i), bodies[i]);
  }
  phase->Update();
  return static_cast<double>(phase->pairs().size());
}

// Eight frames in which each body moves by up to a twentieth of its size, all
// in one direction, so that the order of bodies does not matter.
double RunFrames(const Scene&, const Bodies& bodies) {
  Bodies moved = bodies;
  const std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
  for (size_t i = 0; i < moved.size(); ++i) {
    phase->Insert(static_cast<BodyId>(i), moved[i]);
  }
  phase->Update();
  meshes::Random random(43);
  for (int frame = 0; frame < 8; ++frame) {
    const Vec3 share = random.Point(-0.05, 0.05);
    for (size_t i = 0; i < moved.size(); ++i) {
      const Vec3 size = moved[i].hi - moved[i].lo;
      const Vec3 step{size.x * share.x, size.y * share.y, size.z * share.z};
      moved[i] = {moved[i].lo + step, moved[i].hi + step};
      phase->Move(static_cast<BodyId>(i), moved[i]);
    }
    phase->Update();
  }
  return static_cast<double>(phase->pairs().size());
}

constexpr SceneQuestion kQuestions[] = {
    {"broad_phase", RunUpdate},
    {"moving_frames", RunFrames},
    {"bodies_closest",
     [](const Scene& scene, const Bodies&) {
       return ClosestPair(scene)->gap.distance;
     }},
    {"bodies_overlap",
     [](const Scene& scene, const Bodies&) {
       return static_cast<double>(AllOverlaps(scene).size());
     }},
    {"bodies_within", [](const Scene& scene, const Bodies&) {
       return static_cast<double>(AllWithin(scene, 0.0).size());
     }}};

Side SideOf(const SceneQuestion& question, const Bodies& bodies) {
  return {1, [call = question.call, scene = SceneOf(bodies), bodies](size_t) {
            return call(*scene, bodies);
          }};
}

}  // namespace

void AppendSceneCliffs(std::vector<Cliff>* cliffs) {
  for (const Crowd& crowd : kCrowds) {
    for (const SceneQuestion& question : kQuestions) {
      cliffs->push_back(
          {crowd.name,
           question.name,
           "generated",
           {kSmallest, 4 * kSmallest, 16 * kSmallest},
           [&crowd, &question](size_t n) {
             const Bodies bodies = crowd.make(n);
             Trial trial;
             trial.n = bodies.size();
             trial.counts_results = true;
             trial.orbox = SideOf(question, bodies);
             // The other order of insertion, and so of ids.
             const Bodies reversed(bodies.rbegin(), bodies.rend());
             trial.otherwise = SideOf(question, reversed);
             trial.references.push_back(
                 {.name = "general",
                  .side = SideOf(question, General(bodies.size()))});
             return trial;
           }});
    }
  }
}

}  // namespace orbox::cliffs
