// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/mesh_pair.h"

#include <filesystem>
#include <utility>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

std::string FileNameOf(const std::string& path) {
  if (path == "-") return "standard input";
  return OnOneLine(std::filesystem::path(path).filename().string());
}

}  // namespace

absl::StatusOr<PairArguments> ReadPair(const Arguments& arguments) {
  const std::string& path_a = arguments.operands()[0];
  const std::string& path_b = arguments.operands()[1];
  const std::string pose = arguments.Value("--pose");
  const absl::Status input =
      CheckStandardInput({path_a, path_b, PoseFileOf(pose)});
  if (!input.ok()) return input;

  absl::StatusOr<Poses> poses = ReadPoses(arguments);
  if (!poses.ok()) return poses.status();
  return PairArguments{.poses = *std::move(poses),
                       .title = Cat("A (", FileNameOf(path_a), ") and B (",
                                    FileNameOf(path_b), ")")};
}

absl::StatusOr<MeshPair> PairOf(const PairArguments& arguments,
                                std::span<const Tree> trees) {
  const absl::Status finite = CheckPoses(arguments.poses, trees[0]);
  if (!finite.ok()) return finite;
  return MeshPair{.a = trees[0],
                  .b = trees[1],
                  .poses = arguments.poses,
                  .title = arguments.title};
}

ChunkedPair PairOf(const PairArguments& arguments,
                   std::span<const ChunkedTarget> trees) {
  return {.a = trees[0],
          .b = trees[1],
          .poses = arguments.poses,
          .title = arguments.title};
}

}  // namespace orbox::cli
