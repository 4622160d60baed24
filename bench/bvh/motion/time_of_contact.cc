// SPDX-License-Identifier: Apache-2.0

// The first time at which two meshes touch, one moving and turning, compared
// with FCL's conservative advancement and its samples. Counts the contacts that
// each misses.
//
//   time_of_contact_bench [--meshes DIR] [--motions 20] [--advancement]
//
// FCL's samples are 100 and 1000 in equal steps; --advancement: its
// conservative advancement instead, which takes a second for each motion.
// Meshes have a diagonal of 1. Results are compared with a certain one: at
// Orbox's `latest` the posed meshes overlap, exactly. So a later time is late,
// and no contact is wrong. Processor time, solvers in turns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/bvh/motion/solver.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "tests/support/mesh_directory.h"
#include "tests/support/meshes.h"

ABSL_FLAG(std::string, meshes, "",
          "the folder with meshes; if empty, $ORBOX_MESH_DIR or shared/meshes");
ABSL_FLAG(int, motions, 20, "motions of each pair and kind");
ABSL_FLAG(bool, advancement, false, "FCL's conservative advancement");

namespace orbox::motion_bench {
namespace {

using meshes::Random;

constexpr std::pair<const char*, const char*> kPairs[] = {
    {"stanford-bunny.obj", "stanford-bunny.obj"},
    {"nefertiti.obj", "turbineblade.ply"},
    {"gears.stl", "gears.stl"},
    {"rocker-arm.obj", "homer.obj"},
    {"fandisk.obj", "fandisk.obj"}};

struct Kind {
  const char* name;
  double way;    // in diagonals
  double turn;   // at most, in radians
  double aside;  // how far from the other's centre it passes, at most
};
constexpr Kind kKinds[] = {{"head on", 3, 1.5, 0.1},
                           {"passing", 3, 1.5, 0.8},
                           {"turning", 1.5, 20, 0.5},
                           {"fast", 1000, 1.5, 0.3}};

// Around the origin, with a diagonal of 1.
Mesh Normalized(const Mesh& mesh) {
  const Vec3 center = mesh.bounds().Center();
  const double scale = 1 / Norm(mesh.bounds().hi - mesh.bounds().lo);
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) {
    vertices.push_back((v - center) * scale);
  }
  return *Mesh::Create(std::move(vertices),
                       {mesh.triangles().begin(), mesh.triangles().end()});
}

RigidMotion RandomMotion(const Kind& kind, Random& random) {
  const Vec3 way = random.Direction() * kind.way;
  const Vec3 aside = random.Direction() * random.Uniform(0, kind.aside);
  const Pose turned =
      Pose::Rotation(random.Direction(), random.Uniform(0, 6.28));
  RigidMotion motion;
  motion.start = turned;
  // Past the origin at a time from 0.4 to 0.6.
  motion.start.translation = aside - way * random.Uniform(0.4, 0.6);
  motion.translation = way;
  motion.axis = random.Direction();
  motion.angle = random.Uniform(0, kind.turn);
  motion.center = motion.start.translation;
  // FCL takes the smallest turn between the two ends.
  if (kind.turn <= 3) {
    motion = RigidMotion::Between(motion.start, motion.PoseAt(1));
  }
  return motion;
}

struct Tally {
  double microseconds = 0;
  int missed = 0;
  int late = 0;
  int false_contacts = 0;
  double latest = 0;  // how late at most, in time

  void Compare(const TimeOfContactResult& truth, std::optional<double> time) {
    // Meshes that are only near may or may not touch.
    if (truth.outcome == MotionOutcome::kApart) false_contacts += time ? 1 : 0;
    if (truth.outcome != MotionOutcome::kContact) return;
    if (!time) {
      ++missed;
    } else if (*time > truth.latest) {
      ++late;
      latest = std::max(latest, *time - truth.latest);
    }
  }
};

double Now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 +
         static_cast<double>(now.tv_nsec) * 1e-3;
}

struct Measured {
  int motions = 0;
  int contacts = 0;
  int near = 0;
  double steps = 0;
  double microseconds = 0;
  std::vector<Tally> others;
};

void Measure(const Mesh& a, const Mesh& b, const Kind& kind, int motions,
             Measured* sum) {
  const Tree tree_a = *Build(a);
  const Tree tree_b = *Build(b);
  const MovingTree still = *MovingTree::Create(tree_b, {});
  std::vector<std::unique_ptr<Solver>> others;
#ifdef ORBOX_PEER_FCL
  // Turns beyond half of one are no motion of FCL's.
  if (kind.turn <= 3) {
    if (absl::GetFlag(FLAGS_advancement)) {
      others.push_back(MakeFclAdvancement(a, b, 1e-4));
    } else {
      others.push_back(MakeFclSamples(a, b, 100));
      others.push_back(MakeFclSamples(a, b, 1000));
    }
    sum->others.resize(others.size());
  }
#endif
  Random random(7);
  for (int i = 0; i < motions; ++i) {
    const RigidMotion motion = RandomMotion(kind, random);
    double start = Now();
    const MovingTree moving = *MovingTree::Create(tree_a, motion);
    const TimeOfContactResult r = TimeOfContact(moving, still);
    sum->microseconds += Now() - start;
    sum->steps += r.steps;
    ++sum->motions;
    sum->contacts += r.outcome == MotionOutcome::kContact ? 1 : 0;
    sum->near += r.outcome == MotionOutcome::kNear ? 1 : 0;
    for (size_t k = 0; k < others.size(); ++k) {
      start = Now();
      const std::optional<double> time = others[k]->Solve(motion);
      sum->others[k].microseconds += Now() - start;
      sum->others[k].Compare(r, time);
    }
  }
}

void Print(const Kind& kind, const Measured& m) {
  std::printf("| %s | %d | %d | %d | %.1f | %.0f |", kind.name, m.motions,
              m.contacts, m.near, m.steps / m.motions,
              m.microseconds / m.motions);
  for (const Tally& other : m.others) {
    std::printf(" %.1f | %d | %d, up to %.2g | %d |",
                other.microseconds / m.microseconds, other.missed, other.late,
                other.latest, other.false_contacts);
  }
  std::printf("\n");
  std::fflush(stdout);
}

int Main() {
  std::vector<std::pair<Mesh, Mesh>> pairs;
  for (const auto& [first, second] : kPairs) {
    const std::string named = absl::GetFlag(FLAGS_meshes);
    const std::string folder =
        (named.empty() ? MeshDirectory().string() : named) + "/";
    const auto a = ReadMeshFile(folder + first);
    const auto b = ReadMeshFile(folder + second);
    if (!a.ok() || !b.ok()) {
      std::printf("%s\n", (a.ok() ? b : a).status().ToString().c_str());
      return 1;
    }
    pairs.emplace_back(Normalized(*a), Normalized(*b));
  }
  std::printf(
      "| motion | motions | contacts | near | steps | Orbox us | FCL, ratio | "
      "missed | late | false | FCL, ratio | missed | late | false |\n");
  for (const Kind& kind : kKinds) {
    Measured sum;
    for (const auto& [a, b] : pairs) {
      Measure(a, b, kind, absl::GetFlag(FLAGS_motions), &sum);
    }
    Print(kind, sum);
  }
  return 0;
}

}  // namespace
}  // namespace orbox::motion_bench

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::motion_bench::Main();
}
