// SPDX-License-Identifier: Apache-2.0

// Comparison of volumes for a single triangle: pairs of triangles of two meshes
// near contact, tested by each volume before the exact test.
//
//   leaf_volumes [--meshes DIR]
//
// Candidates are all pairs that come within a fiftieth of the diagonal: the
// ones that a tree would hand over. A line per volume: how many of a hundred
// candidates it lets through, how many of those meet (the rest are its false
// positives), and nanoseconds a test. Without any meshes, uses those of the
// generator.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "orbox/orbox.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/sphere_sphere.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "orbox/overlap/triangles/triangle_spheres.h"
#include "tests/support/mesh_directory.h"

ABSL_FLAG(std::string, meshes, "", "the folder of the meshes; else real ones");

namespace orbox {
namespace {

// The volumes of one triangle.
struct Volumes {
  Sphere centroid;
  Sphere smallest;
  Aabb box;
  Obb oriented;
};

// Along the longest edge, and as thin as the triangle.
Obb BoxOf(const Triangle& t) {
  Vec3 u = t.b - t.a;
  if (Norm(t.c - t.b) > Norm(u)) u = t.c - t.b;
  if (Norm(t.a - t.c) > Norm(u)) u = t.a - t.c;
  const Vec3 n = Cross(t.b - t.a, t.c - t.a);
  Obb box;
  if (Norm(n) > 0) {
    box.axes[0] = u * (1 / Norm(u));
    box.axes[2] = n * (1 / Norm(n));
    box.axes[1] = Cross(box.axes[2], box.axes[0]);
  }
  Vec3 lo;
  Vec3 hi;
  for (size_t i = 0; i < 3; ++i) {
    const double x[3] = {Dot(t.a, box.axes[i]), Dot(t.b, box.axes[i]),
                         Dot(t.c, box.axes[i])};
    lo[i] = *std::min_element(x, x + 3);
    hi[i] = *std::max_element(x, x + 3);
  }
  const Vec3 middle = (lo + hi) * 0.5;
  box.center =
      box.axes[0] * middle.x + box.axes[1] * middle.y + box.axes[2] * middle.z;
  // A little more than rounding takes.
  const double margin = 0x1p-40 * (Norm(middle) + Norm(hi - lo));
  box.half_extents = (hi - lo) * 0.5 + Vec3{margin, margin, margin};
  return box;
}

std::vector<Volumes> VolumesOf(const Mesh& mesh) {
  std::vector<Volumes> volumes;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    volumes.push_back(
        {CentroidSphere(t), SmallestSphere(t), BoundsOf(t), BoxOf(t)});
  }
  return volumes;
}

bool DoBoxesOverlap(const Volumes& s, const Volumes& t) {
  return Overlaps(s.box, t.box);
}

struct Row {
  const char* name;
  bool (*may_overlap)(const Volumes& s, const Volumes& t);
};
constexpr Row kRows[] = {
    {"centroid sphere",
     [](const Volumes& s, const Volumes& t) {
       return MayOverlap(s.centroid, t.centroid);
     }},
    {"smallest sphere",
     [](const Volumes& s, const Volumes& t) {
       return MayOverlap(s.smallest, t.smallest);
     }},
    {"aabb", DoBoxesOverlap},
    {"aabb, then centroid sphere",
     [](const Volumes& s, const Volumes& t) {
       return DoBoxesOverlap(s, t) && MayOverlap(s.centroid, t.centroid);
     }},
    {"obb, 15 axes",
     [](const Volumes& s, const Volumes& t) {
       return OverlapsSat(s.oriented, t.oriented);
     }},
    {"obb, 6 axes",
     [](const Volumes& s, const Volumes& t) {
       return OverlapsSatLite(s.oriented, t.oriented);
     }},
};

struct Tally {
  double candidates = 0;
  double meeting = 0;
  std::array<double, std::size(kRows)> accepted{};
  std::array<double, std::size(kRows)> seconds{};
};

double Now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// The mesh against itself, moved by half its size: surfaces cross.
void Measure(const Mesh& mesh, Tally* sum) {
  const Vec3 size = mesh.bounds().hi - mesh.bounds().lo;
  const Tree tree = Build(mesh).value();
  const Pose pose =
      Pose::Rotation({0.6, 0, 0.8}, 0.7, {0.3 * size.x, 0, 0.1 * size.z});
  const PosedTree posed = PosedTree::Create(tree, pose).value();
  std::vector<Vec3> moved(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : moved) v = pose.Apply(v);
  const Mesh other =
      Mesh::Create(moved, {mesh.triangles().begin(), mesh.triangles().end()})
          .value();
  std::vector<TrianglePair> pairs;
  constexpr size_t kMost = 200'000;
  VisitWithin(tree, posed, 0.02 * Norm(size), [&](const PairDistance& p) {
    pairs.push_back(p.triangles);
    return pairs.size() < kMost ? Visit::kContinue : Visit::kStop;
  });
  const std::vector<Volumes> a = VolumesOf(mesh);
  const std::vector<Volumes> b = VolumesOf(other);
  sum->candidates += static_cast<double>(pairs.size());
  for (const TrianglePair& p : pairs) {
    const bool meet = Overlaps(mesh.triangle(p.a), other.triangle(p.b));
    sum->meeting += meet ? 1 : 0;
    for (const Row& row : kRows) {
      if (meet && !row.may_overlap(a[p.a], b[p.b])) {
        std::fprintf(stderr, "leaf_volumes: %s parts triangles that meet\n",
                     row.name);
        std::exit(1);
      }
    }
  }
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const double start = Now();
    size_t accepted = 0;
    for (const TrianglePair& p : pairs) {
      accepted += kRows[i].may_overlap(a[p.a], b[p.b]) ? 1 : 0;
    }
    sum->seconds[i] += Now() - start;
    sum->accepted[i] += static_cast<double>(accepted);
  }
}

void Print(const Tally& sum) {
  std::printf("%.0f candidates, of which %.2f %% meet\n", sum.candidates,
              100 * sum.meeting / sum.candidates);
  std::printf("%-28s %14s %16s %8s\n", "volume", "lets through %",
              "false positive %", "ns");
  for (size_t i = 0; i < std::size(kRows); ++i) {
    std::printf("%-28s %14.1f %16.1f %8.1f\n", kRows[i].name,
                100 * sum.accepted[i] / sum.candidates,
                100 * (sum.accepted[i] - sum.meeting) / sum.candidates,
                1e9 * sum.seconds[i] / sum.candidates);
  }
}

std::vector<Mesh> Meshes() {
  std::vector<Mesh> meshes;
  const std::string named = absl::GetFlag(FLAGS_meshes);
  const std::filesystem::path folder =
      named.empty() ? MeshDirectory() : std::filesystem::path(named);
  if (folder.empty()) {
    for (const char* const shape : {"torus_knot", "gear", "terrain"}) {
      meshes.push_back(
          GenerateMesh({.shape = shape, .triangles = 20'000}).value());
    }
    return meshes;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    absl::StatusOr<Mesh> mesh = ReadMeshFile(file.string());
    if (mesh.ok()) meshes.push_back(*std::move(mesh));
  }
  return meshes;
}

}  // namespace
}  // namespace orbox

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  orbox::Tally sum;
  for (const orbox::Mesh& mesh : orbox::Meshes()) orbox::Measure(mesh, &sum);
  orbox::Print(sum);
}
