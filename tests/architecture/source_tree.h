// SPDX-License-Identifier: Apache-2.0

// The sources of the libraries and of the tools, as text, for tests that hold
// them to rules.

#ifndef ORBOX_TESTS_ARCHITECTURE_SOURCE_TREE_H_
#define ORBOX_TESTS_ARCHITECTURE_SOURCE_TREE_H_

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace orbox::source_tree {

// Paths are relative to it.
inline std::filesystem::path Root() { return ORBOX_SOURCE_DIR; }

inline std::vector<std::string> Lines(const std::filesystem::path& path) {
  std::ifstream file(Root() / path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Headers and sources, ascending: files, and those below folders.
inline std::vector<std::filesystem::path> Sources(
    std::initializer_list<std::string_view> places = {"orbox.h", "overlap",
                                                      "bvh", "tools"}) {
  std::vector<std::filesystem::path> paths;
  for (const std::string_view place : places) {
    if (std::filesystem::is_regular_file(Root() / place)) {
      paths.push_back(place);
      continue;
    }
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(Root() / place)) {
      const std::string ending = entry.path().extension();
      if (ending == ".h" || ending == ".cc" || ending == ".inc") {
        paths.push_back(entry.path().lexically_relative(Root()));
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Name in an #include; empty for any other line.
inline std::string IncludeOf(std::string_view line) {
  if (!line.starts_with("#include ")) return "";
  const size_t begin = line.find_first_of("<\"");
  const size_t end = line.find_first_of(">\"", begin + 1);
  return end == std::string_view::npos
             ? ""
             : std::string(line.substr(begin + 1, end - begin - 1));
}

// File of an include of ours; empty for those of others.
inline std::filesystem::path OursOf(const std::string& include) {
  if (include.starts_with("tools/")) return include;
  return include.starts_with("orbox/") ? include.substr(6) : "";
}

}  // namespace orbox::source_tree

#endif  // ORBOX_TESTS_ARCHITECTURE_SOURCE_TREE_H_
