// SPDX-License-Identifier: Apache-2.0

// A motion of many poses against a scene of a thousand bodies: Orbox's batches
// compared with FCL's manager, one thread each, in one process, in turns, over
// the same poses; and all of the motion on all cores.
//
//   scene_motion [--mesh FILE] [--poses 10000] [--every 10] [--passes 3]
//
// FCL runs one pose in `every`, and in these rows Orbox runs just those, too.
// Consecutive poses are further apart then, which does not help Orbox. Medians
// of passes, of the thread's own time; all cores by the wall clock.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/scene_motion/motion_case.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/meshes.h"

ABSL_FLAG(std::string, mesh, "",
          "the part; a torus knot of 100,000 triangles where there is none");
ABSL_FLAG(size_t, poses, 10'000, "of the motion");
ABSL_FLAG(size_t, every, 10, "FCL is asked about one pose in so many");
ABSL_FLAG(bool, distance, true, "compare distances, too, which take longest");
ABSL_FLAG(int, passes, 3, "in turns");
ABSL_FLAG(bool, fcl, true, "asks FCL, too, if it is here");
ABSL_FLAG(double, spacing, 1.5, "of the bodies, in diagonals of the part");

namespace orbox::scene_motion {
namespace {

constexpr double kNear = 0.02;  // of the part's diagonal

// This thread's own, or of the wall.
double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double TimeOf(const std::function<void()>& work,
              clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  const double begin = Seconds(clock);
  work();
  return Seconds(clock) - begin;
}

// Both in turns; microseconds a pose, and their ratio.
void Compare(const char* name, size_t poses, const std::function<void()>& ours,
             const std::function<void()>& theirs,
             const std::function<size_t()>& differences) {
  std::vector<double> own, peer;
  for (int pass = 0; pass < absl::GetFlag(FLAGS_passes); ++pass) {
    own.push_back(TimeOf(ours));
    if (FclScene::IsHere() && absl::GetFlag(FLAGS_fcl)) {
      peer.push_back(TimeOf(theirs));
    }
  }
  const double each = 1e6 / static_cast<double>(poses);
  if (peer.empty()) {
    std::printf("%-10s %10.2f          -        -         -\n", name,
                Median(own) * each);
    return;
  }
  std::printf("%-10s %10.2f %10.1f %8.1f %9zu\n", name, Median(own) * each,
              Median(peer) * each, Median(peer) / Median(own), differences());
  std::fflush(stdout);
}

void CompareWithFcl(const MotionCase& motion, const Tree& part,
                    const Scene& scene) {
  std::vector<Pose> poses;
  for (size_t i = 0; i < motion.poses.size(); i += absl::GetFlag(FLAGS_every)) {
    poses.push_back(motion.poses[i]);
  }
  FclScene fcl(motion);
  const RunOptions one{.threads = 1};
  std::printf("%zu poses, one thread, microseconds a pose\n", poses.size());
  std::printf("question        orbox        fcl    ratio  different\n");

  std::vector<uint8_t> meets, fcl_overlaps;
  Compare(
      "meets", poses.size(),
      [&] { meets = AnyOverlap(scene, part, poses, {}, one).value(); },
      [&] { fcl_overlaps = fcl.OverlapsAt(poses); },
      [&] {
        size_t different = 0;
        for (size_t i = 0; i < poses.size(); ++i) {
          different += meets[i] != fcl_overlaps[i] ? 1 : 0;
        }
        return different;
      });
  Lists<BodyId> bodies;
  std::vector<std::vector<uint32_t>> fcl_bodies;
  Compare(
      "bodies", poses.size(),
      [&] { bodies = AllOverlaps(scene, part, poses, {}, one).value(); },
      [&] { fcl_bodies = fcl.BodiesMeeting(poses); },
      [&] {
        size_t different = 0;
        for (size_t i = 0; i < poses.size(); ++i) {
          different += std::equal(bodies[i].begin(), bodies[i].end(),
                                  fcl_bodies[i].begin(), fcl_bodies[i].end())
                           ? 0
                           : 1;
        }
        return different;
      });
  std::vector<uint8_t> near, fcl_near;
  Compare(
      "within 2 %", poses.size(),
      [&] { near = AnyWithin(scene, part, poses, kNear, {}, one).value(); },
      [&] { fcl_near = fcl.Within(poses, kNear); },
      [&] {
        size_t different = 0;
        for (size_t i = 0; i < poses.size(); ++i) {
          different += near[i] != fcl_near[i] ? 1 : 0;
        }
        return different;
      });
  if (!absl::GetFlag(FLAGS_distance)) return;
  std::vector<std::optional<BodyGap>> gaps;
  std::vector<double> fcl_gaps;
  Compare(
      "distance", poses.size(),
      [&] { gaps = ClosestPair(scene, part, poses, {}, one).value(); },
      [&] { fcl_gaps = fcl.Distances(poses); },
      [&] {
        size_t different = 0;
        for (size_t i = 0; i < poses.size(); ++i) {
          // FCL's distances of triangles that meet may be negative.
          const double theirs = std::max(0.0, fcl_gaps[i]);
          different += std::abs(gaps[i]->gap.distance - theirs) > 1e-6 ? 1 : 0;
        }
        return different;
      });
  std::vector<double> distances;
  for (const auto& gap : gaps) distances.push_back(gap->gap.distance);
  std::sort(distances.begin(), distances.end());
  std::printf(
      "meeting %.0f %%, median distance %.3g, largest %.3g\n",
      100.0 * static_cast<double>(std::count(meets.begin(), meets.end(), 1)) /
          static_cast<double>(poses.size()),
      distances[distances.size() / 2], distances.back());
}

void MeasureAll(const MotionCase& motion, const Tree& part,
                const Scene& scene) {
  std::printf("all %zu poses, microseconds a pose\n", motion.poses.size());
  std::printf("question   one thread  all cores\n");
  const double each = 1e6 / static_cast<double>(motion.poses.size());
  const auto row = [&](const char* name,
                       const std::function<void(const RunOptions&)>& call) {
    const double one = TimeOf([&] { call({.threads = 1}); });
    const double all = TimeOf([&] { call({.threads = 0}); }, CLOCK_MONOTONIC);
    std::printf("%-10s %10.2f %10.2f\n", name, one * each, all * each);
  };
  row("meets", [&](const RunOptions& o) {
    AnyOverlap(scene, part, motion.poses, {}, o).value();
  });
  row("bodies", [&](const RunOptions& o) {
    AllOverlaps(scene, part, motion.poses, {}, o).value();
  });
  row("within 2 %", [&](const RunOptions& o) {
    AnyWithin(scene, part, motion.poses, kNear, {}, o).value();
  });
  if (!absl::GetFlag(FLAGS_distance)) return;
  row("distance", [&](const RunOptions& o) {
    ClosestPair(scene, part, motion.poses, {}, o).value();
  });
}

// A crowd in which each body drifts: contacts with and without data of the
// frame before.
void MeasureFrames(const MotionCase& motion, const Tree& part) {
  constexpr int kFrames = 100;
  Scene scene;
  std::vector<Vec3> velocities;
  meshes::Random random(2);
  for (const Pose& pose : motion.bodies) {
    if (!scene.Add(part, pose).ok()) std::exit(3);
    velocities.push_back(random.Direction() * 1e-3);
  }
  ContactTracker tracker(kNear);
  ContactTracker gap_tracker(kNear, ContactGaps::kYes);
  double tracked = 0, plain = 0, tracked_gaps = 0, plain_gaps = 0;
  size_t looked_at = 0, candidates = 0, different = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    for (BodyId body = 0; body < motion.bodies.size(); ++body) {
      Pose pose = motion.bodies[body];
      pose.translation += velocities[body] * frame;
      if (!scene.Move(body, pose).ok()) std::exit(3);
    }
    scene.Update();
    tracked += TimeOf([&] { tracker.Update(scene); });
    tracked_gaps += TimeOf([&] { gap_tracker.Update(scene); });
    std::vector<BodyPair> contacts;
    plain += TimeOf([&] {
      for (const BodyPair& p : AllBoundsWithin(scene, kNear)) {
        if (AnyWithin(scene.body(p.a), scene.body(p.b), kNear)) {
          contacts.push_back(p);
        }
      }
    });
    plain_gaps += TimeOf([&] { AllWithin(scene, kNear); });
    looked_at += tracker.pairs_looked_at();
    candidates += AllBoundsWithin(scene, kNear).size();
    for (const ContactTracker* t : {&tracker, &gap_tracker}) {
      different += std::equal(contacts.begin(), contacts.end(),
                              t->contacts().begin(), t->contacts().end())
                       ? 0
                       : 1;
    }
  }
  std::printf(
      "%d frames, all bodies drift by 0.001: contacts within 2 %%, "
      "microseconds a frame\n",
      kFrames);
  std::printf("yes or no: one by one %.0f, tracked %.0f (%zu of %zu pairs)\n",
              plain / kFrames * 1e6, tracked / kFrames * 1e6,
              looked_at / kFrames, candidates / kFrames);
  std::printf("with gaps: one by one %.0f, tracked %.0f; %zu frames differ\n",
              plain_gaps / kFrames * 1e6, tracked_gaps / kFrames * 1e6,
              different);
}

int Run() {
  const MotionCase motion = MakeCase({.mesh = absl::GetFlag(FLAGS_mesh),
                                      .spacing = absl::GetFlag(FLAGS_spacing),
                                      .poses = absl::GetFlag(FLAGS_poses)});
  const Tree part = Build(motion.part).value();
  Scene scene;
  for (const Pose& pose : motion.bodies) {
    if (!scene.Add(part, pose).ok()) return 3;
  }
  scene.Update();
  std::printf("%s, %zu triangles; %zu bodies\n", motion.name.c_str(),
              motion.part.triangle_count(), motion.bodies.size());
  CompareWithFcl(motion, part, scene);
  MeasureAll(motion, part, scene);
  MeasureFrames(motion, part);
  return 0;
}

}  // namespace
}  // namespace orbox::scene_motion

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::scene_motion::Run();
}
