// SPDX-License-Identifier: Apache-2.0

// Cost of a frame of n moving bodies, by kind of broad phase, and compared with
// FCL's and Bullet's dynamic trees.
//
//   broad_phase_bench [--most N] [--json] > broad_phase.json
//   bench/bvh/broad_phases/plot_broad_phase.py broad_phase.json > FILE.svg
//
// Balls of diameter about 1 that bounce off the walls of a cube, through each
// other. Each frame moves those that move and finds all pairs whose boxes
// overlap; one thread. Rows take turns of a few frames each; medians. A row
// whose frame took longer than the limit is left out of larger scenes.
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "bench/bvh/broad_phases/runner.h"

ABSL_FLAG(size_t, least, 10, "the bodies of the smallest scene");
ABSL_FLAG(size_t, most, 1'000'000, "the bodies of the largest scene");
ABSL_FLAG(double, limit, 0.5, "seconds that a frame of a row may take");
ABSL_FLAG(int, turns, 4, "turns of each row");
ABSL_FLAG(bool, json, false, "JSON in place of a table");
ABSL_FLAG(std::string, only, "", "rows, separated by commas; all if empty");
ABSL_FLAG(std::string, scenario, "", "the one scenario to measure");

namespace orbox::broad_bench {
namespace {

struct Scenario {
  const char* name;
  double density;    // boxes' volume by that of the cube
  double step;       // diameters a frame
  double ratio = 1;  // of the largest diameter to the smallest
  double moving = 1;
  double crowding = 1;  // above 1, the closer to a corner the denser
};

constexpr Scenario kScenarios[] = {
    {"dense calm", 0.5, 0.01},
    {"dense fast", 0.5, 0.3},
    {"sparse calm", 0.005, 0.01},
    {"sparse fast", 0.005, 0.3},
    {"sizes 1:100", 0.2, 0.02, 100},
    {"one in ten moves", 0.2, 0.05, 1, 0.1},
    {"one corner", 0.005, 0.02, 1, 1, 2},
};

float Rounded(double x) {
  return static_cast<float>(std::round(x * 4096) / 4096);
}

class Simulation {
 public:
  Simulation(const Scenario& scenario, size_t n) : random_(n) {
    balls_.resize(n);
    velocities_.resize(n);
    double volume = 0;
    for (Ball& ball : balls_) {
      // Each factor of two in size has equally many balls.
      ball.radius = std::max(
          Rounded(0.5 * std::pow(scenario.ratio, -Uniform())), 0x1p-8f);
      volume += std::pow(2.0 * static_cast<double>(ball.radius), 3);
    }
    edge_ = std::cbrt(volume / scenario.density);
    for (size_t i = 0; i < n; ++i) {
      const bool moves = Uniform() < scenario.moving;
      if (moves) moving_.push_back(static_cast<BodyId>(i));
      for (size_t axis = 0; axis < 3; ++axis) {
        const double r = static_cast<double>(balls_[i].radius);
        const double room = std::max(edge_ - 2 * r, 0.0);
        balls_[i].center[axis] =
            Rounded(r + std::pow(Uniform(), scenario.crowding) * room);
        velocities_[i][axis] = moves ? (2 * Uniform() - 1) * scenario.step : 0;
      }
    }
  }

  const std::vector<Ball>& balls() const { return balls_; }
  const std::vector<BodyId>& moving() const { return moving_; }

  void Step() {
    for (size_t i = 0; i < balls_.size(); ++i) {
      for (size_t axis = 0; axis < 3; ++axis) {
        const double r = static_cast<double>(balls_[i].radius);
        const double x =
            static_cast<double>(balls_[i].center[axis]) + velocities_[i][axis];
        double& v = velocities_[i][axis];
        if (x < r) v = std::abs(v);
        if (x > edge_ - r) v = -std::abs(v);
        balls_[i].center[axis] = Rounded(x);
      }
    }
  }

 private:
  double Uniform() {
    return std::uniform_real_distribution<double>(0, 1)(random_);
  }

  std::mt19937_64 random_;
  double edge_;
  std::vector<Ball> balls_;
  std::vector<Vec3> velocities_;
  std::vector<BodyId> moving_;
};

// The time of this thread, while it runs: the machine may be busy with
// something else.
double Seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Result {
  std::string row;
  bool is_peer;
  double seconds;
  bool agrees;
};

// Rows that took too long, and the times of frames in the last two scenes.
struct Past {
  std::set<std::string> too_slow;
  std::map<std::string, std::array<double, 2>> seconds;

  bool IsTooSlow(const std::string& row, double limit) const {
    if (too_slow.contains(row)) return true;
    const auto found = seconds.find(row);
    if (found == seconds.end()) return false;
    const auto [before, last] = found->second;
    const double growth = before > 0 ? std::max(last / before, 10.0) : 10;
    return last * growth > limit;
  }
};

std::vector<Result> Measure(const Scenario& scenario, size_t n,
                            const std::vector<RunnerRow>& rows, Past* past,
                            size_t* pairs) {
  struct Entry {
    const RunnerRow* row;
    std::unique_ptr<Runner> runner;
    double seconds = 0;
    int frames = 0;
  };
  const double limit = absl::GetFlag(FLAGS_limit);
  std::vector<Entry> entries;
  Simulation simulation(scenario, n);
  for (const RunnerRow& row : rows) {
    if (!past->IsTooSlow(row.name, limit)) {
      entries.push_back({&row, row.make(row.variant)});
    }
  }
  const std::vector<BodyId>& moving = simulation.moving();
  for (Entry& e : entries) e.runner->Frame(simulation.balls(), {});
  // Enough that the time to read the clock does not count.
  const size_t frames_per_turn = n < 1000 ? 512 : 16;
  // The first turn warms up.
  const int turns = absl::GetFlag(FLAGS_turns) * (n <= 10'000 ? 4 : 1);
  for (int turn = 0; turn <= turns; ++turn) {
    std::vector<std::vector<Ball>> frames;
    while (frames.size() < frames_per_turn) {
      simulation.Step();
      frames.push_back(simulation.balls());
    }
    for (Entry& e : entries) {
      if (past->too_slow.contains(e.row->name) && e.frames > 0) continue;
      const double begin = Seconds();
      double seconds = 0;
      int count = 0;
      for (const std::vector<Ball>& frame : frames) {
        e.runner->Frame(frame, moving);
        ++count;
        if (n < 1000 && count < 512) continue;
        seconds = Seconds() - begin;
        if (seconds > 4 * limit && seconds > count * limit) {
          past->too_slow.insert(e.row->name);
          break;
        }
      }
      if (turn > 0 || past->too_slow.contains(e.row->name)) {
        e.seconds += seconds;
        e.frames += count;
      }
    }
  }
  for (Entry& e : entries) e.runner->Frame(simulation.balls(), moving);
  const std::vector<BodyPair> expected = entries[0].runner->Pairs();
  *pairs = expected.size();
  std::vector<Result> results;
  for (const Entry& e : entries) {
    const double mean = e.seconds / e.frames;
    auto& [before, last] = past->seconds[e.row->name];
    before = std::exchange(last, mean);
    results.push_back(
        {e.row->name, e.row->is_peer, mean, e.runner->Pairs() == expected});
  }
  return results;
}

void PrintTable(const Scenario& scenario, size_t n, size_t pairs,
                const std::vector<Result>& results) {
  double ours = 0;
  for (const Result& r : results) {
    if (r.row == "adaptive") ours = r.seconds;
  }
  std::printf("%s, %zu bodies, %zu pairs\n", scenario.name, n, pairs);
  for (const Result& r : results) {
    std::printf("  %-22s %12.3f us  %8.1f ns a body  %7.2f x adaptive%s\n",
                r.row.c_str(), r.seconds * 1e6,
                r.seconds * 1e9 / static_cast<double>(n),
                ours > 0 ? r.seconds / ours : 0.0,
                r.agrees ? "" : "  DISAGREES");
  }
  std::fflush(stdout);
}

int Run() {
  std::vector<RunnerRow> rows = Runners();
  const std::string only = absl::GetFlag(FLAGS_only);
  if (!only.empty()) {
    std::erase_if(rows, [&only](const RunnerRow& row) {
      return ("," + only + ",").find("," + row.name + ",") == std::string::npos;
    });
  }
  const bool json = absl::GetFlag(FLAGS_json);
  bool all_agree = true;
  const char* separator = "[\n";
  for (const Scenario& scenario : kScenarios) {
    const std::string wanted = absl::GetFlag(FLAGS_scenario);
    if (!wanted.empty() && wanted != scenario.name) continue;
    Past past;
    for (size_t n = absl::GetFlag(FLAGS_least); n <= absl::GetFlag(FLAGS_most);
         n *= 10) {
      size_t pairs = 0;
      const std::vector<Result> results =
          Measure(scenario, n, rows, &past, &pairs);
      for (const Result& r : results) all_agree &= r.agrees;
      if (!json) {
        PrintTable(scenario, n, pairs, results);
        continue;
      }
      for (const Result& r : results) {
        std::printf(
            "%s{\"scenario\": \"%s\", \"bodies\": %zu, \"pairs\": %zu, "
            "\"row\": \"%s\", \"peer\": %s, \"seconds\": %.9f, "
            "\"agrees\": %s}",
            separator, scenario.name, n, pairs, r.row.c_str(),
            r.is_peer ? "true" : "false", r.seconds,
            r.agrees ? "true" : "false");
        separator = ",\n";
      }
      std::fflush(stdout);
    }
  }
  if (json) std::printf("\n]\n");
  if (!all_agree) std::fprintf(stderr, "broad_phase_bench: pairs differ\n");
  return all_agree ? 0 : 1;
}

}  // namespace
}  // namespace orbox::broad_bench

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return orbox::broad_bench::Run();
}
