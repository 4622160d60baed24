// SPDX-License-Identifier: Apache-2.0

// Gain by mixing kinds of volumes: every work on one mesh, by trees of one kind
// and by a mixed one, in turn over the same queries.
//
//   kinds [--meshes DIR] [--min_triangles N] [--seconds S]
//
// Prints a line for each work and kind: the time over that of the mixed tree
// (geometric mean over the meshes, and the lowest: below 1, the kind is faster
// on some mesh), and the numbers of volumes that a query visits, accepts
// wrongly by the conservative test, and expands in vain. Last, for each work,
// the worst and the mean of the mixed tree compared with the best single kind
// of each mesh.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/peers/mesh_case.h"
#include "orbox/orbox.h"
#include "tests/support/mesh_directory.h"

ABSL_FLAG(std::string, meshes, "", "the folder of the meshes");
ABSL_FLAG(size_t, min_triangles, 10'000, "smaller meshes are left out");
ABSL_FLAG(double, seconds, 1, "for each work and mesh");

namespace orbox::peers {
namespace {

constexpr Volumes kKinds[] = {Volumes::kMixed, Volumes::kAabb, Volumes::kObb,
                              Volumes::kSphere};
constexpr const char* kNames[] = {"mixed", "aabb", "obb", "sphere"};
constexpr size_t kCount = std::size(kKinds);

using Query = std::function<void(const Tree&, size_t i, TraversalStatistics*)>;
struct Work {
  const char* name;
  Query (*query_of)(const MeshCase& mesh);
};

Query Far(const MeshCase& mesh) {
  return [&mesh](const Tree& tree, size_t i, TraversalStatistics* s) {
    ClosestPoint(tree, mesh.far[i], {.statistics = s}).value();
  };
}
Query Near(const MeshCase& mesh) {
  return [&mesh](const Tree& tree, size_t i, TraversalStatistics* s) {
    ClosestPoint(tree, mesh.near[i], {.statistics = s}).value();
  };
}
Query Ten(const MeshCase& mesh) {
  return [&mesh](const Tree& tree, size_t i, TraversalStatistics* s) {
    KNearest(tree, mesh.near[i], 10, {.statistics = s}).value();
  };
}
template <int kPercent>
Query Ball(const MeshCase& mesh) {
  return [&mesh, ids = std::vector<uint32_t>()](
             const Tree& tree, size_t i, TraversalStatistics* s) mutable {
    ids.clear();
    AppendOverlaps(tree, Sphere{mesh.near[i], mesh.diagonal * kPercent / 100},
                   &ids, IdOrder::kOfTree, {.statistics = s})
        .IgnoreError();
  };
}
Query Cast(const MeshCase& mesh) {
  return [&mesh](const Tree& tree, size_t i, TraversalStatistics* s) {
    ClosestHit(tree, mesh.rays[i], {.statistics = s}).value();
  };
}

constexpr Work kWorks[] = {
    {"closest_far", Far},           {"closest_near", Near},
    {"k_nearest k=10", Ten},        {"range_sphere r=1%", Ball<1>},
    {"range_sphere r=5%", Ball<5>}, {"ray", Cast}};

double Now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// Nanoseconds a query by each tree: medians of passes in turn.
std::array<double, kCount> Measure(const std::vector<Tree>& trees,
                                   const Query& query, size_t queries,
                                   double seconds) {
  std::array<std::vector<double>, kCount> passes;
  const double end = Now() + seconds;
  constexpr size_t kFewest = 5;
  while (passes[0].size() < kFewest || Now() < end) {
    for (size_t k = 0; k < kCount; ++k) {
      const double begin = Now();
      for (size_t i = 0; i < queries; ++i) query(trees[k], i, nullptr);
      passes[k].push_back((Now() - begin) * 1e9 / static_cast<double>(queries));
    }
  }
  std::array<double, kCount> median;
  for (size_t k = 0; k < kCount; ++k) {
    const auto middle = passes[k].begin() + passes[k].size() / 2;
    std::nth_element(passes[k].begin(), middle, passes[k].end());
    median[k] = *middle;
  }
  return median;
}

// Sums over the meshes, for one work.
struct Sums {
  std::array<double, kCount> log_ratio{};
  std::array<double, kCount> lowest_ratio;
  std::array<TraversalStatistics, kCount> statistics{};
  double log_best = 0;
  double worst_best = 0;
  size_t queries = 0;
  size_t meshes = 0;

  Sums() { lowest_ratio.fill(INFINITY); }

  void Add(const std::array<double, kCount>& ns) {
    double best = INFINITY;
    for (size_t k = 0; k < kCount; ++k) {
      const double ratio = ns[k] / ns[0];
      log_ratio[k] += std::log(ratio);
      lowest_ratio[k] = std::min(lowest_ratio[k], ratio);
      if (k != 0) best = std::min(best, ns[k]);
    }
    log_best += std::log(ns[0] / best);
    worst_best = std::max(worst_best, ns[0] / best);
    ++meshes;
  }

  void Print(const char* work) const {
    const auto n = static_cast<double>(queries);
    const auto m = static_cast<double>(meshes);
    for (size_t k = 0; k < kCount; ++k) {
      const TraversalStatistics& s = statistics[k];
      const VolumeStatistics total = s.Total();
      std::printf("| %s | %s | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f |\n",
                  work, kNames[k], std::exp(log_ratio[k] / m), lowest_ratio[k],
                  static_cast<double>(total.nodes_visited) / n,
                  static_cast<double>(s.leaves_visited) / n,
                  static_cast<double>(total.test_false_positives) / n,
                  static_cast<double>(total.subtree_false_positives) / n);
    }
    std::fprintf(stderr,
                 "%s: mixed beside the best single kind: %.3f, worst %.3f\n",
                 work, std::exp(log_best / m), worst_best);
  }
};

int Run() {
  const std::string folder = absl::GetFlag(FLAGS_meshes).empty()
                                 ? MeshDirectory().string()
                                 : absl::GetFlag(FLAGS_meshes);
  if (folder.empty()) {
    std::fprintf(stderr, "kinds: no folder of meshes; give --meshes\n");
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::array<Sums, std::size(kWorks)> sums;
  for (const auto& path : paths) {
    absl::StatusOr<Mesh> read = ReadMeshFile(path.string());
    if (!read.ok() ||
        read->triangle_count() < absl::GetFlag(FLAGS_min_triangles)) {
      continue;
    }
    const MeshCase mesh(path.stem().string(), *std::move(read));
    std::vector<Tree> trees;
    for (const Volumes v : kKinds) {
      trees.push_back(Build(mesh.mesh, {.volumes = v}).value());
    }
    for (size_t w = 0; w < std::size(kWorks); ++w) {
      const Query query = kWorks[w].query_of(mesh);
      const size_t queries = std::min<size_t>(mesh.near.size(), 2000);
      for (size_t k = 0; k < kCount; ++k) {
        for (size_t i = 0; i < queries; ++i) {
          query(trees[k], i, &sums[w].statistics[k]);
        }
      }
      sums[w].queries += queries;
      sums[w].Add(Measure(trees, query, queries, absl::GetFlag(FLAGS_seconds)));
    }
    std::fprintf(stderr, "%s done\n", mesh.name.c_str());
  }
  std::printf(
      "| work | volumes | time | lowest | nodes | leaves | wrongly accepted | "
      "opened in vain |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | "
      "---: |\n");
  for (size_t w = 0; w < std::size(kWorks); ++w) sums[w].Print(kWorks[w].name);
  return 0;
}

}  // namespace
}  // namespace orbox::peers

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::peers::Run();
}
