// SPDX-License-Identifier: Apache-2.0

// Attributes and functions that only some compilers have are behind one header,
// overlap/base/export.h, and calls of the operating system behind another,
// bvh/base/internal/os.h. Everything else is standard C++, except for Highway's
// macros.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
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

bool IsOfOneSystem(const std::string& line) {
  static const std::regex kWords(
      "_WIN32|__linux__|__unix__|__APPLE__|_POSIX_|"
      "#include <(sys/|unistd|fcntl|pthread|dirent|poll|signal\\.h|termios|"
      "windows|io\\.h|direct|process)");
  return std::regex_search(line, kWords);
}

TEST(SystemWordsTest, AreInOneRoom) {
  // The second condition on a system is that of exported symbols.
  const std::set<std::string> allowed = {"os_posix.cc", "os_windows.cc",
                                         "export.h", "link_check.cc"};
  std::set<std::string> found;
  for (const std::filesystem::path& path : source_tree::Sources()) {
    for (const std::string& line : source_tree::Lines(path)) {
      if (!IsOfOneSystem(line)) continue;
      const std::string name = path.filename().string();
      found.insert(name);
      if (!allowed.contains(name)) ADD_FAILURE() << path << ": " << line;
    }
  }
  EXPECT_EQ(found, allowed);
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
