// SPDX-License-Identifier: Apache-2.0

// Times of two libraries for the same queries.
//
//   Times t = MeasureSideBySide(points.size(),
//                               [&](size_t i) { theirs.Closest(points[i]); },
//                               [&](size_t i) { ours.Closest(points[i]); });
//   double ratio = t.peer_ns / t.orbox_ns;
//
// The two run in turn (A B A B ...) over the same queries, so that a slow
// machine slows both; medians of the passes are reported. The clock is the
// processor time of the whole process: other processes do not count, but
// threads that a library starts do.
#ifndef ORBOX_BENCH_PEERS_MEASURE_H_
#define ORBOX_BENCH_PEERS_MEASURE_H_

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace orbox::peers {

struct Times {
  double peer_ns = 0;  // a query
  double orbox_ns = 0;
  size_t queries = 0;  // in a pass
};

using QueryRef = absl::FunctionRef<void(size_t query)>;

// A pass runs the first of the `count` queries: as many as the slower side runs
// in a sixth of `seconds`, and one at least. There are passes for `seconds`,
// and three for each side at least. Requires count > 0.
Times MeasureSideBySide(size_t count, QueryRef peer, QueryRef orbox,
                        double seconds);

// Returns true if `agrees` holds for the first `count` queries, or for as many
// of them as fit `seconds`, and one at least.
bool AgreeThroughout(size_t count, double seconds,
                     absl::FunctionRef<bool(size_t query)> agrees);

// Returns true if all queries except a fraction agree.
bool AgreeButFor(double share, size_t count,
                 absl::FunctionRef<bool(size_t query)> agrees);

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_MEASURE_H_
