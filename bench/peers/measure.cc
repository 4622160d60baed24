// SPDX-License-Identifier: Apache-2.0

#include "bench/peers/measure.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace orbox::peers {
namespace {

constexpr size_t kFewestPasses = 3;  // a median needs as many
constexpr int kPassesWanted = 6;  // long ones: a side's first queries are cold

double ProcessNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 +
         static_cast<double>(time.tv_nsec);
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Number of queries that fit the time; warms caches and scratch memory up.
size_t CountFitting(size_t count, QueryRef query, double nanoseconds) {
  query(0);
  const double end = ProcessNanoseconds() + nanoseconds;
  size_t done = 0;
  do {
    // The clock is a system call, which is slow compared with some queries.
    const size_t next = std::min(count, done + 1 + done / 4);
    for (; done < next; ++done) query(done);
  } while (done < count && ProcessNanoseconds() < end);
  return done;
}

double PassNanoseconds(size_t count, QueryRef query) {
  const double begin = ProcessNanoseconds();
  for (size_t i = 0; i < count; ++i) query(i);
  return (ProcessNanoseconds() - begin) / static_cast<double>(count);
}

}  // namespace

Times MeasureSideBySide(size_t count, QueryRef peer, QueryRef orbox,
                        double seconds) {
  const double budget = seconds * 1e9;
  size_t queries = CountFitting(count, peer, budget / kPassesWanted);
  queries = CountFitting(queries, orbox, budget / kPassesWanted);
  std::vector<double> peer_passes;
  std::vector<double> orbox_passes;
  const double end = ProcessNanoseconds() + budget;
  while (peer_passes.size() < kFewestPasses || ProcessNanoseconds() < end) {
    peer_passes.push_back(PassNanoseconds(queries, peer));
    orbox_passes.push_back(PassNanoseconds(queries, orbox));
  }
  return {Median(peer_passes), Median(orbox_passes), queries};
}

bool AgreeThroughout(size_t count, double seconds,
                     absl::FunctionRef<bool(size_t query)> agrees) {
  const double end = ProcessNanoseconds() + seconds * 1e9;
  for (size_t i = 0; i < count; ++i) {
    if (!agrees(i)) return false;
    if (ProcessNanoseconds() > end) break;
  }
  return true;
}

bool AgreeButFor(double share, size_t count,
                 absl::FunctionRef<bool(size_t query)> agrees) {
  size_t differing = 0;
  for (size_t i = 0; i < count; ++i) differing += agrees(i) ? 0 : 1;
  return static_cast<double>(differing) <= share * static_cast<double>(count);
}

}  // namespace orbox::peers
