// A motion of many poses against a scene of a thousand bodies: Orbox's batches
// beside FCL's manager, one thread each, in one process, in turns, over the
// same poses; and all of the motion on all cores.
//
//   scene_motion [--mesh FILE] [--poses 10000] [--every 10] [--passes 3]
//
// FCL answers one pose in `every`, and Orbox in the same rows just those, too:
// neighbours are further apart then, which is no help to it. Medians of passes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/scene_motion/motion_case.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/scene/motion_batch.h"
#include "orbox/bvh/scene/scene.h"

ABSL_FLAG(std::string, mesh, "",
          "the part; a torus knot of 100,000 triangles where there is none");
ABSL_FLAG(size_t, poses, 10'000, "of the motion");
ABSL_FLAG(size_t, every, 10, "FCL is asked about one pose in so many");
ABSL_FLAG(int, passes, 3, "in turns");
ABSL_FLAG(double, spacing, 1.5, "of the bodies, in diagonals of the part");

namespace orbox::scene_motion {
namespace {

double Seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double TimeOf(const std::function<void()>& work) {
  const double begin = Seconds();
  work();
  return Seconds() - begin;
}

// Both in turns; microseconds a pose, and their ratio.
void Compare(const char* name, size_t poses, const std::function<void()>& ours,
             const std::function<void()>& theirs,
             const std::function<size_t()>& differences) {
  std::vector<double> own, peer;
  for (int pass = 0; pass < absl::GetFlag(FLAGS_passes); ++pass) {
    own.push_back(TimeOf(ours));
    if (FclScene::IsHere()) peer.push_back(TimeOf(theirs));
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
  const BatchOptions one{.threads = 1};
  std::printf("%zu poses, one thread, microseconds a pose\n", poses.size());
  std::printf("question        orbox        fcl    ratio  different\n");

  std::vector<uint8_t> meets, fcl_meets;
  Compare(
      "meets", poses.size(),
      [&] { meets = MeetsAnyBodyAtPoses(scene, part, poses, one).value(); },
      [&] { fcl_meets = fcl.Meets(poses); },
      [&] {
        size_t different = 0;
        for (size_t i = 0; i < poses.size(); ++i) {
          different += meets[i] != fcl_meets[i] ? 1 : 0;
        }
        return different;
      });
  Lists<BodyId> bodies;
  std::vector<std::vector<uint32_t>> fcl_bodies;
  Compare(
      "bodies", poses.size(),
      [&] { bodies = BodiesMeetingAtPoses(scene, part, poses, one).value(); },
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
  std::vector<std::optional<NearBody>> gaps;
  std::vector<double> fcl_gaps;
  Compare(
      "distance", poses.size(),
      [&] { gaps = ClosestBodyAtPoses(scene, part, poses, one).value(); },
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
                       const std::function<void(const BatchOptions&)>& ask) {
    const double one = TimeOf([&] { ask({.threads = 1}); });
    const double all = TimeOf([&] { ask({}); });
    std::printf("%-10s %10.2f %10.2f\n", name, one * each, all * each);
  };
  row("meets", [&](const BatchOptions& o) {
    MeetsAnyBodyAtPoses(scene, part, motion.poses, o).value();
  });
  row("bodies", [&](const BatchOptions& o) {
    BodiesMeetingAtPoses(scene, part, motion.poses, o).value();
  });
  row("within 2 %", [&](const BatchOptions& o) {
    IsNearAnyBodyAtPoses(scene, part, motion.poses, 0.02, o).value();
  });
  row("distance", [&](const BatchOptions& o) {
    ClosestBodyAtPoses(scene, part, motion.poses, o).value();
  });
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
  return 0;
}

}  // namespace
}  // namespace orbox::scene_motion

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::scene_motion::Run();
}
