// SPDX-License-Identifier: Apache-2.0

// Runs the orbox command in tests: files in a scratch directory, JSON out.
#ifndef ORBOX_TESTS_SUPPORT_ORBOX_COMMAND_H_
#define ORBOX_TESTS_SUPPORT_ORBOX_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tests/support/json.h"
#include "tests/support/process.h"
#include "tests/support/scratch_directory.h"

namespace orbox {

// Exit codes, which scripts rely on.
inline constexpr int kUsage = 2, kBadInput = 3, kIo = 4;

class OrboxCommandTest : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  static ProcessResult Run(const Words& arguments,
                           const ProcessOptions& options = {}) {
    return RunProcess(ORBOX_COMMAND, arguments, options);
  }

  // Output of the command, which has to succeed and print nothing else.
  static std::string Output(const Words& arguments,
                            const ProcessOptions& options = {}) {
    const ProcessResult result = Run(arguments, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  static Json JsonOf(Words arguments, const ProcessOptions& options = {}) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const std::string text = Output(arguments, options);
    const std::optional<Json> json = ParseJson(text);
    EXPECT_TRUE(json.has_value()) << text;
    return json.value_or(Json());
  }

  // JSON without the names of the input files.
  static std::string WithoutInputs(const std::string& json) {
    const size_t begin = json.find("\"inputs\":[");
    if (begin == std::string::npos) return json;
    return json.substr(0, begin) + json.substr(json.find(']', begin));
  }

  // The message of a command that has to fail with this exit code: one line on
  // standard error and nothing on standard output.
  static std::string ErrorOf(const Words& arguments, int exit_code,
                             const ProcessOptions& options = {}) {
    const ProcessResult result = Run(arguments, options);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, ::testing::StartsWith("orbox: "));
    EXPECT_THAT(result.err, ::testing::EndsWith("\n"));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    return result.err;
  }

  // Writes the mesh to a file of this name and returns its path.
  std::string File(const std::string& name, const Mesh& mesh) const {
    EXPECT_TRUE(WriteMeshFile(mesh, folder_.Path(name)).ok());
    return folder_.Path(name);
  }

  ScratchDirectory folder_;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_ORBOX_COMMAND_H_
