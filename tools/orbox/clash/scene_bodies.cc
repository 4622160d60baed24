// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_bodies.h"

#include <filesystem>
#include <map>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/body_sets.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {
namespace {

// Returns true if a file given as a scene is a mesh: its name is not that of a
// JSON file, and its contents are not a JSON object.
bool IsMeshInPlaceOfScene(const BodyPath& path, std::string_view bytes) {
  if (path.body.has_value()) return true;
  const std::string extension =
      LowerCase(std::filesystem::path(path.file).extension().string());
  if (path.file == "-" || extension == ".json") return false;
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  const bool is_object = begin != std::string_view::npos && bytes[begin] == '{';
  return extension == ".gltf" || !is_object;
}

// Returns the numbers of the bodies that match a name or a pattern.
std::vector<size_t> Matches(std::span<const NamedBody> bodies,
                            const std::string& part) {
  std::vector<size_t> matches;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name == part) return {i};
    if (part.find('*') != std::string::npos && IsLike(bodies[i].name, part)) {
      matches.push_back(i);
    }
  }
  return matches;
}

class SceneLoader {
 public:
  SceneLoader(const Settings& settings, ProgressDisplay& progress)
      : settings_(settings), progress_(progress) {}

  // Adds the body or the bodies of an entry.
  absl::Status Add(const SceneBody& request);
  // Key of the entry that an error of Add refers to: "mesh", "name" or "pose".
  std::string_view key() const { return key_; }
  SceneBodies Finish() &&;

 private:
  absl::Status AddWhole(const SceneBody& request);
  absl::Status AddPart(const SceneBody& request, const NamedBody& part);
  absl::Status Add(SceneBody body, const Tree& tree, const Pose& placed);

  const Settings& settings_;
  ProgressDisplay& progress_;
  SceneBodies scene_;
  std::string_view key_;
  std::unordered_map<std::string, Tree> whole_;  // by path
  struct File {
    std::vector<NamedBody> bodies;
    std::vector<std::string> left_out;
  };
  std::unordered_map<std::string, File> files_;
  std::map<const Vec3*, Tree> parts_;  // by mesh, shared by copies
  std::unordered_map<std::string, size_t> by_name_;
};

absl::Status SceneLoader::Add(SceneBody body, const Tree& tree,
                              const Pose& placed) {
  const auto [other, is_new] =
      by_name_.emplace(body.name, scene_.bodies.size());
  if (!is_new) {
    key_ = "name";
    return absl::InvalidArgumentError(
        Cat(Quoted(body.name), " of ", Quoted(body.mesh), " is also in ",
            Quoted(scene_.bodies[other->second].mesh),
            "; give one of them a name in the scene"));
  }
  key_ = "pose";
  const absl::Status pose = CheckPose(body.pose, tree);
  if (!pose.ok()) return pose;
  scene_.bodies.push_back(std::move(body));
  scene_.trees.push_back(tree);
  scene_.placed.push_back(placed);
  return absl::OkStatus();
}

absl::Status SceneLoader::AddWhole(const SceneBody& request) {
  auto found = whole_.find(request.path);
  if (found == whole_.end()) {
    absl::StatusOr<Tree> tree = LoadTree(request.path, settings_, progress_);
    if (!tree.ok()) return tree.status();
    found = whole_.emplace(request.path, *std::move(tree)).first;
  }
  return Add(request, found->second, Pose::Identity());
}

absl::Status SceneLoader::AddPart(const SceneBody& request,
                                  const NamedBody& part) {
  const Vec3* const mesh = part.mesh.vertices().data();
  auto tree = parts_.find(mesh);
  if (tree == parts_.end()) {
    absl::StatusOr<Tree> built = BuildTree(part.mesh, settings_, progress_);
    if (!built.ok()) return built.status();
    tree = parts_.emplace(mesh, *std::move(built)).first;
  }
  SceneBody body = request;
  body.part = part.name;
  if (IsPattern(request)) {
    body.name =
        request.name.empty() ? part.name : Cat(request.name, "/", part.name);
    body.mesh = Cat(SplitBodyPath(request.mesh).file, "#", part.name);
  }
  body.pose = request.pose * part.pose;
  // insert() does not replace the properties that the scene gives.
  body.properties.insert(part.properties.begin(), part.properties.end());
  return Add(std::move(body), tree->second, part.pose);
}

absl::Status SceneLoader::Add(const SceneBody& request) {
  key_ = "mesh";
  const absl::Status no_chunks = CheckNoChunks(request.path);
  if (!no_chunks.ok()) return no_chunks;
  if (!request.part.has_value()) return AddWhole(request);
  auto file = files_.find(request.path);
  if (file == files_.end()) {
    progress_.Begin(Cat("reading ", request.path));
    std::vector<std::string> left_out;
    std::vector<ReadNote> notes;
    absl::StatusOr<std::vector<NamedBody>> read =
        ReadBodiesFile(request.path, {.left_out = &left_out,
                                      .notes = &notes,
                                      .skip_invalid = settings_.skips_invalid,
                                      .weld = settings_.weld});
    if (!read.ok()) return read.status();
    // The result has the elements without triangles, by name.
    std::erase_if(notes, [](const ReadNote& note) {
      return note.what.starts_with("elements without triangles");
    });
    ReportNotes(request.path, notes, progress_);
    file =
        files_
            .emplace(request.path, File{*std::move(read), std::move(left_out)})
            .first;
  }
  const std::vector<NamedBody>& bodies = file->second.bodies;
  if (IsPattern(request)) {
    for (const std::string& name : file->second.left_out) {
      if (IsLike(name, *request.part)) scene_.left_out.push_back(name);
    }
  }
  const std::vector<size_t> matches = Matches(bodies, *request.part);
  if (matches.empty()) {
    // Reads again to get an error that lists the existing bodies.
    const auto none = ReadBodiesFile(Cat(request.path, "#", *request.part));
    if (!none.ok()) return none.status();
  }
  for (const size_t i : matches) {
    const absl::Status status = AddPart(request, bodies[i]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Returns the unit that the format of a file defines; empty if it defines none.
std::string_view UnitOf(const std::string& path) {
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, "");
  if (!format.ok()) return "";
  if (*format == MeshFormat::kGltf) return "m";
  return *format == MeshFormat::k3mf ? "mm" : "";
}

SceneBodies SceneLoader::Finish() && {
  scene_.meshes = whole_.size() + parts_.size();
  for (size_t i = 0; i < scene_.bodies.size(); ++i) {
    const std::string_view unit = UnitOf(scene_.bodies[i].path);
    if (i == 0) scene_.unit = unit;
    if (scene_.unit != unit) scene_.unit.clear();
  }
  return std::move(scene_);
}

}  // namespace

absl::StatusOr<std::vector<SceneBody>> ReadSceneFile(const std::string& path,
                                                     bool flatten,
                                                     ScenePlaces* places) {
  const absl::Status no_chunks = CheckNoChunks(path);
  if (!no_chunks.ok()) return no_chunks;
  const BodyPath parts = SplitBodyPath(path);
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes(parts.file);
  if (!bytes.ok()) return bytes.status();
  if (IsMeshInPlaceOfScene(parts, bytes->view())) {
    const bool is_tree = IsTreeFile(bytes->view());
    const auto format = MeshFormatOf(parts.file, bytes->view());
    if (!is_tree && !format.ok()) {
      return absl::Status(
          format.status().code(),
          Cat(std::string(format.status().message()),
              "; or give a scene, which is a JSON file (orbox clash --help)"));
    }
    SceneBody body;
    body.mesh = std::filesystem::path(path).filename().string();
    body.path = parts.file;
    body.part = parts.body;
    if (!body.part.has_value() && !is_tree) body.part = "*";
    if (!IsPattern(body)) body.name = "0";
    return std::vector<SceneBody>{body};
  }
  const std::string folder =
      path == "-" ? "" : std::filesystem::path(path).parent_path().string();
  return ParseScene(bytes->view(), NameOfInput(path), folder, flatten, places);
}

void SceneBodies::Place(Motion& motion) const {
  for (MotionFrame& frame : motion.frames) {
    for (MotionStep& step : frame.steps) {
      step.pose = step.pose * placed[step.body];
    }
  }
}

absl::StatusOr<SceneBodies> LoadSceneBodies(const std::string& scene,
                                            std::span<const SceneBody> bodies,
                                            const Settings& settings,
                                            ProgressDisplay& progress) {
  SceneLoader loader(settings, progress);
  // If the scene is a mesh file, messages contain its name only once.
  const bool is_file =
      bodies.size() == 1 && bodies[0].path == SplitBodyPath(scene).file;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const absl::Status status = loader.Add(bodies[i]);
    if (status.ok()) continue;
    if (is_file) return status;
    return absl::Status(status.code(),
                        Cat(NameOfInput(scene), ": bodies[", i, "].",
                            loader.key(), ": ", std::string(status.message())));
  }
  return std::move(loader).Finish();
}

}  // namespace orbox::cli
