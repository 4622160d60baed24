// SPDX-License-Identifier: Apache-2.0

// Holds the documents to their lengths, and to files that exist.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace orbox {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

// A reader gets through each of these pages in one sitting.
const std::map<std::string, size_t>& MostLines() {
  static const std::map<std::string, size_t> lines = {
      {"ARCHITECTURE.md", 130}, {"README.md", 130},    {"CHANGELOG.md", 50},
      {"CONTRIBUTING.md", 100}, {"GUARANTEES.md", 80}, {"bench/README.md", 150},
  };
  return lines;
}

// The documents, and the guide.
std::vector<fs::path> Pages() {
  std::vector<fs::path> pages;
  for (const auto& [page, most] : MostLines()) pages.push_back(page);
  for (const auto& entry :
       fs::directory_iterator(source_tree::Root() / "tools/docs")) {
    if (entry.path().extension() == ".md") {
      pages.push_back(entry.path().lexically_relative(source_tree::Root()));
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

// The names of all files in the folders that documents mention, and next to
// them.
std::set<std::string> FileNames() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(source_tree::Root())) {
    names.insert(entry.path().filename().string());
  }
  for (const char* folder : {"overlap", "bvh", "tools", "tests", "bench"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(source_tree::Root() / folder)) {
      names.insert(entry.path().filename().string());
    }
  }
  return names;
}

// The words in backticks outside of blocks of code.
std::vector<std::string> QuotedWords(const fs::path& page) {
  static const std::regex kQuoted("`([^`]+)`");
  std::vector<std::string> words;
  bool is_code = false;
  for (const std::string& line : source_tree::Lines(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || line.starts_with("    ")) continue;
    for (std::sregex_iterator i(line.begin(), line.end(), kQuoted), end;
         i != end; ++i) {
      words.push_back((*i)[1]);
    }
  }
  return words;
}

TEST(PagesTest, AreShort) {
  for (const auto& [page, most] : MostLines()) {
    const size_t lines = source_tree::Lines(page).size();
    EXPECT_GT(lines, 0U) << page;
    EXPECT_LE(lines, most) << page;
  }
}

// A row of a table is one line of Markdown, however long.
TEST(PagesTest, TheMapFitsAScreen) {
  for (const std::string& line : source_tree::Lines("ARCHITECTURE.md")) {
    if (!line.starts_with("|")) {
      EXPECT_LE(line.size(), 120U) << line;
    }
  }
}

TEST(PagesTest, PathsInBackticksExist) {
  static const std::regex kPath(
      "(overlap|bvh|tools|tests|bench|data|cmake)/[A-Za-z0-9_./+-]*");
  std::vector<std::string> missing;
  size_t count = 0;
  for (const fs::path& page : Pages()) {
    for (const std::string& word : QuotedWords(page)) {
      // The command of a line that starts with a script.
      const std::string path = word.substr(0, word.find(' '));
      if (!std::regex_match(path, kPath)) continue;
      ++count;
      if (!fs::exists(source_tree::Root() / path)) {
        missing.push_back(page.string() + " names " + path);
      }
    }
  }
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_GT(count, 100U);
}

TEST(PagesTest, SourcesInBackticksExist) {
  static const std::regex kSource("[a-z0-9_-]+\\.(h|cc|inc)");
  // A name that stands for others.
  const std::set<std::string> examples = {"foo.h", "foo_test.cc",
                                          "foo_bench.cc"};
  const std::set<std::string> names = FileNames();
  std::vector<std::string> missing;
  size_t count = 0;
  for (const fs::path& page : Pages()) {
    for (const std::string& word : QuotedWords(page)) {
      if (!std::regex_match(word, kSource) || examples.contains(word)) continue;
      ++count;
      if (!names.contains(word)) {
        missing.push_back(page.string() + " names " + word);
      }
    }
  }
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_GT(count, 50U);
}

// bench/report.py writes the text between the markers.
TEST(PagesTest, TablesOfBenchmarksAreMadeByTheReport) {
  static const std::regex kTopic("    \"([a-z_]+)\": \\(.*");
  static const std::regex kMarker("<!-- table ([a-z_]+) -->");
  std::smatch match;
  std::set<std::string> topics;
  for (const std::string& line : source_tree::Lines("bench/report.py")) {
    if (std::regex_match(line, match, kTopic)) topics.insert(match[1]);
  }
  size_t tables = 0;
  size_t ends = 0;
  for (const std::string& line : source_tree::Lines("bench/README.md")) {
    ends += line == "<!-- end -->";
    if (!std::regex_match(line, match, kMarker)) continue;
    ++tables;
    EXPECT_EQ(topics.count(match[1]), 1U) << match[1];
  }
  EXPECT_GT(tables, 3U);
  EXPECT_EQ(tables, ends);
}

}  // namespace
}  // namespace orbox
