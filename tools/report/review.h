// SPDX-License-Identifier: Apache-2.0

// Decisions of people about issues: what they mark and comment, read back from
// a table. `orbox clash` also reads BCF files.
//
//   absl::StatusOr<Review> review = ParseReviewTable(bytes, "review.csv");
//   const Decision* decision = review->Find(issue_id);
//
// The table has a header and a row for each comment. Columns are found by their
// names, in any order, and others are ignored:
//
//   id,status,assigned,comment,author,date,title,clashes,x,y,z
//
// Only `id` has to be there. It is the id of an issue, which is equal from run
// to run. `clashes` has the short ids of the clashes that the issue had, with
// spaces between them. Cells are separated by commas, semicolons or tabs, as in
// the header.
#ifndef ORBOX_TOOLS_REPORT_REVIEW_H_
#define ORBOX_TOOLS_REPORT_REVIEW_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::report {

struct IssueComment {
  std::string text;
  std::string author;
  std::string date;  // as 2026-01-31T12:00:00Z

  bool operator==(const IssueComment&) const = default;
};

struct Decision {
  std::string title;     // of the issue at that time; may be empty
  std::string status;    // such as "Open", "Approved"; empty if undecided
  std::string assigned;  // to whom; empty if to nobody
  std::vector<IssueComment> comments;
  // Short ids of the clashes that the issue had; empty if unknown.
  std::vector<std::string> clashes;
  std::optional<Vec3> place;

  bool empty() const {
    return status.empty() && assigned.empty() && comments.empty();
  }
};

// The status of an issue that nobody has decided.
inline constexpr std::string_view kOpenStatus = "Open";
// The status of an issue whose clashes are resolved.
inline constexpr std::string_view kClosedStatus = "Closed";

// Returns true if an issue of this status needs no more work: it is closed,
// resolved, approved or ignored.
bool IsDone(std::string_view status);

// Returns the first 13 characters of the id of a clash, which suffice to tell
// it from the others of a list.
std::string ShortId(std::string_view id);

// Returns short ids with spaces between them.
std::string ShortIdsText(const std::vector<std::string>& ids);
// Parses short ids with spaces or commas between them.
std::vector<std::string> ParseShortIds(std::string_view text);

// Parses "1,2.5,3". Returns nothing for other texts.
std::optional<Vec3> ParsePlace(std::string_view text);

class Review {
 public:
  // Adds a decision. An issue with one clash may have the id of the clash, and
  // need not name it. An id that is there already keeps its comments, and takes
  // the other values that are not empty.
  void Add(const std::string& id, Decision decision);

  // Returns null if there is no decision.
  const Decision* Find(const std::string& id) const;

  size_t size() const { return ids_.size(); }
  // In the order of the file.
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  std::unordered_map<std::string, Decision> decisions_;
  std::vector<std::string> ids_;
};

// Parses a table. `name` is the name of the file for messages, which are
// kInvalidArgument with the line.
absl::StatusOr<Review> ParseReviewTable(std::string_view bytes,
                                        std::string_view name);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_REVIEW_H_
