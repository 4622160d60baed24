// SPDX-License-Identifier: Apache-2.0

#include "tools/report/review.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "tools/base/text.h"

namespace orbox::report {
namespace {

using tools::Cat;

// Rows of a table. A quoted cell may contain separators and line ends.
class TableReader {
 public:
  explicit TableReader(std::string_view bytes) : rest_(bytes) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
    const std::string_view header = rest_.substr(0, rest_.find('\n'));
    for (const char c : {';', '\t'}) {
      if (header.find(c) != std::string_view::npos) separator_ = c;
    }
  }

  // Reads the next row, without empty ones. Returns false at the end.
  bool Next(std::vector<std::string>& cells);
  size_t line() const { return line_; }  // at which the row begins
  bool is_open() const { return is_open_; }

 private:
  std::string_view rest_;
  char separator_ = ',';
  size_t line_ = 0;
  size_t next_line_ = 1;
  bool is_open_ = false;  // true if a quoted cell does not end
};

bool TableReader::Next(std::vector<std::string>& cells) {
  while (!rest_.empty()) {
    cells.assign(1, "");
    line_ = next_line_;
    bool quoted = false;
    size_t i = 0;
    for (; i < rest_.size() && (quoted || rest_[i] != '\n'); ++i) {
      const char c = rest_[i];
      if (c == '\n') ++next_line_;
      if (c == '"') {
        // Two quotes in a quoted cell stand for one.
        const bool twice = quoted && rest_.substr(i + 1, 1) == "\"";
        if (twice) cells.back() += rest_[++i];
        if (!twice) quoted = !quoted;
      } else if (c == separator_ && !quoted) {
        cells.emplace_back();
      } else if (c != '\r' || quoted) {
        cells.back() += c;
      }
    }
    is_open_ = quoted;
    ++next_line_;
    rest_.remove_prefix(std::min(i + 1, rest_.size()));
    const bool is_empty = std::all_of(cells.begin(), cells.end(),
                                      [](const auto& c) { return c.empty(); });
    if (!is_empty) return true;
  }
  return false;
}

// Removes the apostrophe that keeps spreadsheets from computing a text.
std::string Plain(std::string text) {
  const bool is_kept =
      text.size() > 1 && text[0] == '\'' &&
      std::string_view("=+-@").find(text[1]) != std::string_view::npos;
  return is_kept ? text.substr(1) : text;
}

}  // namespace

bool IsDone(std::string_view status) {
  const std::string name = tools::LowerCase(status);
  for (const std::string_view done :
       {"closed", "resolved", "approved", "ignored", "done"}) {
    if (name == done) return true;
  }
  return false;
}

std::string ShortId(std::string_view id) {
  return std::string(id.substr(0, 13));
}

std::string ShortIdsText(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += Cat(text.empty() ? "" : " ", id);
  return text;
}

std::vector<std::string> ParseShortIds(std::string_view text) {
  std::vector<std::string> ids;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" ,"), text.size());
    if (end > 0) ids.push_back(ShortId(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

std::optional<Vec3> ParsePlace(std::string_view text) {
  Vec3 place;
  const char* next = text.data();
  const char* const end = next + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [after, error] = std::from_chars(next, end, place[axis]);
    const bool is_last = axis == 2;
    const bool goes_on = is_last ? after == end : after != end && *after == ',';
    if (error != std::errc() || !goes_on) return std::nullopt;
    next = is_last ? after : after + 1;
  }
  return place;
}

void Review::Add(const std::string& id, Decision decision) {
  const auto [found, is_new] = decisions_.try_emplace(id);
  Decision& known = found->second;
  if (is_new) ids_.push_back(id);
  if (!decision.title.empty()) known.title = std::move(decision.title);
  if (!decision.status.empty()) known.status = std::move(decision.status);
  if (!decision.assigned.empty()) known.assigned = std::move(decision.assigned);
  if (!decision.clashes.empty()) known.clashes = std::move(decision.clashes);
  if (decision.place.has_value()) known.place = decision.place;
  for (IssueComment& comment : decision.comments) {
    const auto same =
        std::find(known.comments.begin(), known.comments.end(), comment);
    if (same == known.comments.end()) {
      known.comments.push_back(std::move(comment));
    }
  }
}

const Decision* Review::Find(const std::string& id) const {
  const auto found = decisions_.find(id);
  return found == decisions_.end() ? nullptr : &found->second;
}

absl::StatusOr<Review> ParseReviewTable(std::string_view bytes,
                                        std::string_view name) {
  TableReader table(bytes);
  std::vector<std::string> cells;
  std::map<std::string, size_t> columns;
  if (table.Next(cells)) {
    for (size_t i = 0; i < cells.size(); ++i) {
      columns.try_emplace(tools::LowerCase(cells[i]), i);
    }
  }
  if (!columns.contains("id")) {
    return absl::InvalidArgumentError(
        Cat(name,
            ": has no column id; give a table with a header such as "
            "id,status,assigned,comment,author,date, or a BCF file"));
  }
  const auto value = [&](const char* column) {
    const auto found = columns.find(column);
    if (found == columns.end() || found->second >= cells.size()) {
      return std::string();
    }
    return Plain(cells[found->second]);
  };
  Review review;
  while (table.Next(cells)) {
    const std::string id = value("id");
    if (table.is_open() || id.empty()) {
      return absl::InvalidArgumentError(
          Cat(name, ":", table.line(), ": ",
              id.empty() ? "has no id; give the id of an issue"
                         : "begins a quoted cell that does not end"));
    }
    Decision decision{.title = value("title"),
                      .status = value("status"),
                      .assigned = value("assigned"),
                      .comments = {},
                      .clashes = ParseShortIds(value("clashes")),
                      .place = std::nullopt};
    const std::string comment = value("comment");
    if (!comment.empty()) {
      decision.comments.push_back(
          {.text = comment, .author = value("author"), .date = value("date")});
    }
    decision.place =
        ParsePlace(Cat(value("x"), ",", value("y"), ",", value("z")));
    review.Add(id, std::move(decision));
  }
  return review;
}

}  // namespace orbox::report
