// SPDX-License-Identifier: Apache-2.0

// The result of a clash detection: every pair of bodies that there is something
// to say about, the worst first, in groups, and compared with the last run.
//
//   ClashList list = ClashList::Of(summary);
//   list.Group(labels);
//   for (const ListedClash& clash : list.clashes) ...
#ifndef ORBOX_TOOLS_REPORT_CLASH_LIST_H_
#define ORBOX_TOOLS_REPORT_CLASH_LIST_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/query/pair_places.h"
#include "tools/report/scene_summary.h"

namespace orbox::report {

// Compared with the last run.
enum class ClashState {
  kNotCompared,
  kNew,
  kActive,  // it was there before
};
std::string_view NameOf(ClashState state);  // "new"; empty if not compared

struct ListedClash {
  BodyClash pair;    // at its worst
  size_t frame = 0;  // of the worst, counted from 0
  std::string id;    // the same from run to run
  size_t group = 0;  // if there are groups
  ClashState state = ClashState::kNotCompared;
  // Where the surfaces come close, the nearest first, if it was asked for.
  // Empty also for a body deep inside of another one.
  std::vector<NearPlace> places;
};

// The clashes between bodies of one label and bodies of another.
struct ClashGroup {
  std::vector<std::string> a;  // the values that the bodies are grouped by
  std::vector<std::string> b;
  KindCounts kinds;
  size_t worst = 0;  // the first of them in the list
};

// A clash of the last run that is none any more.
struct ResolvedClash {
  std::string id;
  std::string a_name;
  std::string b_name;
  std::string kind;  // what it was
};

struct ClashList {
  // Worst first: see IsWorse.
  std::vector<ListedClash> clashes;
  KindCounts kinds;

  std::vector<std::string> grouped_by;  // keys of properties; empty: no groups
  std::vector<ClashGroup> groups;       // that with the worst clash first

  std::optional<std::vector<ResolvedClash>> resolved;  // if compared
  size_t CountOf(ClashState state) const;

  // Without ids, groups and states.
  static ClashList Of(const SceneSummary& summary);

  // All pairs to look at, wherever they are in the list: the first ones.
  size_t ToLookAt() const { return kinds.ToLookAt(); }

  // Sorts the clashes into groups. `labels` has the values of each body.
  void Group(std::vector<std::string> keys,
             std::span<const std::vector<std::string>> labels);
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_LIST_H_
