// SPDX-License-Identifier: Apache-2.0

// The tests of a room are one program, so no two of its sources may give a
// test, a fixture or an instance the same name. A linker accepts equal names,
// and ctest then runs only one of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace orbox {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(ORBOX_SOURCE_DIR) / "tests";

// Part of a test macro that has to be unique: its suite and name, or, for a
// suite with a fixture, the suite, which belongs to one source.
struct Macro {
  std::string_view opening;
  bool has_fixture;
};
constexpr Macro kMacros[] = {{"\nTEST(", false},
                             {"\nTEST_F(", true},
                             {"\nTEST_P(", true},
                             {"\nINSTANTIATE_TEST_SUITE_P(", false}};

// "Suite" or "Suite, Name" of each use of the macro.
std::vector<std::string> NamesOf(const Macro& macro, const std::string& text) {
  std::vector<std::string> names;
  size_t at = 0;
  while ((at = text.find(macro.opening, at)) != std::string::npos) {
    at += macro.opening.size();
    const size_t comma = text.find(',', at);
    size_t end = comma;
    if (!macro.has_fixture) end = text.find_first_of(",)", comma + 1);
    std::istringstream words(text.substr(at, end - at));
    std::string name;
    for (std::string word; words >> word;) name += word + " ";
    names.push_back(name);
  }
  return names;
}

TEST(TestNamesTest, AreOfOneSourceInItsRoom) {
  // The sources of a name in a room.
  std::map<std::string, std::vector<std::string>> sources;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(kTests)) {
    const fs::path& path = entry.path();
    if (!path.filename().string().ends_with("_test.cc")) continue;
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    fs::path room = path.parent_path();
    if (room.filename() == "internal") room = room.parent_path();
    for (const Macro& macro : kMacros) {
      for (const std::string& name : NamesOf(macro, text)) {
        std::vector<std::string>& found =
            sources[room.lexically_relative(kTests).string() + ": " + name];
        if (!macro.has_fixture || found.empty() || found.back() != path) {
          found.push_back(path.string());
        }
      }
    }
  }
  EXPECT_GT(sources.size(), 500U);
  for (const auto& [name, paths] : sources) {
    EXPECT_EQ(paths.size(), 1U)
        << name << "is in " << ::testing::PrintToString(paths);
  }
}

}  // namespace
}  // namespace orbox
