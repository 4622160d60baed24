// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 (Khronos, 2021): the meshes of the nodes of a scene, each a body.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/bodies.h"
#include "orbox/bvh/mesh/internal/gltf_file.h"
#include "orbox/bvh/mesh/internal/source.h"

namespace orbox::mesh_internal {
namespace {

// How the corners of a primitive make triangles.
constexpr uint64_t kTriangles = 4;
constexpr uint64_t kStrip = 5;
constexpr uint64_t kFan = 6;

// Which accessors a primitive has.
struct Primitive {
  uint64_t mode = kTriangles;
  uint64_t positions = 0;
  std::optional<uint64_t> indices;

  // In libc++ 16, optional numbers have no <=>.
  friend bool operator<(const Primitive& a, const Primitive& b) {
    return std::tie(a.mode, a.positions, a.indices) <
           std::tie(b.mode, b.positions, b.indices);
  }
};

class GltfReader {
 public:
  GltfReader(const MeshSource& source, GltfFile file)
      : source_(source), file_(std::move(file)) {}

  absl::StatusOr<std::vector<NamedBody>> Read();

 private:
  // A node to visit, and what its parent hands down.
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

  // What the nodes of one mesh share.
  struct Shared {
    std::optional<Mesh> mesh;  // none where there are points and lines alone
    std::string name;
    BodyProperties properties;
  };
  absl::StatusOr<const Shared*> SharedOf(uint64_t mesh);
  absl::StatusOr<std::optional<Mesh>> MakeMesh(uint64_t mesh);
  absl::StatusOr<std::vector<Primitive>> PrimitivesOf(uint64_t mesh) const;
  absl::Status Append(uint64_t mesh, const Primitive& primitive,
                      std::vector<Vec3>& vertices,
                      std::vector<TriangleIndices>& triangles);

  const MeshSource& source_;
  GltfFile file_;
  std::vector<Visited> stack_;
  std::vector<bool> is_visited_;
  std::vector<NamedBody> bodies_;
  // By number, and by primitives: meshes with the same are one.
  std::map<uint64_t, Shared> by_number_;
  std::map<std::vector<Primitive>, Mesh> by_primitives_;
  // The triangles of all meshes. Accessors that are used over and over would
  // let a small file make a large mesh.
  size_t triangle_count_ = 0;
};

// The text, or its beginning.
std::string SharedText(const JsonValue& value) {
  return std::string(value.Text().substr(0, kLongestShared));
}

// Numbers of an array; none unless there are so many.
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

// Adds those of the extras, in place of any of the same key.
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

// Those of a mesh, which many nodes may have; none where there are too many.
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
  // The last of the stack is visited first.
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
  if (!(*shared)->mesh.has_value()) return absl::OkStatus();
  NamedBody body{.name = {},
                 .mesh = *(*shared)->mesh,
                 .pose = pose,
                 .properties = (*shared)->properties};
  if (!parent_name.empty()) {
    body.properties.try_emplace("parent", Printable(parent_name));
  }
  if (node != nullptr) {
    body.name = node->Member("name").Text();
    AddExtras(*node, body.properties);
  }
  if (body.name.empty()) body.name = (*shared)->name;
  if (body.name.empty()) body.name = parent_name;
  bodies_.push_back(std::move(body));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Primitive>> GltfReader::PrimitivesOf(
    uint64_t mesh) const {
  const auto meshes = file_.json().Member("meshes").items();
  if (mesh >= meshes.size()) {
    return file_.Error("mesh", mesh,
                       absl::StrCat("is named, and there are ", meshes.size(),
                                    "; is the file damaged?"));
  }
  std::vector<Primitive> list;
  for (const JsonValue& entry : meshes[mesh].Member("primitives").items()) {
    Primitive primitive;
    if (entry.Has("mode")) {
      primitive.mode = entry.Member("mode").Whole().value_or(kFan + 1);
    }
    if (primitive.mode > kFan) {
      return file_.Error("mesh", mesh,
                         "a primitive has a mode that there is not; is the "
                         "file damaged?");
    }
    if (primitive.mode < kTriangles) continue;  // points and lines
    const std::optional<uint64_t> positions =
        entry.Member("attributes").Member("POSITION").Whole();
    if (!positions.has_value()) {
      return file_.Error("mesh", mesh,
                         "a primitive has no POSITION; is the file damaged?");
    }
    primitive.positions = *positions;
    if (entry.Has("indices")) {
      primitive.indices = entry.Member("indices").Whole();
      if (!primitive.indices.has_value()) {
        return file_.Error("mesh", mesh,
                           "the indices of a primitive are no number; is the "
                           "file damaged?");
      }
    }
    list.push_back(primitive);
  }
  return list;
}

absl::StatusOr<const GltfReader::Shared*> GltfReader::SharedOf(
    uint64_t number) {
  const auto known = by_number_.find(number);
  if (known != by_number_.end()) return &known->second;
  absl::StatusOr<std::optional<Mesh>> mesh = MakeMesh(number);
  if (!mesh.ok()) return mesh.status();
  const JsonValue& entry = file_.json().Member("meshes").items()[number];
  Shared shared{*std::move(mesh), SharedText(entry.Member("name")), {}};
  AddSharedExtras(entry, shared.properties);
  return &by_number_.emplace(number, std::move(shared)).first->second;
}

absl::StatusOr<std::optional<Mesh>> GltfReader::MakeMesh(uint64_t number) {
  const absl::StatusOr<std::vector<Primitive>> primitives =
      PrimitivesOf(number);
  if (!primitives.ok()) return primitives.status();
  const auto known = by_primitives_.find(*primitives);
  if (known != by_primitives_.end()) return known->second;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const Primitive& primitive : *primitives) {
    const absl::Status s = Append(number, primitive, vertices, triangles);
    if (!s.ok()) return s;
  }
  if (triangles.empty()) return std::optional<Mesh>();
  triangle_count_ += triangles.size();
  absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!mesh.ok()) {
    return file_.Error("mesh", number, std::string(mesh.status().message()));
  }
  by_primitives_.emplace(*primitives, *mesh);
  return std::optional<Mesh>(*mesh);
}

absl::Status GltfReader::Append(uint64_t mesh, const Primitive& primitive,
                                std::vector<Vec3>& vertices,
                                std::vector<TriangleIndices>& triangles) {
  const auto error = [&](const std::string& what) {
    return file_.Error("mesh", mesh, what);
  };
  const absl::StatusOr<size_t> points = file_.CountPoints(primitive.positions);
  if (!points.ok()) return points.status();
  std::vector<uint32_t> corners;
  if (primitive.indices.has_value()) {
    absl::StatusOr<std::vector<uint32_t>> read =
        file_.Indices(*primitive.indices);
    if (!read.ok()) return read.status();
    corners = *std::move(read);
  } else {
    corners.resize(std::min(*points, Mesh::kMaxVertices));
    for (size_t i = 0; i < corners.size(); ++i) {
      corners[i] = static_cast<uint32_t>(i);
    }
  }
  const bool is_list = primitive.mode == kTriangles;
  if (is_list ? corners.size() % 3 != 0 : corners.size() < 3) {
    return error(absl::StrCat("a primitive of ", corners.size(),
                              " corners, which make no whole triangles; is "
                              "the file damaged?"));
  }
  const size_t count = is_list ? corners.size() / 3 : corners.size() - 2;
  if (count > Mesh::kMaxTriangles - triangles.size()) {
    return error(TooManyTriangles());
  }
  // A triangle that is there once takes a byte or more.
  constexpr size_t kTimesUsed = 16;
  if (triangle_count_ + triangles.size() + count >
      kTimesUsed * file_.byte_count()) {
    return error("its accessors are used over and over; give each its own");
  }
  // The points that are used, which may be few of many.
  std::vector<uint32_t> used = corners;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (!used.empty() && used.back() >= *points) {
    return error(absl::StrCat("a triangle names point ", used.back(),
                              ", and there are ", *points,
                              "; correct the index"));
  }
  const absl::StatusOr<std::vector<Vec3>> read =
      file_.Points(primitive.positions, used);
  if (!read.ok()) return read.status();
  const auto first = static_cast<uint32_t>(vertices.size());
  vertices.insert(vertices.end(), read->begin(), read->end());
  for (uint32_t& corner : corners) {
    corner = first + static_cast<uint32_t>(
                         std::lower_bound(used.begin(), used.end(), corner) -
                         used.begin());
  }
  for (size_t i = 0; i < count; ++i) {
    if (primitive.mode == kTriangles) {
      triangles.push_back(
          {corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]});
    } else if (primitive.mode == kStrip) {
      // Every other triangle is turned, so that all face one way.
      triangles.push_back(
          {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
    } else {
      triangles.push_back({corners[i + 1], corners[i + 2], corners[0]});
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<NamedBody>> ReadGltf(const MeshSource& source) {
  absl::StatusOr<GltfFile> file = GltfFile::Open(source);
  if (!file.ok()) return file.status();
  return GltfReader(source, *std::move(file)).Read();
}

}  // namespace orbox::mesh_internal
