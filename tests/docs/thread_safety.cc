// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Thread safety" (tools/docs/thread_safety.md).
//
//   thread_safety data
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const std::vector<orbox::Vec3> points = {{2, 0, 0}, {0, 0, 0}, {0, 0, 2}};

  // [threads]
  // One tree, any number of threads, no locks. Each has its own statistics,
  // which are added up in the end.
  std::vector<double> distances(points.size());
  std::vector<orbox::TraversalStatistics> costs(points.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < points.size(); ++i) {
    threads.emplace_back([&, i] {
      distances[i] =
          orbox::ClosestPoint(tree, points[i], 10.0, {.statistics = &costs[i]})
              .value()
              ->distance;
    });
  }
  for (std::thread& thread : threads) thread.join();
  orbox::TraversalStatistics cost;
  for (const orbox::TraversalStatistics& one : costs) cost += one;
  // [threads]
  for (const double distance : distances) std::printf("%g\n", distance);

  // [cancel]
  // Set from another thread, or from a signal handler.
  std::atomic<bool> cancelled = true;
  const auto answers =
      orbox::ClosestPoint(tree, points, {.cancelled = &cancelled});
  const bool was_cancelled = absl::IsCancelled(answers.status());
  // [cancel]
  std::printf("cancelled: %s\n", was_cancelled ? "yes" : "no");

  // [swap]
  // A tree is a value: a new one replaces it, and threads that still hold the
  // old one continue with it.
  orbox::Tree current = tree;
  const orbox::Tree held_elsewhere = current;
  current = OrExit(orbox::Refit(current, current.mesh()));
  // [swap]
  std::printf("both: %zu and %zu triangles\n", current.mesh().triangle_count(),
              held_elsewhere.mesh().triangle_count());
}
