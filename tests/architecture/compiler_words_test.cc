// SPDX-License-Identifier: Apache-2.0

// Attributes and functions that only some compilers have are behind one header,
// overlap/base/export.h; the rest of the libraries is standard C++, except for
// Highway's macros.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "tests/architecture/source_tree.h"

namespace orbox {
namespace {

bool IsOfOneCompiler(const std::string& line) {
  static const std::regex kWords(
      "__builtin_|__attribute__|__declspec|__restrict|__forceinline|"
      "__int128|__asm|__typeof");
  return std::regex_search(line, kWords);
}

TEST(CompilerWordsTest, AreInOneHeader) {
  size_t allowed = 0;
  for (const std::filesystem::path& path : source_tree::Sources()) {
    for (const std::string& line : source_tree::Lines(path)) {
      if (!IsOfOneCompiler(line)) continue;
      if (path.filename() == "export.h") {
        ++allowed;
      } else {
        ADD_FAILURE() << path << ": " << line;
      }
    }
  }
  EXPECT_GE(allowed, 1u);
}

}  // namespace
}  // namespace orbox
