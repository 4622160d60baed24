// SPDX-License-Identifier: Apache-2.0

// A directory of its own for a test, which vanishes with it.
#ifndef ORBOX_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_
#define ORBOX_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name =
        (std::filesystem::temp_directory_path() / "orbox-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr) << name;
    path_ = name;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string Path(const std::string& name) const {
    return (path_ / name).string();
  }
  // Writes a file into it; returns its path.
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  // Contents of a file; empty if it cannot be read.
  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The names of all that is in it.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_
