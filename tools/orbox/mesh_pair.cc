#include "tools/orbox/mesh_pair.h"

#include <filesystem>
#include <utility>

#include "tools/orbox/load.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

std::string NameOf(const std::string& path) {
  if (path == "-") return "standard input";
  return OnOneLine(std::filesystem::path(path).filename().string());
}

}  // namespace

absl::StatusOr<MeshPair> LoadPair(const Arguments& arguments,
                                  const Settings& settings,
                                  Progress& progress) {
  const std::string& path_a = arguments.operands()[0];
  const std::string& path_b = arguments.operands()[1];
  const std::string pose = arguments.Value("--pose");
  const absl::Status input =
      CheckStandardInput({path_a, path_b, PoseFileOf(pose)});
  if (!input.ok()) return input;

  Poses poses{.poses = {Pose::Identity()}, .file = {}};
  if (arguments.Has("--pose")) {
    absl::StatusOr<Poses> read = ReadPoses(pose);
    if (!read.ok()) return read.status();
    poses = std::move(*read);
  }
  const absl::StatusOr<Tree> a = LoadTree(path_a, settings, progress);
  if (!a.ok()) return a.status();
  const absl::StatusOr<Tree> b =
      path_a == path_b ? a : LoadTree(path_b, settings, progress);
  if (!b.ok()) return b.status();
  const absl::Status finite = CheckPoses(poses, *a);
  if (!finite.ok()) return finite;
  return MeshPair{
      .a = *a,
      .b = *b,
      .poses = std::move(poses),
      .title = Cat("A (", NameOf(path_a), ") and B (", NameOf(path_b), ")")};
}

}  // namespace orbox::cli
