// SPDX-License-Identifier: Apache-2.0

// Input of `orbox clash`: the bodies and the query.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_INPUT_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_INPUT_H_

#include <cstddef>
#include <span>
#include <string>

#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_frames.h"
#include "tools/report/scene_facts.h"

namespace orbox::cli {

// A column of CSV: a property of the first or the second body of a pair.
struct BodyColumn {
  bool is_of_b = false;
  std::string key;
};

struct ClashInput {
  report::SceneFacts facts;
  std::span<const SceneBody> bodies;
  std::span<const Tree> trees;  // one for each body
  // Names of elements of the files that are not bodies.
  std::span<const std::string> left_out;
  std::string unit;  // of the lengths; empty if unknown
  const SceneFrames* frames = nullptr;
  ClashParameters parameters;
  std::span<const ClashRule> rules;
  std::span<const BodyColumn> columns;
  bool for_excel = false;  // CSV for spreadsheets
  size_t below = 0;       // number of pairs that share less than the thresholds
  size_t accepted = 0;    // number of pairs excluded because they are accepted
  bool clusters = false;  // report the clusters of clashes
  bool depths = false;    // report the depths of clashes

  bool moves = false;  // there is a motion, even if of a single frame
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_INPUT_H_
