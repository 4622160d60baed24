// SPDX-License-Identifier: Apache-2.0

// Quality and speed of clash detection on a real building.
//
//   clashes --building DIR [--tolerance T] [--repetitions N] [--measures]
//           [--list] [--slowest N]
//   clashes --table DIR,DIR,... [--tolerance T]
//   clashes --generated [--write FILE.glb]
//
// DIR has scene.json, as the command reads it, and shared_volumes.json, a list
// of [body, body, volume] from booleans that are not Orbox's. A pair that
// shares more than 1e-9 (1 mm^3, in metres) is a clash. Prints, for each way to
// find clashes, the number of false and missed pairs, and the time (least of N,
// alternating; x is the processor's time over that of AllOverlaps). Then prints
// the changes of kinds if the building is rotated, moved to map coordinates, or
// rounded. --measures adds thickness and volume, --list the pairs that
// AllClashes has false or missed, --slowest those that take longest (with
// --measures, for the thickness). --table prints a row for each building: the
// processor's time of AllOverlaps, of kinds, of thickness to 1 %, the ratio of
// that to the first, the pair that takes longest, and the false and missed
// pairs. Pairs with a known shared thickness count as missed if it is above T.
// --generated makes a building of 8,800 bodies from formulas, whose true
// volumes are not known; --write writes it to a file, for `orbox clash`.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/clashes/building.h"
#include "bench/clashes/generated_building.h"

ABSL_FLAG(std::string, building, "", "the directory of the building");
ABSL_FLAG(std::vector<std::string>, table, {}, "directories of buildings");
ABSL_FLAG(bool, generated, false, "a building that is made from formulas");
ABSL_FLAG(std::string, write, "", "where the generated building goes");
ABSL_FLAG(double, tolerance, 0.001, "of a clash, in units of the model");
ABSL_FLAG(int, repetitions, 5, "the least time of so many counts");
ABSL_FLAG(bool, measures, false, "also ask for thickness and volume");
ABSL_FLAG(size_t, slowest, 0, "print the pairs that take longest");
ABSL_FLAG(bool, list, false, "print the pairs that are false or missed");

namespace orbox::clashes {
namespace {

constexpr double kLeastVolume = 1e-9;

double Seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The processor time of all threads together, which other programs on the
// machine hardly change.
double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * now.tv_nsec;
}

// A way to find the pairs that clash.
struct Way {
  const char* name;
  std::function<std::vector<BodyPair>()> call;
  std::vector<BodyPair> pairs;
  bool is_listed = false;
  double seconds = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();
};

std::vector<BodyPair> Clashing(const std::vector<BodyPairClash>& all) {
  std::vector<BodyPair> pairs;
  for (const BodyPairClash& c : all) {
    if (IsClash(c.clash.kind)) pairs.push_back(c.bodies);
  }
  return pairs;
}

void PrintWay(const Way& way, const Way& first, const Building& building) {
  const bool is_listed = way.is_listed && absl::GetFlag(FLAGS_list);
  size_t found = 0;
  size_t wrong = 0;
  for (const BodyPair& p : way.pairs) {
    const auto at = building.shared_volumes.find(p);
    if (at == building.shared_volumes.end()) continue;
    (at->second > kLeastVolume ? found : wrong) += 1;
    if (is_listed && at->second <= kLeastVolume) {
      std::printf("  false: %u %u shares %.3g\n", p.a, p.b, at->second);
    }
  }
  size_t missed = 0;
  for (const auto& [pair, volume] : building.shared_volumes) {
    if (volume <= kLeastVolume ||
        std::binary_search(way.pairs.begin(), way.pairs.end(), pair)) {
      continue;
    }
    ++missed;
    if (is_listed) {
      std::printf("  missed: %u %u shares %.3g\n", pair.a, pair.b, volume);
    }
  }
  std::printf("| %-42s | %6zu | %5zu | %5zu | %6zu | %8.2f | %8.2f | %6.1f |\n",
              way.name, way.pairs.size(), found, wrong, missed,
              way.seconds * 1e3, way.processor * 1e3,
              way.processor / first.processor);
}

void CompareWays(const Building& building, const ClashOptions& options) {
  const Scene scene = SceneOf(building.meshes);
  const FclBodies fcl(building.meshes);
  const auto clashing = [&](ClashOptions with, int threads = 1) {
    return [&scene, with, threads] {
      return Clashing(AllClashes(scene, with, {.threads = threads}).value());
    };
  };
  ClashOptions thickness = options;
  thickness.thickness = true;
  ClashOptions volume = options;
  volume.volume = true;
  std::vector<Way> ways = {
      {"AllOverlaps: surfaces meet", [&] { return AllOverlaps(scene); }, {}},
      {"AllClashes: kinds", clashing(options), {}, true},
      {"AllClashes: kinds, two threads", clashing(options, 2), {}},
  };
  if (absl::GetFlag(FLAGS_measures)) {
    ways.push_back(
        {"AllClashes: and thickness to 1 %", clashing(thickness), {}});
    ways.push_back({"AllClashes: and volume to 1 %", clashing(volume), {}});
  }
  if (IsFclHere()) {
    ways.push_back({"FCL: collide", [&] { return fcl.AllOverlaps(); }, {}});
  }
  for (int i = 0; i < absl::GetFlag(FLAGS_repetitions); ++i) {
    for (Way& way : ways) {
      const double begin = Seconds();
      const double processor = ProcessorSeconds();
      way.pairs = way.call();
      way.seconds = std::min(way.seconds, Seconds() - begin);
      way.processor = std::min(way.processor, ProcessorSeconds() - processor);
    }
  }
  const auto truth = std::count_if(
      building.shared_volumes.begin(), building.shared_volumes.end(),
      [](const auto& row) { return row.second > kLeastVolume; });
  std::printf(
      "%zu bodies, %zu pairs with a known volume, %td of them over %g\n\n",
      building.meshes.size(), building.shared_volumes.size(), truth,
      kLeastVolume);
  std::printf("| %-42s | %6s | %5s | %5s | %6s | %8s | %8s | %6s |\n", "way",
              "pairs", "found", "false", "missed", "ms", "of CPU", "x");
  std::printf(
      "| %s | -----: | ----: | ----: | -----: | -------: | -------: | -----: "
      "|\n",
      std::string(42, '-').c_str());
  for (const Way& way : ways) PrintWay(way, ways[0], building);
  std::fflush(stdout);
}

// Processor seconds of one call.
template <typename Work>
double Timed(Work work) {
  const double begin = ProcessorSeconds();
  work();
  return ProcessorSeconds() - begin;
}

void PrintSlowest(const Building& building, const ClashOptions& options,
                  size_t count) {
  const Scene scene = SceneOf(building.meshes);
  std::vector<std::pair<double, BodyPairClash>> times;
  for (const BodyPair& p : AllClashCandidates(scene, options)) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<BodyPairClash> found;
    for (int i = 0; i < absl::GetFlag(FLAGS_repetitions); ++i) {
      least = std::min(least, Timed([&] {
                         found = AllClashes(scene, {&p, 1}, options);
                       }));
    }
    times.emplace_back(least, found.empty() ? BodyPairClash{p, {}} : found[0]);
  }
  std::sort(times.begin(), times.end(),
            [](const auto& x, const auto& y) { return x.first > y.first; });
  times.resize(std::min(times.size(), count));
  for (const auto& [seconds, found] : times) {
    std::printf("  %9.1f us: %u %u, %zu and %zu triangles, %s, %.3g to %.3g\n",
                seconds * 1e6, found.bodies.a, found.bodies.b,
                building.meshes[found.bodies.a].triangle_count(),
                building.meshes[found.bodies.b].triangle_count(),
                std::string(NameOf(found.clash.kind)).c_str(),
                found.clash.thickness.lower, found.clash.thickness.upper);
  }
}

// The least of some calls; of one, where that takes long.
template <typename Work>
double LeastTime(Work work) {
  double least = Timed(work);
  for (int i = 1; i < absl::GetFlag(FLAGS_repetitions) && least < 2; ++i) {
    least = std::min(least, Timed(work));
  }
  return least;
}

void PrintTableHead() {
  std::printf(
      "| building | bodies | met | yes/no ms | first ms | kinds ms | x | "
      "thickness ms | x "
      "| slowest pair ms | with thickness | triangles | clash | false | missed "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:"
      "|---:"
      "|"
      "\n");
}

// Returns true if a pair shares more than `tolerance` by the booleans.
bool IsTrueClash(const Building& building, const BodyPair& pair, double volume,
                 double tolerance) {
  const auto at = building.shared_thicknesses.find(pair);
  return volume > kLeastVolume &&
         (at == building.shared_thicknesses.end() || at->second > tolerance);
}

void PrintTableRow(const std::string& directory, const ClashOptions& options) {
  const Building building = ReadBuilding(directory);
  const Scene scene = SceneOf(building.meshes);
  ClashOptions with = options;
  with.thickness = true;
  size_t met = 0;
  const double yes_no = LeastTime([&] { met = AllOverlaps(scene).size(); });
  std::vector<BodyPairClash> all;
  // The first call examines the bodies, for all calls.
  const double first = Timed([&] { all = AllClashes(scene, options); });
  const double kinds = LeastTime([&] { all = AllClashes(scene, options); });
  const double thickness = LeastTime([&] { (void)AllClashes(scene, with); });
  std::vector<BodyPair> clashing;
  for (const BodyPairClash& c : all) {
    if (IsClash(c.clash.kind)) clashing.push_back(c.bodies);
  }
  double slowest = 0;
  double slowest_with = 0;
  BodyPair pair{};
  for (const BodyPairClash& c : all) {
    slowest = std::max(slowest, Timed([&] {
                         (void)AllClashes(scene, {&c.bodies, 1}, options);
                       }));
    const double time = Timed([&] {
      (void)AllClashes(scene, {&c.bodies, 1}, with);
    });
    if (time > slowest_with) {
      slowest_with = time;
      pair = c.bodies;
    }
  }
  size_t wrong = 0;
  size_t missed = 0;
  for (const auto& [known, volume] : building.shared_volumes) {
    const bool is_found =
        std::binary_search(clashing.begin(), clashing.end(), known);
    const bool is_true =
        IsTrueClash(building, known, volume, options.tolerance);
    const bool is_false = is_found && volume <= kLeastVolume;
    wrong += is_false;
    missed += is_true && !is_found;
    if (absl::GetFlag(FLAGS_list) && (is_false || (is_true && !is_found))) {
      std::printf("  %s: %u %u shares %.3g\n", is_false ? "false" : "missed",
                  known.a, known.b, volume);
    }
  }
  std::printf(
      "| %s | %zu | %zu | %.2f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | "
      "%.2f | %zu "
      "x %zu (%u, %u) | %zu | %zu | %zu |\n",
      directory.substr(directory.find_last_of('/') + 1).c_str(),
      building.meshes.size(), met, yes_no * 1e3, first * 1e3, kinds * 1e3,
      kinds / yes_no, thickness * 1e3, thickness / yes_no, slowest * 1e3,
      slowest_with * 1e3, building.meshes[pair.a].triangle_count(),
      building.meshes[pair.b].triangle_count(), pair.a, pair.b, clashing.size(),
      wrong, missed);
  std::fflush(stdout);
}

// The kind of each pair that is not apart.
std::map<BodyPair, Clash> KindsOf(const std::vector<Mesh>& meshes,
                                  const ClashOptions& options) {
  std::map<BodyPair, Clash> kinds;
  for (const BodyPairClash& c : AllClashes(SceneOf(meshes), options)) {
    kinds[c.bodies] = c.clash;
  }
  return kinds;
}

ClashKind KindOf(const std::map<BodyPair, Clash>& kinds, const BodyPair& pair) {
  const auto at = kinds.find(pair);
  return at == kinds.end() ? ClashKind::kApart : at->second.kind;
}

void CompareMotions(const Building& building, const ClashOptions& options) {
  const Pose turn = Pose::Rotation({0, 0, 1}, std::numbers::pi / 6);
  struct Motion {
    const char* name;
    std::function<Vec3(const Vec3&)> move;
  };
  const Motion motions[] = {
      {"rotated by 30 degrees", [&](const Vec3& v) { return turn.Apply(v); }},
      {"at map coordinates",
       [](const Vec3& v) {
         return v + Vec3{155000.123, 463000.456, 12.345};
       }},
      {"rounded to 1 um",
       [](const Vec3& v) {
         return Vec3{std::round(v.x * 1e6) / 1e6, std::round(v.y * 1e6) / 1e6,
                     std::round(v.z * 1e6) / 1e6};
       }},
  };
  const auto before = KindsOf(building.meshes, options);
  std::printf(
      "\n| %-22s | %5s | surfaces meet: change | kinds: change | of these, to "
      "look at or not |\n| %s | ----: | ---: | ---: | ---: |\n",
      "building", "pairs", std::string(22, '-').c_str());
  const std::vector<BodyPair> met = AllOverlaps(SceneOf(building.meshes));
  for (const Motion& motion : motions) {
    const std::vector<Mesh> meshes = Moved(building.meshes, motion.move);
    const auto after = KindsOf(meshes, options);
    std::vector<BodyPair> pairs;
    for (const auto& [pair, clash] : before) pairs.push_back(pair);
    for (const auto& [pair, clash] : after) pairs.push_back(pair);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    size_t changed = 0;
    size_t crossed = 0;
    for (const BodyPair& p : pairs) {
      const ClashKind x = KindOf(before, p);
      const ClashKind y = KindOf(after, p);
      changed += x != y;
      if (IsClash(x) == IsClash(y)) continue;
      ++crossed;
      std::printf("  %s: %u %u from %s to %s\n", motion.name, p.a, p.b,
                  std::string(NameOf(x)).c_str(),
                  std::string(NameOf(y)).c_str());
    }
    std::vector<BodyPair> meet = AllOverlaps(SceneOf(meshes));
    std::vector<BodyPair> differ;
    std::set_symmetric_difference(met.begin(), met.end(), meet.begin(),
                                  meet.end(), std::back_inserter(differ));
    std::printf("| %-22s | %5zu | %zu | %zu | %zu |\n", motion.name,
                pairs.size(), differ.size(), changed, crossed);
  }
}

}  // namespace
}  // namespace orbox::clashes

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  if (const auto table = absl::GetFlag(FLAGS_table); !table.empty()) {
    orbox::clashes::PrintTableHead();
    for (const std::string& directory : table) {
      orbox::clashes::PrintTableRow(
          directory, {.tolerance = absl::GetFlag(FLAGS_tolerance)});
    }
    return 0;
  }
  orbox::clashes::Building building;
  if (absl::GetFlag(FLAGS_generated)) {
    const auto bodies = orbox::clashes::GeneratedBuilding();
    if (const std::string path = absl::GetFlag(FLAGS_write); !path.empty()) {
      const absl::Status written = orbox::WriteBodiesFile(bodies, path);
      if (!written.ok()) {
        std::fprintf(stderr, "clashes: %s\n",
                     std::string(written.message()).c_str());
        return 4;
      }
      return 0;
    }
    for (const auto& body : bodies) building.meshes.push_back(body.mesh);
  } else if (!absl::GetFlag(FLAGS_building).empty()) {
    building = orbox::clashes::ReadBuilding(absl::GetFlag(FLAGS_building));
  } else {
    std::fprintf(stderr,
                 "clashes: name a --building, or ask for --generated\n");
    return 2;
  }
  const orbox::ClashOptions options{.tolerance =
                                        absl::GetFlag(FLAGS_tolerance)};
  if (const size_t count = absl::GetFlag(FLAGS_slowest); count > 0) {
    orbox::ClashOptions with = options;
    with.thickness = absl::GetFlag(FLAGS_measures);
    orbox::clashes::PrintSlowest(building, with, count);
    return 0;
  }
  orbox::clashes::CompareWays(building, options);
  orbox::clashes::CompareMotions(building, options);
  return 0;
}
