// SPDX-License-Identifier: Apache-2.0

// The result of a clash detection: all reported pairs of bodies, the worst
// first, in groups, and compared with the last run.
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

#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "tools/report/scene_summary.h"

namespace orbox::report {

// The state of a clash compared with the last run.
enum class ClashState {
  kNotCompared,
  kNew,
  kActive,  // also in the last run
};
std::string_view NameOf(ClashState state);  // "new"; empty if not compared

struct ListedClash {
  BodyClash pair;    // at its worst
  size_t frame = 0;  // of the worst, counted from 0
  std::string id;    // equal from run to run
  size_t group = 0;  // if there are groups
  ClashState state = ClashState::kNotCompared;
  // Places where the surfaces come close, the nearest first, if requested.
  // Empty also for a body deep inside of another.
  std::vector<NearCluster> clusters;
};

// The clashes between bodies of one label and bodies of another.
struct ClashGroup {
  std::vector<std::string> a;  // the values that the bodies are grouped by
  std::vector<std::string> b;
  KindCounts kinds;
  size_t worst = 0;  // position of its first clash in the list
};

// Returns "duct · wall" for the values of one side of a group, and "duct |
// wall" for both sides.
std::string LabelOf(const std::vector<std::string>& values);
std::string LabelOf(const ClashGroup& group);

// A clash of the last run that is resolved.
struct ResolvedClash {
  std::string id;
  std::string a_name;
  std::string b_name;
  std::string kind;  // its kind in the last run
};

struct ClashList {
  // Worst first: see IsWorse.
  std::vector<ListedClash> clashes;
  KindCounts kinds;

  std::vector<std::string> grouped_by;  // keys of properties; empty: no groups
  std::vector<ClashGroup> groups;  // the group with the worst clash comes first

  // A measure that takes long: the number of pairs that it is known of, the
  // worst ones, within a budget of work.
  struct Measured {
    size_t measured = 0;
    size_t of = 0;
    size_t budget = 0;  // triangles of both bodies, added up over the pairs
  };
  // Thickness to kThicknessError, of the pairs that share a region. Empty if
  // nobody measured it.
  static constexpr double kThicknessError = 0.01;
  std::optional<Measured> thicknesses;
  std::optional<Measured> depths;  // of pairs that clash or cross, if requested

  std::optional<std::vector<ResolvedClash>> resolved;  // if compared
  size_t CountOf(ClashState state) const;

  // Returns a list without ids, groups and states.
  static ClashList Of(const SceneSummary& summary);
  // Puts the worst first. Requires that there are no groups.
  void Sort();
  // Number of pairs whose kind is undecided.
  size_t Undecided() const;

  // Number of pairs to review. They are the first pairs of the list.
  size_t ToLookAt() const { return kinds.ToLookAt(); }

  // Sorts the clashes into groups. `labels` contains the values of each body.
  void Group(std::vector<std::string> keys,
             std::span<const std::vector<std::string>> labels);
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_LIST_H_
