// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/body_sets.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "orbox/bvh/base/internal/file_io.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/report/clash_id.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kSame = "same:";
constexpr std::string_view kWantedPair =
    "a pair's id, or the names of its bodies, a,b";

// A pattern KEY=TEXT, or TEXT for a name.
struct BodyPattern {
  std::string key = "name";
  std::string text;
};

BodyPattern ParsePattern(const std::string& pattern) {
  const size_t equals = pattern.find('=');
  if (equals == std::string::npos || equals == 0) return {.text = pattern};
  return {pattern.substr(0, equals), pattern.substr(equals + 1)};
}

// Returns for each body: true if it is like the pattern.
std::vector<bool> BodiesLike(std::span<const SceneBody> bodies,
                             const std::string& pattern) {
  const BodyPattern wanted = ParsePattern(pattern);
  std::vector<bool> members(bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    const std::optional<std::string> value = PropertyOf(bodies[i], wanted.key);
    members[i] = value.has_value() && IsLike(*value, wanted.text);
  }
  return members;
}

absl::StatusOr<std::vector<bool>> MembersOf(std::span<const SceneBody> bodies,
                                            const std::string& pattern,
                                            std::string_view option) {
  const BodyPattern wanted = ParsePattern(pattern);
  const absl::StatusOr<std::vector<std::string>> values =
      ValuesOf(bodies, wanted.key, option);
  if (!values.ok()) return values.status();
  return BodiesLike(bodies, pattern);
}

std::string IdleSentence(const std::string& rule) {
  return Cat("--ignore: no pair of bodies is like ", Quoted(OnOneLine(rule)),
             "; it leaves out nothing");
}

// Returns the first cells of a CSV row. Cells are separated by commas and may
// be quoted.
std::vector<std::string> CellsOf(std::string_view row) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"') {
      // Two quotes inside a quoted cell stand for one quote.
      const bool twice = quoted && i + 1 < row.size() && row[i + 1] == '"';
      if (twice) cells.back() += row[++i];
      if (!twice) quoted = !quoted;
    } else if (row[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  for (std::string& cell : cells) {
    cell = TrimSpaces(cell);
    // As --excel writes it.
    if (cell.size() > 1 && cell[0] == '\'' &&
        std::string_view("=+-@").find(cell[1]) != std::string_view::npos) {
      cell.erase(0, 1);
    }
  }
  return cells;
}

}  // namespace

std::optional<std::string> PropertyOf(const SceneBody& body,
                                      std::string_view key) {
  const auto found = body.properties.find(std::string(key));
  if (found != body.properties.end()) return found->second;
  if (key == "name") return body.name;
  if (key == "mesh") return body.mesh;
  return std::nullopt;
}

absl::StatusOr<std::vector<std::string>> ValuesOf(
    std::span<const SceneBody> bodies, const std::string& key,
    std::string_view option) {
  std::vector<std::string> values;
  bool any = false;
  for (const SceneBody& body : bodies) {
    const std::optional<std::string> value = PropertyOf(body, key);
    any = any || value.has_value();
    values.push_back(value.value_or(""));
  }
  if (any) return values;
  std::set<std::string> keys = {"name", "mesh"};
  for (const SceneBody& body : bodies) {
    for (const auto& [own, value] : body.properties) keys.insert(own);
  }
  const std::vector<std::string_view> known(keys.begin(), keys.end());
  std::string list;
  for (const std::string_view own : known) {
    list += Cat(list.empty() ? "" : ", ", own);
  }
  const std::string guess = DidYouMean(key, known);
  return absl::InvalidArgumentError(
      Cat(option, ": no body has the property ", Quoted(OnOneLine(key)),
          !guess.empty() ? guess : Cat("; there are ", OnOneLine(list))));
}

bool IsLike(std::string_view text, std::string_view pattern) {
  // Positions at which matching continues if the last * has to match one more
  // character.
  size_t star = std::string_view::npos, matched = 0;
  size_t t = 0, p = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      matched = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++matched;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

absl::StatusOr<PairFilter> PairFilter::Create(std::span<const SceneBody> bodies,
                                              std::span<const std::string> ids,
                                              const PairRules& rules) {
  PairFilter filter;
  filter.wants_all_ = rules.between.empty() && rules.ignore.empty() &&
                      rules.accepted.empty() && rules.pairs.empty() &&
                      rules.groups.empty() && rules.rules.empty();
  for (const auto& [a, b] : rules.pairs) filter.unrelated_.insert(KeyOf(a, b));
  if (!rules.groups.empty()) filter.same_.push_back(rules.groups);
  for (const auto& [first, second] : rules.between) {
    std::vector<bool> sets[2];
    for (size_t side = 0; side < 2; ++side) {
      const std::string& pattern = side == 0 ? first : second;
      absl::StatusOr<std::vector<bool>> members =
          MembersOf(bodies, pattern, "--between");
      if (!members.ok()) return members.status();
      if (std::find(members->begin(), members->end(), true) == members->end()) {
        return absl::InvalidArgumentError(
            Cat("--between: no body is like ", Quoted(OnOneLine(pattern)),
                "; give a pattern of some, with * for any characters"));
      }
      sets[side] = *std::move(members);
    }
    filter.between_.emplace_back(std::move(sets[0]), std::move(sets[1]));
  }
  filter.ignored_.resize(bodies.size());
  for (const std::string& rule : rules.ignore) {
    bool any = false;
    if (rule.starts_with(kSame)) {
      const std::string key = rule.substr(kSame.size());
      const absl::StatusOr<std::vector<std::string>> values =
          ValuesOf(bodies, key, "--ignore");
      if (!values.ok()) return values.status();
      std::unordered_map<std::string, uint32_t> numbers;
      std::vector<uint32_t>& same = filter.same_.emplace_back(bodies.size());
      for (size_t i = 0; i < bodies.size(); ++i) {
        if (!PropertyOf(bodies[i], key).has_value()) continue;
        const auto [value, is_new] =
            numbers.emplace((*values)[i], numbers.size() + 1);
        same[i] = value->second;
        any = any || !is_new;
      }
      if (!any) filter.rule_notes_.push_back(IdleSentence(rule));
      continue;
    }
    const absl::StatusOr<std::vector<bool>> members =
        MembersOf(bodies, rule, "--ignore");
    if (!members.ok()) return members.status();
    for (size_t i = 0; i < bodies.size(); ++i) {
      if (!(*members)[i]) continue;
      filter.ignored_[i] = any = true;
    }
    if (!any) filter.rule_notes_.push_back(IdleSentence(rule));
  }
  const absl::Status rows = filter.AddRules(bodies, rules.rules);
  if (!rows.ok()) return rows;
  filter.ids_.assign(ids.begin(), ids.end());
  const absl::Status accepted = filter.ReadAccepted(bodies, rules.accepted);
  if (!accepted.ok()) return accepted;
  return filter;
}

// A # starts a comment only at the beginning of a line, because names may
// contain any characters except line ends.
absl::Status PairFilter::ReadAccepted(std::span<const SceneBody> bodies,
                                      const std::string& path) {
  if (path.empty()) return absl::OkStatus();
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  std::unordered_map<std::string_view, size_t> by_name;
  for (size_t i = 0; i < bodies.size(); ++i) by_name[bodies[i].name] = i;
  std::string_view rest = bytes->view();
  if (rest.starts_with(kByteOrderMark)) {
    rest.remove_prefix(kByteOrderMark.size());
  }
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = TrimSpaces(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = CellsOf(line);
    if (report::IsClashId(cells[0])) {
      accepted_ids_.insert(cells[0]);
    } else if (cells.size() < 2) {
      return absl::InvalidArgumentError(Cat(NameOfInput(path), ":", number,
                                            ": ", Quoted(OnOneLine(line)),
                                            " is no pair; give ", kWantedPair));
    } else if (cells[0] != "a" || cells[1] != "b") {
      // Names that are not in the scene are skipped.
      const auto a = by_name.find(cells[0]), b = by_name.find(cells[1]);
      if (a != by_name.end() && b != by_name.end()) {
        accepted_.insert(KeyOf(a->second, b->second));
      }
    }
  }
  return absl::OkStatus();
}

bool PairFilter::IsAccepted(size_t a, size_t b) const {
  return accepted_.contains(KeyOf(a, b)) ||
         (!accepted_ids_.empty() &&
          accepted_ids_.contains(report::ClashId(ids_[a], ids_[b])));
}

bool PairFilter::InSets(size_t a, size_t b) const {
  return between_.empty() ||
         std::any_of(between_.begin(), between_.end(), [a, b](const auto& s) {
           return (s.first[a] && s.second[b]) || (s.first[b] && s.second[a]);
         });
}

// Bodies without the property of a rule are in none of its sets, because a file
// of rules is for many models.
absl::Status PairFilter::AddRules(std::span<const SceneBody> bodies,
                                  std::span<const ClashRule> rules) {
  for (const ClashRule& rule : rules) {
    Row& row = rows_.emplace_back();
    row.rule = rule;
    row.a = BodiesLike(bodies, rule.a);
    row.b = BodiesLike(bodies, rule.b);
    const bool any = std::count(row.a.begin(), row.a.end(), true) > 0 &&
                     std::count(row.b.begin(), row.b.end(), true) > 0;
    if (!any) {
      rule_notes_.push_back(Cat("--rules: no pair of bodies is like those of ",
                                Quoted(rule.name), "; it decides nothing"));
    }
    if (rule.insulation.empty()) continue;
    bool is_known = false;
    for (const SceneBody& body : bodies) {
      const std::optional<std::string> text = PropertyOf(body, rule.insulation);
      is_known = is_known || text.has_value();
      const absl::StatusOr<double> value = ParseReal(text.value_or("0"));
      if (!value.ok() || !(*value >= 0)) {
        return absl::InvalidArgumentError(
            Cat("--rules: ", Quoted(body.name), " has the ", rule.insulation,
                " ", Quoted(OnOneLine(*text)), ", which is no length"));
      }
      row.insulation.push_back(*value);
    }
    if (!is_known) {
      rule_notes_.push_back(Cat("--rules: no body has the property ",
                                Quoted(rule.insulation), " of ",
                                Quoted(rule.name), "; it adds no insulation"));
    }
  }
  return absl::OkStatus();
}

std::optional<size_t> PairFilter::RuleOf(size_t a, size_t b) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if ((row.a[a] && row.b[b]) || (row.a[b] && row.b[a])) return i;
  }
  return std::nullopt;
}

PairLimits PairFilter::LimitsOf(size_t a, size_t b,
                                const PairLimits& otherwise) const {
  const std::optional<size_t> number = RuleOf(a, b);
  if (!number.has_value()) return otherwise;
  const Row& row = rows_[*number];
  PairLimits limits{row.rule.tolerance.value_or(otherwise.tolerance),
                    row.rule.clearance.value_or(otherwise.clearance)};
  if (!row.insulation.empty()) {
    limits.clearance += row.insulation[a] + row.insulation[b];
  }
  return limits;
}

PairLimits PairFilter::LargestLimits(const PairLimits& otherwise) const {
  PairLimits largest = otherwise;
  for (const Row& row : rows_) {
    const auto thickest =
        std::max_element(row.insulation.begin(), row.insulation.end());
    const double insulation =
        thickest == row.insulation.end() ? 0 : 2 * *thickest;
    largest.tolerance =
        std::max(largest.tolerance, row.rule.tolerance.value_or(0));
    largest.clearance =
        std::max(largest.clearance,
                 row.rule.clearance.value_or(otherwise.clearance) + insulation);
  }
  return largest;
}

bool PairFilter::IsIgnored(size_t a, size_t b) const {
  const std::optional<size_t> rule = RuleOf(a, b);
  if (rule.has_value() && rows_[*rule].rule.ignore) return true;
  return ignored_[a] || ignored_[b] || unrelated_.contains(KeyOf(a, b)) ||
         std::any_of(same_.begin(), same_.end(), [a, b](const auto& values) {
           return values[a] != 0 && values[a] == values[b];
         });
}

}  // namespace orbox::cli
