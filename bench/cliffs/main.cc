// SPDX-License-Identifier: Apache-2.0

// cliffs_bench: the time of a query on degenerate data, compared with general
// position, and with peers on the same data.
//
//   cliffs_bench [--meshes DIR] [--case NAME,...] [--query NAME,...]
//                [--worst N] [--json]
//
// A row is a case, a query, a mesh and a reference: the time of Orbox over that
// of the reference (`factor`), and the exponent with which it grows from n to
// 16 n (`growth`), for meshes that are made by a formula. For queries with
// lists as results, the reference's time is scaled to equally many results. One
// thread, one process, sides in turn; --list prints the cases.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "bench/cliffs/cliff.h"
#include "bench/peers/measure.h"
#include "orbox/bvh/io/read_mesh.h"
#include "tests/support/mesh_directory.h"

ABSL_FLAG(std::string, meshes, "", "the folder of the meshes");
ABSL_FLAG(std::vector<std::string>, mesh, {},
          "the meshes, by file name without extension; all if none");
ABSL_FLAG(std::vector<std::string>, case, {},
          "the cases, by name; all if none");
ABSL_FLAG(std::vector<std::string>, query, {},
          "the queries, by name; all if none");
ABSL_FLAG(bool, json, false, "prints JSON in place of a table");
ABSL_FLAG(bool, list, false, "prints the cases and queries, and exits");
ABSL_FLAG(double, seconds, 0.3, "the time of a comparison");
ABSL_FLAG(size_t, worst, 0,
          "prints so many rows, the largest factor first; 0: all, as they are "
          "measured");
ABSL_FLAG(bool, quick, false, "the smallest size only, without growth");

namespace orbox::cliffs {
namespace {

// A query that takes longer runs once, and not at a larger size.
constexpr double kSlow = 0.5e9;

bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() ||
         std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<NamedMesh> ReadMeshes(const std::filesystem::path& folder) {
  std::vector<NamedMesh> meshes;
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    for (const char* known : {".obj", ".ply", ".stl", ".off"}) {
      if (extension == known) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    if (!Holds(absl::GetFlag(FLAGS_mesh), path.stem().string())) continue;
    absl::StatusOr<Mesh> mesh = ReadMeshFile(path.string());
    if (!mesh.ok()) {
      std::fprintf(stderr, "cliffs_bench: %s\n",
                   std::string(mesh.status().message()).c_str());
      continue;
    }
    meshes.push_back({path.stem().string(), *std::move(mesh)});
  }
  return meshes;
}

struct Row {
  const Cliff* cliff = nullptr;
  std::string reference;
  size_t n = 0;
  double orbox_ns = 0;
  double reference_ns = 0;
  double growth = 0;
  bool has_growth = false;
  bool agree = false;

  double factor() const { return orbox_ns / reference_ns; }
};

void Print(const Row& row, bool is_first) {
  char growth[32];
  std::snprintf(growth, sizeof(growth), row.has_growth ? "%.3f" : "null",
                row.growth);
  if (absl::GetFlag(FLAGS_json)) {
    std::printf(
        "%s{\"case\":\"%s\",\"query\":\"%s\",\"mesh\":\"%s\",\"n\":%zu,"
        "\"orbox_ns\":%.17g,\"reference\":\"%s\",\"reference_ns\":%.17g,"
        "\"factor\":%.17g,\"growth\":%s,\"agree\":%s}",
        is_first ? "\n" : ",\n", row.cliff->name.c_str(),
        row.cliff->query.c_str(), row.cliff->mesh.c_str(), row.n, row.orbox_ns,
        row.reference.c_str(), row.reference_ns, row.factor(), growth,
        row.agree ? "true" : "false");
  } else {
    std::printf("%-22s %-14s %-16s %8zu %14.0f %-8s %14.0f %9.2f %7s  %s\n",
                row.cliff->name.c_str(), row.cliff->query.c_str(),
                row.cliff->mesh.c_str(), row.n, row.orbox_ns,
                row.reference.c_str(), row.reference_ns, row.factor(),
                row.has_growth ? growth : "-", row.agree ? "yes" : "NO");
  }
  std::fflush(stdout);
}

struct Measured {
  double ns = 0;  // a query
  double reference_ns = 0;
  size_t queried = 0;
};

// The sides in turn; a slow one once.
Measured Measure(const Side& orbox, const Side& reference) {
  const size_t count = std::min(orbox.count, reference.count);
  const auto call = [](const Side& side) {
    return [&side](size_t i) {
      volatile double kept = side.call(i);
      static_cast<void>(kept);
    };
  };
  const peers::Times times = peers::MeasureSideBySide(
      count, call(reference), call(orbox), absl::GetFlag(FLAGS_seconds));
  return {times.orbox_ns / static_cast<double>(orbox.queries_per_call),
          times.peer_ns / static_cast<double>(reference.queries_per_call),
          times.queries};
}

// For lists: the mean number of results of a query.
double Results(const Side& side, size_t queried) {
  double sum = 0;
  for (size_t i = 0; i < queried; ++i) sum += side.call(i);
  return sum / static_cast<double>(queried);
}

bool Agree(const Trial& trial, const Reference& reference, size_t queried) {
  for (size_t i = 0; i < std::min<size_t>(queried, 50); ++i) {
    const double ours = trial.orbox.call(i);
    if (!(ours == trial.otherwise.call(i))) return false;
    if (reference.tolerance < 0) continue;
    const double theirs = reference.side.call(i);
    if (ours == theirs) continue;
    const double allowed =
        reference.tolerance * static_cast<double>(trial.orbox.queries_per_call);
    if (!(std::abs(ours - theirs) <= allowed + 1e-5 * std::abs(ours))) {
      return false;
    }
  }
  return true;
}

// The slope of log time over log n.
double Growth(const std::vector<double>& ns, const std::vector<size_t>& sizes) {
  return std::log(ns.back() / ns.front()) /
         std::log(static_cast<double>(sizes[ns.size() - 1]) /
                  static_cast<double>(sizes.front()));
}

// Time a result where there are many: growth with the output is no cliff.
double PerResult(const Trial& trial, double ns, size_t queried) {
  if (!trial.counts_results) return ns;
  return ns / std::max(1.0, Results(trial.orbox, queried) /
                                static_cast<double>(trial.n));
}

// The rows of one cliff, at the largest size that is not slow.
std::vector<Row> Run(const Cliff& cliff) {
  std::vector<double> times;
  std::vector<size_t> sizes = cliff.sizes;
  if (absl::GetFlag(FLAGS_quick)) sizes.resize(1);
  std::vector<Row> rows;
  for (const size_t n : sizes) {
    const Trial trial = cliff.make(n);
    rows.clear();
    double slowest = 0;
    for (const Reference& reference : trial.references) {
      const Measured m = Measure(trial.orbox, reference.side);
      Row row{.cliff = &cliff, .reference = reference.name, .n = trial.n};
      row.orbox_ns = m.ns;
      row.reference_ns = m.reference_ns;
      if (trial.counts_results && reference.tolerance < 0) {
        // Scaled to the number of results in the degenerate case.
        const double ours = Results(trial.orbox, m.queried) + 1;
        const double theirs = Results(reference.side, m.queried) + 1;
        row.reference_ns *= std::max(1.0, ours / theirs);
      }
      row.agree = Agree(trial, reference, m.queried);
      if (rows.empty()) times.push_back(PerResult(trial, m.ns, m.queried));
      slowest = std::max(
          slowest, m.ns * static_cast<double>(trial.orbox.queries_per_call));
      rows.push_back(row);
    }
    if (slowest > kSlow) break;
  }
  for (Row& row : rows) {
    row.has_growth = times.size() > 1;
    if (row.has_growth) row.growth = Growth(times, sizes);
  }
  return rows;
}

int Main(const std::vector<std::string>& names) {
  std::filesystem::path folder = absl::GetFlag(FLAGS_meshes);
  if (folder.empty()) folder = MeshDirectory();
  std::vector<NamedMesh> meshes;
  if (!folder.empty()) meshes = ReadMeshes(folder);
  std::vector<Cliff> cliffs;
  AppendWorldCliffs(&cliffs);
  AppendClusterCliffs(meshes, &cliffs);
  AppendPairCliffs(meshes, &cliffs);
  AppendSceneCliffs(&cliffs);
  AppendMotionCliffs(&cliffs);
  const bool json = absl::GetFlag(FLAGS_json);
  if (!absl::GetFlag(FLAGS_list)) {
    if (json) {
      std::printf("[");
    } else {
      std::printf("%-22s %-14s %-16s %8s %14s %-8s %14s %9s %7s  %s\n", "case",
                  "query", "mesh", "n", "orbox ns", "beside", "its ns",
                  "factor", "growth", "agree");
    }
  }
  const size_t worst = absl::GetFlag(FLAGS_worst);
  std::vector<Row> worst_rows;
  size_t printed = 0;
  size_t chosen = 0;
  for (const Cliff& cliff : cliffs) {
    if (!Holds(names, cliff.name)) continue;
    if (!Holds(absl::GetFlag(FLAGS_query), cliff.query)) continue;
    ++chosen;
    if (absl::GetFlag(FLAGS_list)) {
      std::printf("%s %s %s\n", cliff.name.c_str(), cliff.query.c_str(),
                  cliff.mesh.c_str());
    } else {
      for (const Row& row : Run(cliff)) {
        if (worst == 0) Print(row, printed++ == 0);
        worst_rows.push_back(row);
      }
    }
  }
  std::stable_sort(
      worst_rows.begin(), worst_rows.end(),
      [](const Row& x, const Row& y) { return x.factor() > y.factor(); });
  for (size_t i = 0; i < std::min(worst, worst_rows.size()); ++i) {
    Print(worst_rows[i], i == 0);
  }
  if (json && !absl::GetFlag(FLAGS_list)) std::printf("\n]\n");
  if (chosen == 0) {
    std::fprintf(stderr,
                 "cliffs_bench: no such case or query; --list prints them\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace orbox::cliffs

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "measures Orbox where data is degenerate\n\n"
      "  cliffs_bench [--meshes DIR] [--case NAME,...] [--json]");
  absl::ParseCommandLine(argc, argv);
  return orbox::cliffs::Main(absl::GetFlag(FLAGS_case));
}
