// SPDX-License-Identifier: Apache-2.0

// Growth of build and queries with the mesh: a torus knot of ever more
// triangles, from ten thousand to twenty million.
//
//   growth [--most N] > growth.json
//   bench/growth/plot_growth.py growth.json > growth.svg
//
// Nanoseconds a query by one thread, and a triangle for the build by all;
// queries are those of the smaller mesh: closest points from 1 % of the size
// and from afar, and the ten nearest triangles.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "orbox/orbox.h"

ABSL_FLAG(size_t, most, 20'000'000, "the triangles of the largest mesh");
ABSL_FLAG(bool, compact, false, "of trees in compact storage");

namespace orbox {
namespace {

constexpr size_t kQueries = 20'000;

double Seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double NanosecondsEach(const std::vector<Vec3>& points,
                       const std::function<void(const Vec3&)>& query) {
  std::vector<double> passes;
  for (int pass = 0; pass < 5; ++pass) {
    const double begin = Seconds();
    for (const Vec3& p : points) query(p);
    passes.push_back((Seconds() - begin) * 1e9 /
                     static_cast<double>(points.size()));
  }
  std::nth_element(passes.begin(), passes.begin() + 2, passes.end());
  return passes[2];
}

// Around random triangles, up to `distance` off.
std::vector<Vec3> PointsNear(const Mesh& mesh, double distance) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-distance, distance);
  std::vector<Vec3> points(kQueries);
  for (Vec3& p : points) {
    const auto id = static_cast<uint32_t>(generator() % mesh.triangle_count());
    p = mesh.triangle(id).a +
        Vec3{uniform(generator), uniform(generator), uniform(generator)};
  }
  return points;
}

int Run() {
  std::printf("[");
  const size_t most = absl::GetFlag(FLAGS_most);
  const char* separator = "\n";
  for (size_t size = 10'000; size <= most;) {
    const absl::StatusOr<Mesh> mesh =
        GenerateMesh({.shape = "torus_knot", .triangles = size});
    if (!mesh.ok()) {
      std::fprintf(stderr, "growth: %s\n", mesh.status().ToString().c_str());
      return 1;
    }
    const double begin = Seconds();
    const absl::StatusOr<Tree> tree = Build(
        *mesh, {.storage = absl::GetFlag(FLAGS_compact) ? Storage::kCompact
                                                        : Storage::kWide});
    const double built = Seconds() - begin;
    if (!tree.ok()) {
      std::fprintf(stderr, "growth: %s\n", tree.status().ToString().c_str());
      return 1;
    }
    const double diagonal = Norm(mesh->bounds().hi - mesh->bounds().lo);
    const std::vector<Vec3> near = PointsNear(*mesh, 0.01 * diagonal);
    const std::vector<Vec3> far = PointsNear(*mesh, 0.5 * diagonal);
    const auto closest = [&](const Vec3& p) { ClosestPoint(*tree, p); };
    const auto ten = [&](const Vec3& p) { KNearest(*tree, p, 10); };
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "%s{\"triangles\":%zu,\"build_ns_per_triangle\":%.1f,"
        "\"closest_near_ns\":%.1f,\"closest_far_ns\":%.1f,"
        "\"k_nearest_ns\":%.1f,\"tree_depth\":%d,\"peak_mib\":%ld}",
        separator, mesh->triangle_count(),
        built * 1e9 / static_cast<double>(mesh->triangle_count()),
        NanosecondsEach(near, closest), NanosecondsEach(far, closest),
        NanosecondsEach(near, ten), tree->depth(), usage.ru_maxrss / 1024);
    std::fflush(stdout);
    separator = ",\n";
    if (size == most) break;
    size = std::min(most, size * 2);
  }
  std::printf("\n]\n");
  return 0;
}

}  // namespace
}  // namespace orbox

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::Run();
}
