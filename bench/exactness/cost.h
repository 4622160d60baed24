// SPDX-License-Identifier: Apache-2.0

// Cost of exact answers: the second table of exactness.cc.
#ifndef ORBOX_BENCH_EXACTNESS_COST_H_
#define ORBOX_BENCH_EXACTNESS_COST_H_

#include <string>
#include <vector>

#include "bench/peers/mesh_case.h"

namespace orbox::exactness {

// Prints a line per question: the time of the queries over that of those that
// believe their floats, as the geometric mean over the meshes and the highest,
// and how many of the latter's answers are not the same. Takes about `seconds`
// for each question and mesh. Only questions whose names contain
// `part_of_name`.
void PrintCosts(const std::vector<peers::MeshCase>& cases, double seconds,
                const std::string& part_of_name);

}  // namespace orbox::exactness

#endif  // ORBOX_BENCH_EXACTNESS_COST_H_
