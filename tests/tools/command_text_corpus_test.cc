// SPDX-License-Identifier: Apache-2.0

// Every input that the fuzzers of the command's text start from, or once failed
// on, in each build.
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/fuzz/command_text_fuzz.h"
#include "tests/fuzz/for_each_input.h"
#include "tests/fuzz/scene_text_fuzz.h"

namespace orbox {
namespace {

TEST(CommandTextCorpusTest, EachParser) {
  const std::filesystem::path corpus =
      std::filesystem::path(ORBOX_SOURCE_DIR) / "tests" / "fuzz" / "corpus";
  EXPECT_GT(ForEachInput(corpus, "rows", FuzzRows), 0u);
  EXPECT_GT(ForEachInput(corpus, "pose", FuzzPose), 0u);
  EXPECT_GT(ForEachInput(corpus, "arguments", FuzzArguments), 0u);
  EXPECT_GT(ForEachInput(corpus, "scene_file", FuzzSceneFile), 0u);
  EXPECT_GT(ForEachInput(corpus, "scene_motion", FuzzSceneMotion), 0u);
}

}  // namespace
}  // namespace orbox
