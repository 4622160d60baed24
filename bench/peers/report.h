// SPDX-License-Identifier: Apache-2.0

// The rows of the result, as a table for people or as JSON for programs.
#ifndef ORBOX_BENCH_PEERS_REPORT_H_
#define ORBOX_BENCH_PEERS_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/measure.h"

namespace orbox::peers {

struct Row {
  std::string_view work;
  std::string mesh;     // or two, as "a|b"
  std::string variant;  // "r=1%", "gap 1-50%", or empty
  std::string_view peer;
  Times times;
  bool agree = false;

  double ratio() const { return times.peer_ns / times.orbox_ns; }
};

enum class Format { kTable, kJson };

// Prints each row to standard output when it is known, and at the end, in the
// table, geometric means over the meshes for each work, variant and peer.
class Report {
 public:
  explicit Report(Format format) : format_(format) {}

  void Begin();
  void Add(const Row& row);
  void End();

 private:
  void PrintMeans() const;

  Format format_;
  std::vector<Row> rows_;
};

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_REPORT_H_
