// SPDX-License-Identifier: Apache-2.0

// What a source declares in Highway's namespace is the same for all sources of
// an instruction set: two classes of one name are one class to the linker,
// which takes the functions of either.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace orbox {
namespace {

namespace fs = std::filesystem;

// The classes that a source defines in Highway's namespace.
std::vector<std::string> ClassesOf(const fs::path& path) {
  static const std::regex kClass("^(?:class|struct) ([A-Za-z0-9]+)[^;]*");
  std::ifstream file(path);
  std::vector<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
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
  for (const char* library : {"overlap", "bvh"}) {
    for (const auto& entry : fs::recursive_directory_iterator(
             fs::path(ORBOX_SOURCE_DIR) / library)) {
      if (entry.path().extension() != ".cc") continue;
      for (const std::string& name : ClassesOf(entry.path())) {
        sources[name].push_back(entry.path().filename().string());
      }
    }
  }
  for (const auto& [name, files] : sources) {
    EXPECT_THAT(files, testing::SizeIs(1)) << name;
  }
  EXPECT_GT(sources.size(), 10u);
}

}  // namespace
}  // namespace orbox
