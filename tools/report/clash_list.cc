// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_list.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/base/text.h"

namespace orbox::report {

std::string_view NameOf(ClashState state) {
  switch (state) {
    case ClashState::kNew:
      return "new";
    case ClashState::kActive:
      return "active";
    case ClashState::kNotCompared:
      break;
  }
  return "";
}

std::string LabelOf(const std::vector<std::string>& values) {
  std::string label;
  for (const std::string& value : values) {
    label +=
        tools::Cat(label.empty() ? "" : " · ", value.empty() ? "–" : value);
  }
  return label;
}

std::string LabelOf(const ClashGroup& group) {
  return tools::Cat(LabelOf(group.a), " | ", LabelOf(group.b));
}

size_t ClashList::CountOf(ClashState state) const {
  return std::count_if(
      clashes.begin(), clashes.end(),
      [state](const ListedClash& clash) { return clash.state == state; });
}

ClashList ClashList::Of(const SceneSummary& summary) {
  ClashList list;
  for (const auto& [bodies, approach] : summary.approaches()) {
    list.clashes.push_back({.pair = approach.pair,
                            .frame = approach.frame,
                            .id = "",
                            .clusters = {}});
    list.kinds.Add(approach.pair.clash.kind);
  }
  list.Sort();
  return list;
}

size_t ClashList::Undecided() const {
  return std::count_if(
      clashes.begin(), clashes.end(),
      [](const ListedClash& clash) { return clash.pair.clash.is_undecided; });
}

void ClashList::Sort() {
  std::sort(clashes.begin(), clashes.end(),
            [](const ListedClash& x, const ListedClash& y) {
              if (IsWorse(x.pair, y.pair)) return true;
              if (IsWorse(y.pair, x.pair)) return false;
              return std::pair(x.pair.a, x.pair.b) <
                     std::pair(y.pair.a, y.pair.b);
            });
}

void ClashList::Group(std::vector<std::string> keys,
                      std::span<const std::vector<std::string>> labels) {
  grouped_by = std::move(keys);
  using Label = std::vector<std::string>;
  std::map<std::pair<Label, Label>, size_t> numbers;
  for (size_t i = 0; i < clashes.size(); ++i) {
    ListedClash& clash = clashes[i];
    const auto& [low, high] =
        std::minmax(labels[clash.pair.a], labels[clash.pair.b]);
    const auto [found, is_new] =
        numbers.try_emplace(std::pair(low, high), groups.size());
    if (is_new)
      groups.push_back({.a = low, .b = high, .kinds = {}, .worst = i});
    clash.group = found->second;
    groups[clash.group].kinds.Add(clash.pair.clash.kind);
  }
}

}  // namespace orbox::report
