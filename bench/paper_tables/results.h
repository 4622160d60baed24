// SPDX-License-Identifier: Apache-2.0

// Results of paper_tables, and the ways to show them.
#ifndef ORBOX_BENCH_PAPER_TABLES_RESULTS_H_
#define ORBOX_BENCH_PAPER_TABLES_RESULTS_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"

namespace orbox::bench {

inline constexpr size_t kColumns = std::size(kFrequencies);
using Columns = std::array<double, kColumns>;

// One method at the five frequencies, in milliseconds for all tests.
struct Row {
  std::string method;
  Columns ms;
};

struct Table {
  std::string key;    // as in the JSON: sphere_aabb
  std::string title;  // Sphere-AABB
  std::vector<Row> memory;
  std::vector<Row> l1;
  Columns error;  // false positives among the reported overlaps, in percent
};

// Figures printed by Larsson, Akenine-Moller and Lengyel (2007), tables 1 and
// 2: a Pentium M of 1.4 GHz and a Pentium 830 of 3 GHz, in milliseconds for two
// million tests.
struct PublishedRow {
  const char* method;
  Columns m1;
  Columns m2;
};
struct PublishedTable {
  std::array<PublishedRow, 5> rows;
  Columns error;
};
const PublishedTable& Published(const Table& table);

void PrintText(const std::vector<Table>& tables, size_t count);
void PrintJson(const std::vector<Table>& tables);

// Returns whether the file could be written.
bool WriteSvg(const std::vector<Table>& tables, size_t count,
              const std::string& path);

}  // namespace orbox::bench

#endif  // ORBOX_BENCH_PAPER_TABLES_RESULTS_H_
