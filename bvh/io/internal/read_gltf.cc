// SPDX-License-Identifier: Apache-2.0

// Reader of glTF 2.0 (Khronos, 2021). Each node of a scene with a mesh is a
// body.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/gltf_file.h"
#include "orbox/bvh/io/internal/gltf_meshes.h"
#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {
namespace {

class GltfReader {
 public:
  GltfReader(const MeshSource& source, GltfFile file)
      : source_(source), file_(std::move(file)), meshes_(source, file_) {}

  absl::StatusOr<std::vector<NamedBody>> Read();

 private:
  // A node to visit, and the values inherited from its parent.
  struct Visited {
    uint64_t node = 0;
    Pose parent;
    std::string parent_name;
  };

  absl::StatusOr<std::vector<uint64_t>> Roots() const;
  absl::Status Visit(const Visited& visited);
  absl::Status AddBody(uint64_t mesh, const JsonValue* node, const Pose& pose,
                       const std::string& parent_name);
  absl::StatusOr<Pose> PoseOf(uint64_t node) const;

  // Data shared by all nodes of one mesh.
  struct Shared {
    std::optional<Mesh> mesh;  // absent if the mesh has only points and lines
    std::string name;
    BodyProperties properties;
  };
  absl::StatusOr<const Shared*> SharedOf(uint64_t mesh);

  const MeshSource& source_;
  GltfFile file_;
  std::vector<Visited> stack_;
  std::vector<bool> is_visited_;
  std::vector<NamedBody> bodies_;
  GltfMeshes meshes_;
  FacingMeshes facing_;
  std::map<uint64_t, Shared> shared_;  // by mesh number
};

// Returns the text, cut to the maximum length.
std::string SharedText(const JsonValue& value) {
  return std::string(value.Text().substr(0, kLongestShared));
}

// Returns the numbers of an array of exactly kCount numbers, and nothing for
// other values.
template <size_t kCount>
std::optional<std::array<double, kCount>> NumbersOf(const JsonValue& value) {
  const std::span<const JsonValue> items = value.items();
  if (items.size() != kCount) return std::nullopt;
  std::array<double, kCount> numbers{};
  for (size_t i = 0; i < kCount; ++i) {
    const std::optional<double> number = items[i].Number();
    if (!number.has_value()) return std::nullopt;
    numbers[i] = *number;
  }
  return numbers;
}

// Adds the properties in `extras`. They replace properties with equal keys.
void AddExtras(const JsonValue& owner, BodyProperties& properties) {
  const auto add = [&properties](const std::string& key,
                                 const JsonValue& value) {
    const std::optional<std::string> text = value.AsText();
    if (text.has_value() && !key.empty()) {
      properties[Printable(key)] = Printable(*text);
    }
  };
  for (const auto& [key, value] : owner.Member("extras").members()) {
    add(key, value);
    for (const auto& [inner, inner_value] : value.members()) {
      add(absl::StrCat(key, ".", inner), inner_value);
    }
  }
}

// Adds the properties of a mesh, which many nodes may share. Adds none if they
// are too large.
void AddSharedExtras(const JsonValue& mesh, BodyProperties& properties) {
  BodyProperties shared;
  AddExtras(mesh, shared);
  size_t bytes = 0;
  for (const auto& [key, text] : shared) bytes += key.size() + text.size();
  if (bytes <= kMostSharedBytes) properties.merge(shared);
}

absl::StatusOr<std::vector<NamedBody>> GltfReader::Read() {
  const absl::StatusOr<std::vector<uint64_t>> roots = Roots();
  if (!roots.ok()) return roots.status();
  is_visited_.assign(file_.json().Member("nodes").items().size(), false);
  // The top of the stack is visited first, so roots are pushed in reverse.
  for (auto root = roots->rbegin(); root != roots->rend(); ++root) {
    stack_.push_back({*root, {}, {}});
  }
  while (!stack_.empty()) {
    const Visited next = std::move(stack_.back());
    stack_.pop_back();
    if (absl::Status s = Visit(next); !s.ok()) return s;
  }
  if (is_visited_.empty()) {
    const size_t meshes = file_.json().Member("meshes").items().size();
    for (uint64_t mesh = 0; mesh < meshes; ++mesh) {
      if (absl::Status s = AddBody(mesh, nullptr, {}, {}); !s.ok()) return s;
    }
  }
  if (bodies_.empty()) {
    return ErrorInFile(source_,
                       "no node of its scene has a mesh of triangles; add one");
  }
  return std::move(bodies_);
}

absl::StatusOr<std::vector<uint64_t>> GltfReader::Roots() const {
  const JsonValue& json = file_.json();
  const auto scenes = json.Member("scenes").items();
  const auto nodes = json.Member("nodes").items();
  std::vector<uint64_t> roots;
  if (scenes.empty()) {
    std::vector<bool> has_parent(nodes.size(), false);
    for (const JsonValue& node : nodes) {
      for (const JsonValue& child : node.Member("children").items()) {
        const std::optional<uint64_t> number = child.Whole();
        if (number.has_value() && *number < nodes.size()) {
          has_parent[*number] = true;
        }
      }
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!has_parent[i]) roots.push_back(i);
    }
    return roots;
  }
  const uint64_t scene = json.Member("scene").Whole().value_or(0);
  if (scene >= scenes.size()) {
    return file_.Error("scene", scene,
                       absl::StrCat("is named, and there are ", scenes.size(),
                                    "; is the file damaged?"));
  }
  for (const JsonValue& node : scenes[scene].Member("nodes").items()) {
    const std::optional<uint64_t> number = node.Whole();
    if (!number.has_value()) {
      return file_.Error("scene", scene,
                         "one of its nodes is no number; is the file damaged?");
    }
    roots.push_back(*number);
  }
  return roots;
}

absl::StatusOr<Pose> GltfReader::PoseOf(uint64_t number) const {
  const JsonValue& node = file_.json().Member("nodes").items()[number];
  const auto error = [&](std::string_view what) {
    return file_.Error("node", number,
                       absl::StrCat(std::string(what), "; correct it"));
  };
  Pose pose;
  if (node.Has("matrix")) {
    const auto columns = NumbersOf<16>(node.Member("matrix"));
    if (!columns.has_value()) return error("its matrix is not 16 numbers");
    std::array<double, 16> rows{};
    for (size_t i = 0; i < 16; ++i) rows[i % 4 * 4 + i / 4] = (*columns)[i];
    const std::optional<Pose> affine = Pose::FromRowMajor(rows);
    if (!affine.has_value()) {
      return error("its matrix does not end in the row 0 0 0 1");
    }
    return *affine;
  }
  if (node.Has("rotation")) {
    const auto q = NumbersOf<4>(node.Member("rotation"));
    if (!q.has_value()) return error("its rotation is not 4 numbers");
    pose = Pose::FromQuaternion(
        {.w = (*q)[3], .x = (*q)[0], .y = (*q)[1], .z = (*q)[2]});
    if (!pose.IsFinite()) return error("its rotation is no quaternion");
  }
  if (node.Has("scale")) {
    const auto s = NumbersOf<3>(node.Member("scale"));
    if (!s.has_value()) return error("its scale is not 3 numbers");
    for (Vec3& row : pose.rows) {
      for (size_t k = 0; k < 3; ++k) row[k] *= (*s)[k];
    }
  }
  if (node.Has("translation")) {
    const auto t = NumbersOf<3>(node.Member("translation"));
    if (!t.has_value()) return error("its translation is not 3 numbers");
    pose.translation = {(*t)[0], (*t)[1], (*t)[2]};
  }
  return pose;
}

absl::Status GltfReader::Visit(const Visited& visited) {
  const auto nodes = file_.json().Member("nodes").items();
  const auto error = [&](const std::string& what) {
    return file_.Error("node", visited.node, what);
  };
  if (visited.node >= nodes.size()) {
    return error(absl::StrCat("is named, and there are ", nodes.size(),
                              "; is the file damaged?"));
  }
  if (is_visited_[visited.node]) {
    return error("has two parents, or is above itself; is the file damaged?");
  }
  is_visited_[visited.node] = true;
  const JsonValue& node = nodes[visited.node];
  const absl::StatusOr<Pose> local = PoseOf(visited.node);
  if (!local.ok()) return local.status();
  const Pose pose = visited.parent * *local;
  if (!pose.IsFinite()) {
    return error("stands beyond the range of double; correct its pose");
  }
  const std::string name = SharedText(node.Member("name"));
  const auto children = node.Member("children").items();
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    const std::optional<uint64_t> number = child->Whole();
    if (!number.has_value()) {
      return error("one of its children is no number; is the file damaged?");
    }
    stack_.push_back(
        {*number, pose, name.empty() ? visited.parent_name : name});
  }
  if (node.Member("extensions").Has("EXT_mesh_gpu_instancing")) {
    return error(
        "has instances by EXT_mesh_gpu_instancing; write them as nodes");
  }
  // Nodes without a mesh, such as groups, cameras and lamps, are not elements.
  if (!node.Has("mesh")) return absl::OkStatus();
  const std::optional<uint64_t> number = node.Member("mesh").Whole();
  if (!number.has_value()) {
    return error("its mesh is no number; is the file damaged?");
  }
  return AddBody(*number, &node, pose, visited.parent_name);
}

absl::Status GltfReader::AddBody(uint64_t number, const JsonValue* node,
                                 const Pose& pose,
                                 const std::string& parent_name) {
  const absl::StatusOr<const Shared*> shared = SharedOf(number);
  if (!shared.ok()) return shared.status();
  std::string name(node == nullptr ? "" : node->Member("name").Text());
  if (name.empty()) name = (*shared)->name;
  if (name.empty()) name = parent_name;
  if (!(*shared)->mesh.has_value()) {
    LeaveOut(source_, name);
    return absl::OkStatus();
  }
  NamedBody body{.name = std::move(name),
                 .mesh = facing_.At(pose, *(*shared)->mesh),
                 .pose = pose,
                 .properties = (*shared)->properties};
  if (!parent_name.empty()) {
    body.properties.try_emplace("parent", Printable(parent_name));
  }
  if (node != nullptr) AddExtras(*node, body.properties);
  bodies_.push_back(std::move(body));
  return absl::OkStatus();
}

absl::StatusOr<const GltfReader::Shared*> GltfReader::SharedOf(
    uint64_t number) {
  const auto known = shared_.find(number);
  if (known != shared_.end()) return &known->second;
  absl::StatusOr<std::optional<Mesh>> mesh = meshes_.Make(number);
  if (!mesh.ok()) return mesh.status();
  const JsonValue& entry = file_.json().Member("meshes").items()[number];
  Shared shared{*std::move(mesh), SharedText(entry.Member("name")), {}};
  AddSharedExtras(entry, shared.properties);
  return &shared_.emplace(number, std::move(shared)).first->second;
}

}  // namespace

absl::StatusOr<std::vector<NamedBody>> ReadGltf(const MeshSource& source) {
  absl::StatusOr<GltfFile> file = GltfFile::Open(source);
  if (!file.ok()) return file.status();
  return GltfReader(source, *std::move(file)).Read();
}

}  // namespace orbox::mesh_internal
