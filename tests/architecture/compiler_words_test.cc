// SPDX-License-Identifier: Apache-2.0

// Attributes and functions that only some compilers have are behind one header,
// overlap/base/export.h; the rest of the libraries is standard C++, but for
// what Highway's macros say.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace orbox {
namespace {

namespace fs = std::filesystem;

bool IsOfOneCompiler(const std::string& line) {
  static const std::regex kWords(
      "__builtin_|__attribute__|__declspec|__restrict|__forceinline|"
      "__int128|__asm|__typeof");
  return std::regex_search(line, kWords);
}

TEST(CompilerWordsTest, AreInOneHeader) {
  size_t allowed = 0;
  for (const char* library : {"overlap", "bvh", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(
             fs::path(ORBOX_SOURCE_DIR) / library)) {
      const std::string ending = entry.path().extension();
      if (ending != ".h" && ending != ".cc" && ending != ".inc") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        if (!IsOfOneCompiler(line)) continue;
        if (entry.path().filename() == "export.h") {
          ++allowed;
        } else {
          ADD_FAILURE() << entry.path() << ": " << line;
        }
      }
    }
  }
  EXPECT_GE(allowed, 1u);
}

}  // namespace
}  // namespace orbox
