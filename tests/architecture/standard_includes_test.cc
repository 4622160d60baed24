// SPDX-License-Identifier: Apache-2.0

// A file that uses names of the standard library or of Abseil includes their
// headers, or a header of ours does. Builds with precompiled headers, as in CI
// and packages, would compile without.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace orbox {
namespace {

using ::testing::IsEmpty;

struct Origin {
  std::set<std::string> headers;  // any of these serves
  std::string scope;
  std::string names;
};

// Headers in the lists of precompiled headers.
const std::vector<Origin>& Origins() {
  static const std::vector<Origin> kOrigins = {
      {{"algorithm"},
       "std::",
       "sort stable_sort partial_sort nth_element min max minmax clamp any_of "
       "all_of none_of find find_if find_if_not fill fill_n copy copy_n "
       "copy_if reverse rotate unique equal mismatch count count_if transform "
       "remove remove_if replace merge inplace_merge includes is_sorted "
       "max_element min_element minmax_element partition stable_partition "
       "partition_point lower_bound upper_bound equal_range binary_search "
       "push_heap pop_heap make_heap sort_heap generate for_each search "
       "adjacent_find lexicographical_compare set_union set_intersection "
       "set_difference swap_ranges next_permutation"},
      {{"cmath"},
       "std::",
       "sqrt cbrt hypot floor ceil round lround llround trunc nearbyint rint "
       "isfinite isnan isinf isnormal signbit copysign ldexp frexp scalbn "
       "ilogb logb nextafter fma fmod remainder modf sin cos tan asin acos "
       "atan atan2 exp exp2 log log2 log10 pow fmin fmax fabs"},
      {{"functional"},
       "std::",
       "function hash greater less greater_equal less_equal plus minus "
       "multiplies reference_wrapper cref invoke not_fn identity"},
      {{"memory"},
       "std::",
       "unique_ptr shared_ptr weak_ptr make_unique make_shared construct_at "
       "destroy_at uninitialized_copy uninitialized_fill"},
      {{"optional"}, "std::", "optional nullopt make_optional"},
      {{"iosfwd", "ostream", "iostream", "sstream", "fstream"},
       "std::",
       "ostream"},
      {{"span"}, "std::", "span as_bytes dynamic_extent"},
      {{"string"}, "std::", "string to_string stod stoi getline"},
      {{"tuple"}, "std::", "tuple tie make_tuple forward_as_tuple"},
      {{"vector"}, "std::", "vector"},
      {{"absl/status/statusor.h"}, "absl::", "StatusOr"},
      {{"absl/status/status.h", "absl/status/statusor.h"},
       "absl::",
       "Status OkStatus StatusCode InvalidArgumentError NotFoundError "
       "DataLossError InternalError CancelledError ResourceExhaustedError "
       "FailedPreconditionError UnimplementedError OutOfRangeError"},
      {{"absl/strings/str_cat.h"}, "absl::", "StrCat StrAppend Hex AlphaNum"},
      {{"boost/multiprecision/cpp_int.hpp"},
       "multiprecision::",
       "cpp_int cpp_rational int128_t int256_t"},
  };
  return kOrigins;
}

// From "std::sort" and the like.
std::map<std::string, const Origin*> OriginsByName() {
  std::map<std::string, const Origin*> by_name;
  for (const Origin& origin : Origins()) {
    std::istringstream names(origin.names);
    for (std::string name; names >> name;) {
      by_name[origin.scope + name] = &origin;
    }
  }
  return by_name;
}

struct Source {
  std::set<std::string> includes;  // as they are written
  std::string code;                // without comments and literals
};

// The line without its comment and what its literals hold.
std::string Code(const std::string& line) {
  std::string code;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.compare(i, 2, "//") == 0) {
      break;
    } else if (!quoted) {
      code += line[i];
    }
  }
  return code;
}

Source Read(const std::filesystem::path& path) {
  Source source;
  for (const std::string& line : source_tree::Lines(path)) {
    source.includes.insert(source_tree::IncludeOf(line));
    source.code += Code(line) + "\n";
  }
  return source;
}

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "scope::name" for each place where a name has a scope; inner scopes alone.
std::set<std::string> ScopedNames(const std::string& code) {
  std::set<std::string> names;
  for (size_t at = code.find("::"); at != std::string::npos;
       at = code.find("::", at + 2)) {
    size_t begin = at;
    while (begin > 0 && IsOfName(code[begin - 1])) --begin;
    size_t end = at + 2;
    while (end < code.size() && IsOfName(code[end])) ++end;
    names.insert(code.substr(begin, end - begin));
  }
  return names;
}

// All that a file of ours includes, and what that includes of ours.
std::set<std::string> Reached(const std::string& path,
                              const std::map<std::string, Source>& sources) {
  std::set<std::string> reached;
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const auto source = sources.find(open.back());
    open.pop_back();
    if (source == sources.end()) continue;
    for (const std::string& include : source->second.includes) {
      if (!reached.insert(include).second) continue;
      open.push_back(source_tree::OursOf(include).string());
    }
  }
  return reached;
}

bool ReachesAny(const std::set<std::string>& reached,
                const std::set<std::string>& headers) {
  for (const std::string& header : headers) {
    if (reached.contains(header)) return true;
  }
  return false;
}

TEST(StandardIncludesTest, WhatIsUsedIsIncluded) {
  std::map<std::string, Source> sources;
  for (const std::filesystem::path& path : source_tree::Sources()) {
    sources[path.string()] = Read(path);
  }
  const std::map<std::string, const Origin*> origins = OriginsByName();
  std::vector<std::string> missing;
  size_t uses = 0;
  for (const auto& [path, source] : sources) {
    const std::set<std::string> reached = Reached(path, sources);
    for (const std::string& name : ScopedNames(source.code)) {
      const auto origin = origins.find(name);
      if (origin == origins.end()) continue;
      ++uses;
      if (!ReachesAny(reached, origin->second->headers)) {
        missing.push_back(path + " uses " + name + " and includes no <" +
                          *origin->second->headers.begin() + ">");
      }
    }
  }
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_GT(uses, 2000U);
}

}  // namespace
}  // namespace orbox
