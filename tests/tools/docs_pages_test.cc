// SPDX-License-Identifier: Apache-2.0

// The guide's pages (tools/docs) and README.md: each command line prints the
// text below it. Each call in a table of the guide is in a compiled program.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

const std::filesystem::path kRoot = ORBOX_SOURCE_DIR;

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::filesystem::path> FilesIn(const std::string& folder,
                                           const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(kRoot / folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Command {
  std::string line;
  std::vector<std::string> output;
};

// The lines after "$ " in blocks of ```console, and what follows each.
std::vector<Command> CommandsOf(const std::string& page) {
  std::vector<Command> commands;
  bool is_console = false;
  for (const std::string& line : LinesOf(page)) {
    if (line.starts_with("```")) {
      is_console = !is_console && line == "```console";
    } else if (is_console && line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}});
    } else if (is_console && !commands.empty()) {
      commands.back().output.push_back(line);
    }
  }
  return commands;
}

// Both streams of a command, run by the shell in a folder.
std::string OutputOf(const std::string& command,
                     const std::filesystem::path& folder) {
  const std::string tool = std::filesystem::path(ORBOX_COMMAND).parent_path();
  const std::string line = "cd '" + folder.string() + "' && PATH='" + tool +
                           "':\"$PATH\" && export PATH && { " + command +
                           "; } 2>&1";
  FILE* const pipe = popen(line.c_str(), "r");
  std::string output;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    output.append(buffer, n);
  }
  pclose(pipe);
  return output;
}

// Returns true if lines are as expected; "..." stands for any number of lines.
bool IsAsExpected(const std::vector<std::string>& lines, size_t i,
                  const std::vector<std::string>& expected, size_t j) {
  if (j == expected.size()) return i == lines.size();
  if (expected[j] == "...") {
    for (size_t next = i; next <= lines.size(); ++next) {
      if (IsAsExpected(lines, next, expected, j + 1)) return true;
    }
    return false;
  }
  return i < lines.size() && lines[i] == expected[j] &&
         IsAsExpected(lines, i + 1, expected, j + 1);
}

TEST(DocsPagesTest, CommandsPrintWhatThePagesShow) {
  size_t count = 0;
  std::vector<std::filesystem::path> pages = FilesIn("tools/docs", ".md");
  pages.push_back(kRoot / "README.md");
  for (const auto& page : pages) {
    // Each page is a session of its own.
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) /
        ("docs_pages_" + page.stem().string());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const Command& command : CommandsOf(TextOf(page))) {
      const std::string output = OutputOf(command.line, folder);
      EXPECT_TRUE(IsAsExpected(LinesOf(output), 0, command.output, 0))
          << page << "\n$ " << command.line << "\n"
          << output;
      ++count;
    }
    std::filesystem::remove_all(folder);
  }
  EXPECT_GT(count, 10u);
}

TEST(DocsPagesTest, ComparisonTellsLinesApart) {
  EXPECT_TRUE(IsAsExpected({"a", "b", "c"}, 0, {"a", "...", "c"}, 0));
  EXPECT_TRUE(IsAsExpected({"a", "c"}, 0, {"a", "...", "c"}, 0));
  EXPECT_FALSE(IsAsExpected({"a", "b"}, 0, {"a", "...", "c"}, 0));
  EXPECT_FALSE(IsAsExpected({"a", "b"}, 0, {"a"}, 0));
  EXPECT_FALSE(IsAsExpected({"a"}, 0, {"a", "b"}, 0));
}

std::string WithoutSpace(std::string text) {
  text = std::regex_replace(text, std::regex("orbox::"), "");
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

TEST(DocsPagesTest, CallsInTablesAreCompiled) {
  std::string sources;
  for (const char* folder : {"tests/docs", "tests/examples"}) {
    for (const auto& file : FilesIn(folder, ".cc")) sources += TextOf(file);
  }
  sources = WithoutSpace(sources);
  size_t count = 0;
  const std::string page = TextOf(kRoot / "tools/docs/migration.md");
  for (const std::string& line : LinesOf(page)) {
    const size_t cell = line.rfind(" | ");  // before the last
    if (!line.starts_with("| ") || cell == std::string::npos) continue;
    const std::string here = line.substr(cell);
    const std::regex code("`([^`]*\\([^`]*)`");
    for (std::sregex_iterator it(here.begin(), here.end(), code), end;
         it != end; ++it) {
      EXPECT_NE(sources.find(WithoutSpace((*it)[1])), std::string::npos)
          << (*it)[1] << " is in no program; the line is\n"
          << line;
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
}

TEST(DocsPagesTest, CodeComesFromPrograms) {
  for (const auto& page : FilesIn("tools/docs", ".md")) {
    EXPECT_EQ(TextOf(page).find("```cpp"), std::string::npos)
        << page << " has C++ that nothing compiles; use \\snippet";
  }
}

}  // namespace
