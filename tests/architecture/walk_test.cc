// SPDX-License-Identifier: Apache-2.0

// Holds the walk through two queries in ARCHITECTURE.md to the files that it
// names.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace orbox {
namespace {

TEST(WalkTest, NamesFilesThatExistOnceEach) {
  const std::filesystem::path root = ORBOX_SOURCE_DIR;
  static const std::regex kFile("`((overlap|bvh)/[^`]+)`");
  std::ifstream page(root / "ARCHITECTURE.md");
  std::set<std::string> named;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line.starts_with("## Two queries");
    if (!inside) continue;
    for (std::sregex_iterator i(line.begin(), line.end(), kFile), end; i != end;
         ++i) {
      const std::string file = (*i)[1];
      EXPECT_TRUE(std::filesystem::exists(root / file)) << file;
      EXPECT_TRUE(named.insert(file).second) << file << " comes twice";
    }
  }
  EXPECT_GT(named.size(), 20u);
}

}  // namespace
}  // namespace orbox
