// SPDX-License-Identifier: Apache-2.0

// All sources compiled for an instruction set share Highway's namespace. Two
// classes of one name in it are one class to the linker, which uses the
// functions of either.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace orbox {
namespace {

namespace fs = std::filesystem;

// The classes that a source defines in Highway's namespace.
std::vector<std::string> ClassesOf(const fs::path& path) {
  static const std::regex kClass("^(?:class|struct) ([A-Za-z0-9]+)[^;]*");
  std::vector<std::string> names;
  bool inside = false;
  for (const std::string& line : source_tree::Lines(path)) {
    if (line.starts_with("namespace orbox::HWY_NAMESPACE {")) inside = true;
    if (line.starts_with("HWY_AFTER_NAMESPACE")) inside = false;
    std::smatch match;
    if (inside && std::regex_match(line, match, kClass)) {
      names.push_back(match[1]);
    }
  }
  return names;
}

TEST(VectorNamesTest, AClassOfAnInstructionSetIsOfOneSource) {
  std::map<std::string, std::vector<std::string>> sources;
  for (const fs::path& path : source_tree::Sources({"overlap", "bvh"})) {
    if (path.extension() != ".cc") continue;
    for (const std::string& name : ClassesOf(path)) {
      sources[name].push_back(path.string());
    }
  }
  for (const auto& [name, files] : sources) {
    EXPECT_THAT(files, testing::SizeIs(1)) << name;
  }
  EXPECT_GT(sources.size(), 10u);
}

}  // namespace
}  // namespace orbox
