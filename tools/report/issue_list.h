// SPDX-License-Identifier: Apache-2.0

// Issues: the clashes of a list that people review together, with what they
// have decided.
//
//   std::vector<Issue> issues = IssuesOf(list, {.rule = IssueRule::kElement},
//                                        words);
//   Decide(review, list, metres, issues);
//   for (const Issue& issue : issues) use(issue.title, issue.clashes);
#ifndef ORBOX_TOOLS_REPORT_ISSUE_LIST_H_
#define ORBOX_TOOLS_REPORT_ISSUE_LIST_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/report/body_words.h"
#include "tools/report/clash_list.h"
#include "tools/report/place_words.h"
#include "tools/report/review.h"

namespace orbox::report {

// Rules by which clashes become issues.
enum class IssueRule {
  kPair,     // each clash is an issue
  kElement,  // all clashes of one body
  kNear,     // clashes whose places hang together
  kGroup,    // the groups of the list
};

struct IssueOptions {
  IssueRule rule = IssueRule::kPair;
  // Largest distance of two places that hang together.
  double distance = 0;
};

// The urgency of an issue, by the thickness of its worst clash.
enum class Priority { kHigh, kNormal, kLow };
std::string_view NameOf(Priority priority);  // "High"

struct Issue {
  std::string id;  // a UUID, equal from run to run
  // Positions in the list, the worst first. Never empty.
  std::vector<size_t> clashes;
  // The body that all clashes have, if the rule found one and there are
  // several clashes.
  std::optional<size_t> element;
  std::string title;
  std::string storey;    // of the worst clash; may be empty
  std::string crossing;  // the nearest crossing of the grid; may be empty
  Priority priority = Priority::kNormal;
  Decision decision;

  // "Level 2, near B/3"; may be empty.
  std::string Where() const;
  std::string_view Status() const {
    return decision.status.empty() ? kOpenStatus
                                   : std::string_view(decision.status);
  }
};

// Words about a scene.
struct SceneWords {
  std::vector<BodyWords> bodies;
  std::vector<std::string> ids;  // of the bodies, equal from run to run
  PlaceWords places;
  double metres = 1;  // in a unit of the model
};

// Returns the middle of the shared region, or of the gap.
Vec3 PlaceOf(const BodyClash& pair);

// Returns "Wall A and Duct B".
std::string TitleOf(const BodyClash& pair, const SceneWords& words);

// Returns the issues of the clashes to review, the one with the worst clash
// first. With kElement, the body with the most clashes takes all of its
// clashes, then the body with the most of the others, and so on. O(n log n) for
// n clashes.
std::vector<Issue> IssuesOf(const ClashList& list, const IssueOptions& options,
                            const SceneWords& words);

// Sets the decisions of issues. An issue without a decision of its own takes
// those about its clashes, in whichever issues these were: all comments, and
// the status if all have the same. A clash whose body was drawn again has
// another id; its issue takes the nearest decision that is left within 10 mm.
//
// An issue that is done is open again if it has a clash that it did not have
// when it was decided. Returns the ids of decisions that no issue has taken, in
// the order of the review.
std::vector<std::string> Decide(const Review& review, const ClashList& list,
                                const SceneWords& words,
                                std::span<Issue> issues);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_ISSUE_LIST_H_
