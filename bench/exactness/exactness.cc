// SPDX-License-Identifier: Apache-2.0

// Decisions of each arithmetic, and the cost of exact answers.
//
//   exactness [--meshes DIR] [--min_triangles N]
//             [--cost [--seconds S] [--work PART_OF_NAME]]
//
// Prints a line for each query and set of meshes. The base is all triangles, or
// pairs of them, that leaves tested. The columns are the fraction that a float
// row decided with its error bound, the fraction that double and double-double
// decided with theirs, the number in 10,000 that took integers of any length,
// and the mesh with most of these. The sets are the meshes of DIR and those
// that `orbox gen` makes, with random queries; and both, with shapes that
// coincide by construction.
//
// With --cost: the time of queries compared with traversals whose leaves trust
// their floats (float_queries.h), in turn in one process, medians. With --work:
// of the queries whose names contain that.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/exactness/cost.h"
#include "bench/exactness/decisions.h"
#include "bench/peers/mesh_case.h"
#include "orbox/orbox.h"
#include "tests/support/mesh_directory.h"

ABSL_FLAG(std::string, meshes, "", "the folder of the meshes");
ABSL_FLAG(size_t, min_triangles, 10'000, "smaller meshes are left out");
ABSL_FLAG(size_t, generated, 20'000, "triangles of each generated mesh");
ABSL_FLAG(bool, cost, false, "measure times instead of counting decisions");
ABSL_FLAG(double, seconds, 1, "for each work and mesh, with --cost");
ABSL_FLAG(std::string, work, "", "with --cost: a part of the names of works");

namespace orbox::exactness {
namespace {

// Sums of one query over the meshes of a set.
struct Sums {
  uint64_t tests = 0;
  uint64_t by_float = 0;
  uint64_t by_double = 0;
  uint64_t by_exact = 0;
  double most = -1;
  std::string most_on;

  void Add(const std::string& name, const TraversalStatistics& s) {
    tests += s.triangle_tests;
    by_float += s.settled_by_float;
    by_double += s.settled_by_double;
    by_exact += s.settled_by_exact;
    const double share = Share(s.settled_by_exact, s.triangle_tests);
    if (share > most) {
      most = share;
      most_on = name;
    }
  }

  static double Share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }

  void Print(const char* work, const char* set) const {
    std::printf("| %s | %s | %.3g | %.2f | %.2f | %.3f | %.3f (%s) |\n", work,
                set, static_cast<double>(tests), 100 * Share(by_float, tests),
                100 * Share(by_double, tests), 1e4 * Share(by_exact, tests),
                1e4 * most, most_on.c_str());
  }
};

std::vector<peers::MeshCase> RealMeshes() {
  const std::string folder = absl::GetFlag(FLAGS_meshes).empty()
                                 ? MeshDirectory().string()
                                 : absl::GetFlag(FLAGS_meshes);
  std::vector<peers::MeshCase> cases;
  if (folder.empty()) return cases;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    absl::StatusOr<Mesh> read = ReadMeshFile(path.string());
    if (!read.ok() ||
        read->triangle_count() < absl::GetFlag(FLAGS_min_triangles)) {
      continue;
    }
    cases.emplace_back(path.stem().string(), *std::move(read));
  }
  return cases;
}

std::vector<peers::MeshCase> GeneratedMeshes() {
  std::vector<peers::MeshCase> cases;
  for (const GeneratedShape& shape : GeneratedShapes()) {
    const std::string name(shape.name);
    cases.emplace_back(
        name, GenerateMesh(
                  {.shape = name, .triangles = absl::GetFlag(FLAGS_generated)})
                  .value());
  }
  return cases;
}

void CountDecisions(const std::vector<peers::MeshCase>& cases, const char* set,
                    Questions (*questions_of)(const peers::MeshCase&)) {
  std::vector<Sums> sums(Works().size());
  for (const peers::MeshCase& mesh : cases) {
    const Questions questions = questions_of(mesh);
    for (size_t w = 0; w < Works().size(); ++w) {
      const Work& work = Works()[w];
      TraversalStatistics statistics;
      const size_t count = work.count(questions);
      for (size_t i = 0; i < count; ++i) work.call(questions, i, &statistics);
      sums[w].Add(mesh.name, statistics);
    }
    std::fprintf(stderr, "%s: %s done\n", set, mesh.name.c_str());
  }
  for (size_t w = 0; w < Works().size(); ++w) {
    sums[w].Print(Works()[w].name, set);
  }
  std::fflush(stdout);
}

int Run() {
  const std::vector<peers::MeshCase> real = RealMeshes();
  if (real.empty()) {
    std::fprintf(stderr, "exactness: no folder of meshes; give --meshes\n");
  }
  if (absl::GetFlag(FLAGS_cost)) {
    PrintCosts(real, absl::GetFlag(FLAGS_seconds), absl::GetFlag(FLAGS_work));
    return 0;
  }
  const std::vector<peers::MeshCase> generated = GeneratedMeshes();
  std::printf(
      "| question | meshes | decisions | float %% | double %% | exact of "
      "10,000 | most on a mesh |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
  CountDecisions(real, "real", AtRandom);
  CountDecisions(generated, "generated", AtRandom);
  CountDecisions(real, "real, coincident", AtCoincidences);
  CountDecisions(generated, "generated, coincident", AtCoincidences);
  return 0;
}

}  // namespace
}  // namespace orbox::exactness

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::exactness::Run();
}
