// SPDX-License-Identifier: Apache-2.0

#include "tools/report/issue_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "tools/base/text.h"
#include "tools/report/clash_id.h"

namespace orbox::report {
namespace {

using tools::Cat;

// The clashes of each issue, in any order.
using Parts = std::vector<Issue>;

Issue IssueOfClash(const ClashList& list, size_t clash) {
  return Issue{.id = list.clashes[clash].id, .clashes = {clash}};
}

std::string ElementIssueId(size_t body, const SceneWords& words) {
  return ClashId(words.ids[body], "issue of a body");
}

Parts PartsByElement(const ClashList& list, const SceneWords& words) {
  const size_t count = list.ToLookAt();
  std::map<size_t, std::vector<size_t>> of_body;
  for (size_t i = 0; i < count; ++i) {
    of_body[list.clashes[i].pair.a].push_back(i);
    of_body[list.clashes[i].pair.b].push_back(i);
  }
  // The most clashes first; of as many, the worst clash, and the lower body.
  // Counts that have become too large are corrected when they are popped.
  using Entry = std::tuple<size_t, int64_t, int64_t>;
  std::priority_queue<Entry> queue;
  std::vector<bool> taken(count);
  const auto push = [&](size_t body) {
    std::vector<size_t>& own = of_body[body];
    std::erase_if(own, [&](size_t i) { return taken[i]; });
    if (own.empty()) return;
    queue.emplace(own.size(), -static_cast<int64_t>(own.front()),
                  -static_cast<int64_t>(body));
  };
  for (const auto& [body, own] : of_body) {
    queue.emplace(own.size(), -static_cast<int64_t>(own.front()),
                  -static_cast<int64_t>(body));
  }
  Parts parts;
  while (!queue.empty()) {
    const auto [size, worst, minus_body] = queue.top();
    queue.pop();
    const auto body = static_cast<size_t>(-minus_body);
    std::vector<size_t>& own = of_body[body];
    std::erase_if(own, [&](size_t i) { return taken[i]; });
    const bool is_current = own.size() == size && !own.empty() &&
                            own.front() == static_cast<size_t>(-worst);
    if (!is_current) {
      push(body);
      continue;
    }
    for (const size_t i : own) taken[i] = true;
    if (own.size() == 1) {
      parts.push_back(IssueOfClash(list, own.front()));
    } else {
      parts.push_back(
          {.id = ElementIssueId(body, words), .clashes = own, .element = body});
    }
  }
  return parts;
}

// Sets of numbers that are joined step by step.
class JoinedSets {
 public:
  explicit JoinedSets(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }
  size_t Find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(size_t i, size_t j) {
    i = Find(i);
    j = Find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<size_t> parent_;
};

// Joins places of which each is within `distance` of another one. Looks at
// places of neighbouring cells of a grid.
Parts PartsByNearness(const ClashList& list, double distance) {
  const size_t count = list.ToLookAt();
  std::vector<Vec3> places;
  for (size_t i = 0; i < count; ++i) {
    places.push_back(PlaceOf(list.clashes[i].pair));
  }
  using Cell = std::array<double, 3>;
  const double side = distance > 0 ? distance : 1;
  std::map<Cell, std::vector<size_t>> cells;
  JoinedSets sets(count);
  for (size_t i = 0; i < count; ++i) {
    const Vec3& p = places[i];
    const Cell cell = {std::floor(p.x / side), std::floor(p.y / side),
                       std::floor(p.z / side)};
    for (int n = 0; n < 27; ++n) {
      const auto found = cells.find(
          {cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      if (found == cells.end()) continue;
      for (const size_t j : found->second) {
        if (Norm(places[j] - p) <= distance) sets.Join(i, j);
      }
    }
    cells[cell].push_back(i);
  }
  std::map<size_t, Issue> by_first;
  for (size_t i = 0; i < count; ++i) {
    by_first[sets.Find(i)].clashes.push_back(i);
  }
  Parts parts;
  for (auto& [first, issue] : by_first) {
    // The least id does not depend on measures.
    issue.id = list.clashes[first].id;
    for (const size_t i : issue.clashes) {
      issue.id = std::min(issue.id, list.clashes[i].id);
    }
    if (issue.clashes.size() > 1) issue.id = ClashId(issue.id, "places nearby");
    parts.push_back(std::move(issue));
  }
  return parts;
}

Parts PartsByGroup(const ClashList& list) {
  Parts parts;
  std::map<size_t, size_t> numbers;
  for (size_t i = 0; i < list.ToLookAt(); ++i) {
    const size_t group = list.clashes[i].group;
    const auto [found, is_new] = numbers.try_emplace(group, parts.size());
    if (is_new) {
      const ClashGroup& of = list.groups[group];
      parts.push_back(
          {.id = ClashId("group " + LabelOf(of.a), "group " + LabelOf(of.b))});
      parts.back().title = LabelOf(of);
    }
    parts[found->second].clashes.push_back(i);
  }
  return parts;
}

// Returns "17 Joists, 2 Walls": the most frequent types first, two of them.
std::string CountedTypes(const Issue& issue, const ClashList& list,
                         const SceneWords& words) {
  std::map<std::string, size_t> counts;
  for (const size_t i : issue.clashes) {
    const BodyClash& pair = list.clashes[i].pair;
    const size_t other = pair.a == *issue.element ? pair.b : pair.a;
    ++counts[words.bodies[other].type];
  }
  std::vector<std::pair<std::string, size_t>> types(counts.begin(),
                                                    counts.end());
  std::stable_sort(
      types.begin(), types.end(),
      [](const auto& x, const auto& y) { return x.second > y.second; });
  if (types.size() == 1 && types[0].first.empty()) {
    return Cat(tools::Grouped(types[0].second), " others");
  }
  std::string text;
  size_t told = 0;
  for (size_t i = 0; i < std::min<size_t>(2, types.size()); ++i) {
    const auto& [type, count] = types[i];
    text += Cat(i > 0 ? ", " : "",
                CountedType(count, type.empty() ? "other" : type));
    told += count;
  }
  const size_t rest = issue.clashes.size() - told;
  return rest == 0 ? text : Cat(text, ", ", CountedType(rest, "other"));
}

void Name(const ClashList& list, const SceneWords& words, Issue& issue) {
  const BodyClash& worst = list.clashes[issue.clashes.front()].pair;
  if (issue.element.has_value()) {
    issue.title = Cat(words.bodies[*issue.element].title, " and ",
                      CountedTypes(issue, list, words));
  } else if (issue.title.empty()) {
    issue.title = TitleOf(worst, words);
    const size_t more = issue.clashes.size() - 1;
    if (more > 0) issue.title += Cat(", and ", more, " more nearby");
  }
  const Vec3 place = PlaceOf(worst);
  issue.storey = words.places.StoreyOf(place);
  issue.crossing = words.places.CrossingOf(place);
  if (issue.storey.empty()) {
    const std::string &a = words.bodies[worst.a].storey,
                      &b = words.bodies[worst.b].storey;
    issue.storey = a.empty() || a == b ? b : b.empty() ? a : Cat(a, " / ", b);
  }
}

Priority PriorityOf(const BodyClash& pair, double metres) {
  if (pair.clash.kind == ClashKind::kDuplicate) return Priority::kHigh;
  if (!IsClash(pair.clash.kind)) return Priority::kLow;
  constexpr double kHigh = 0.05, kNormal = 0.01;  // in metres
  const double thickness = pair.clash.thickness.upper * metres;
  if (thickness >= kHigh) return Priority::kHigh;
  // The depth of surfaces that cross is not known.
  const bool is_known = pair.clash.kind != ClashKind::kCrossing;
  return is_known && thickness < kNormal ? Priority::kLow : Priority::kNormal;
}

// The decisions of a review, and which of them issues have taken.
class Decisions {
 public:
  explicit Decisions(const Review& review) : review_(review) {
    for (const std::string& id : review.ids()) {
      by_clash_.try_emplace(ShortId(id), id);
      for (const std::string& clash : review.Find(id)->clashes) {
        by_clash_.try_emplace(clash, id);
      }
    }
  }
  // Takes the decision of an issue. Returns null if there is none.
  const Decision* Take(const std::string& id) {
    const Decision* decision = review_.Find(id);
    if (decision != nullptr) taken_.insert(id);
    return decision;
  }
  // Takes the decision about a clash, in whichever issue it was.
  const Decision* TakeAbout(const std::string& clash_id) {
    const auto found = by_clash_.find(ShortId(clash_id));
    return found == by_clash_.end() ? nullptr : Take(found->second);
  }
  // Takes the nearest decision within a distance of the place, of those of
  // `left` that are left.
  const Decision* TakeNear(std::span<const std::string> left, const Vec3& place,
                           double distance) {
    const std::string* nearest = nullptr;
    for (const std::string& id : left) {
      const Decision& decision = *review_.Find(id);
      if (!decision.place.has_value() || taken_.contains(id)) continue;
      const double away = Norm(*decision.place - place);
      if (away > distance) continue;
      distance = away;
      nearest = &id;
    }
    return nearest == nullptr ? nullptr : Take(*nearest);
  }
  std::vector<std::string> Left() const {
    std::vector<std::string> left;
    for (const std::string& id : review_.ids()) {
      if (!taken_.contains(id)) left.push_back(id);
    }
    return left;
  }

 private:
  const Review& review_;
  std::map<std::string, std::string> by_clash_;  // short id to id of the issue
  std::set<std::string> taken_;
};

// Joins the decisions about the clashes of an issue.
Decision DecisionAboutClashes(const ClashList& list, const Issue& issue,
                              Decisions& decisions) {
  Decision joined;
  std::set<const Decision*> added;
  for (const size_t i : issue.clashes) {
    const Decision* about = decisions.TakeAbout(list.clashes[i].id);
    const std::string status = about == nullptr ? "" : about->status;
    if (i == issue.clashes.front()) joined.status = status;
    if (joined.status != status) joined.status.clear();
    if (about == nullptr || !added.insert(about).second) continue;
    if (joined.assigned.empty()) joined.assigned = about->assigned;
    joined.comments.insert(joined.comments.end(), about->comments.begin(),
                           about->comments.end());
  }
  return joined;
}

// Returns true if the issue has a clash that it did not have when it was
// decided.
bool HasGrown(const ClashList& list, const Issue& issue) {
  const std::vector<std::string>& known = issue.decision.clashes;
  if (known.empty()) return false;
  const std::set<std::string> ids(known.begin(), known.end());
  return std::any_of(issue.clashes.begin(), issue.clashes.end(), [&](size_t i) {
    return !ids.contains(ShortId(list.clashes[i].id));
  });
}

}  // namespace

std::string_view NameOf(Priority priority) {
  if (priority == Priority::kHigh) return "High";
  return priority == Priority::kNormal ? "Normal" : "Low";
}

std::string Issue::Where() const {
  if (crossing.empty()) return storey;
  return Cat(storey, storey.empty() ? "near " : ", near ", crossing);
}

Vec3 PlaceOf(const BodyClash& pair) {
  const std::optional<Witness>& gap = pair.clash.gap;
  const bool is_apart = !(pair.clash.thickness.lower > 0) && gap.has_value();
  return is_apart ? (gap->on_a + gap->on_b) * 0.5 : pair.clash.center;
}

std::string TitleOf(const BodyClash& pair, const SceneWords& words) {
  return Cat(words.bodies[pair.a].title, " and ", words.bodies[pair.b].title);
}

std::vector<Issue> IssuesOf(const ClashList& list, const IssueOptions& options,
                            const SceneWords& words) {
  Parts issues;
  switch (options.rule) {
    case IssueRule::kPair:
      for (size_t i = 0; i < list.ToLookAt(); ++i) {
        issues.push_back(IssueOfClash(list, i));
      }
      break;
    case IssueRule::kElement:
      issues = PartsByElement(list, words);
      break;
    case IssueRule::kNear:
      issues = PartsByNearness(list, options.distance);
      break;
    case IssueRule::kGroup:
      issues = PartsByGroup(list);
      break;
  }
  std::sort(issues.begin(), issues.end(), [](const Issue& x, const Issue& y) {
    return x.clashes.front() < y.clashes.front();
  });
  for (Issue& issue : issues) {
    Name(list, words, issue);
    issue.priority =
        PriorityOf(list.clashes[issue.clashes.front()].pair, words.metres);
  }
  return issues;
}

std::vector<std::string> Decide(const Review& review, const ClashList& list,
                                const SceneWords& words,
                                std::span<Issue> issues) {
  Decisions decisions(review);
  for (Issue& issue : issues) {
    const Decision* own = decisions.Take(issue.id);
    if (own == nullptr) {
      issue.decision = DecisionAboutClashes(list, issue, decisions);
      continue;
    }
    issue.decision = *own;
    if (IsDone(own->status) && HasGrown(list, issue)) {
      issue.decision.status = kOpenStatus;
    }
  }
  constexpr double kSamePlace = 0.01;  // in metres
  const std::vector<std::string> left = decisions.Left();
  for (Issue& issue : issues) {
    if (left.empty()) break;
    if (!issue.decision.empty()) continue;
    const Vec3 place = PlaceOf(list.clashes[issue.clashes.front()].pair);
    const Decision* near =
        decisions.TakeNear(left, place, kSamePlace / words.metres);
    if (near != nullptr) issue.decision = *near;
  }
  return decisions.Left();
}

}  // namespace orbox::report
