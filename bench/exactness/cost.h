// SPDX-License-Identifier: Apache-2.0

// Cost of exact answers: the second table of exactness.cc.
#ifndef ORBOX_BENCH_EXACTNESS_COST_H_
#define ORBOX_BENCH_EXACTNESS_COST_H_

#include <string>
#include <vector>

#include "bench/peers/mesh_case.h"

namespace orbox::exactness {

// Prints a line for each query: its time over that of the query that trusts its
// floats, as the geometric mean over the meshes and the highest, and the number
// of results in which the latter differs. Takes about `seconds` for each query
// and mesh. Runs only queries whose names contain `part_of_name`.
void PrintCosts(const std::vector<peers::MeshCase>& cases, double seconds,
                const std::string& part_of_name);

}  // namespace orbox::exactness

#endif  // ORBOX_BENCH_EXACTNESS_COST_H_
