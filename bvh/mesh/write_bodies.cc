// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/write_bodies.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/mesh/internal/bodies.h"
#include "orbox/bvh/mesh/internal/little_endian.h"
#include "orbox/bvh/mesh/internal/mesh_format.h"

namespace orbox {
namespace {

using mesh_internal::AppendLittle;
using mesh_internal::AppendLittleFloat;
using mesh_internal::AppendNumber;

bool IsFloat(double value) {
  return static_cast<double>(static_cast<float>(value)) == value;
}

// Where the floats of a mesh count from.
Vec3 OriginOf(const Mesh& mesh) {
  for (const Vec3& v : mesh.vertices()) {
    if (IsFloat(v.x) && IsFloat(v.y) && IsFloat(v.z)) continue;
    // Halves first: a sum may be infinite.
    return mesh.bounds().lo * 0.5 + mesh.bounds().hi * 0.5;
  }
  return {};
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : mesh_internal::Printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

template <typename Numbers>
void AppendList(const Numbers& numbers, std::string& out) {
  out += '[';
  bool is_first = true;
  for (const auto number : numbers) {
    if (!std::exchange(is_first, false)) out += ',';
    AppendNumber(number, out);
  }
  out += ']';
}

// An object of the file that holds lists of others: collects each list.
class Encoder {
 public:
  absl::Status Add(const NamedBody& body, const BodyColor& color);
  absl::StatusOr<std::string> Finish() &&;

 private:
  struct Geometry {
    size_t number = 0;  // of its two accessors, from 0
    Vec3 origin;
  };

  static void BeginEntry(std::string& list) {
    list += list.empty() ? "{" : ",{";
  }
  absl::StatusOr<Geometry> GeometryOf(const Mesh& mesh);
  size_t MaterialOf(const BodyColor& color);
  size_t MeshOf(size_t geometry, size_t material);
  // A view of what was added to the binary from `begin` on.
  void AddView(size_t begin, std::string_view target);

  std::string nodes_, meshes_, materials_, accessors_, views_, binary_;
  size_t node_count_ = 0;
  std::map<const Vec3*, Geometry> geometry_;
  std::map<BodyColor, size_t> material_;
  std::map<std::pair<size_t, size_t>, size_t> mesh_;
};

void Encoder::AddView(size_t begin, std::string_view target) {
  BeginEntry(views_);
  absl::StrAppend(&views_, "\"buffer\":0,\"byteOffset\":", begin,
                  ",\"byteLength\":", binary_.size() - begin,
                  ",\"target\":", std::string(target), "}");
}

absl::StatusOr<Encoder::Geometry> Encoder::GeometryOf(const Mesh& mesh) {
  const Vec3* const key = mesh.vertices().data();
  const auto known = geometry_.find(key);
  if (known != geometry_.end()) return known->second;
  const Geometry geometry{.number = geometry_.size(), .origin = OriginOf(mesh)};
  constexpr float kMost = std::numeric_limits<float>::max();
  std::array<float, 3> lo = {kMost, kMost, kMost};
  std::array<float, 3> hi = {-kMost, -kMost, -kMost};
  const size_t points = binary_.size();
  for (const Vec3& v : mesh.vertices()) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto value = static_cast<float>(v[axis] - geometry.origin[axis]);
      if (!std::isfinite(value)) {
        return absl::InvalidArgumentError(
            "a coordinate is beyond float, and GLB holds floats only; write "
            "PLY, OBJ or OFF");
      }
      lo[axis] = std::min(lo[axis], value);
      hi[axis] = std::max(hi[axis], value);
      AppendLittleFloat(value, binary_);
    }
  }
  AddView(points, "34962");
  const size_t indices = binary_.size();
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t vertex : t) AppendLittle(vertex, binary_);
  }
  AddView(indices, "34963");
  BeginEntry(accessors_);
  absl::StrAppend(&accessors_, "\"bufferView\":", 2 * geometry.number,
                  ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":",
                  mesh.vertex_count(), ",\"min\":");
  AppendList(lo, accessors_);
  accessors_ += ",\"max\":";
  AppendList(hi, accessors_);
  accessors_ += '}';
  BeginEntry(accessors_);
  absl::StrAppend(&accessors_, "\"bufferView\":", 2 * geometry.number + 1,
                  ",\"componentType\":5125,\"type\":\"SCALAR\",\"count\":",
                  3 * mesh.triangle_count(), "}");
  geometry_.emplace(key, geometry);
  return geometry;
}

size_t Encoder::MaterialOf(const BodyColor& color) {
  const auto [found, is_new] = material_.emplace(color, material_.size());
  if (!is_new) return found->second;
  BeginEntry(materials_);
  materials_ += "\"pbrMetallicRoughness\":{\"baseColorFactor\":";
  AppendList(std::array{color.red, color.green, color.blue, color.alpha},
             materials_);
  materials_ += ",\"metallicFactor\":0,\"roughnessFactor\":0.8},";
  if (color.alpha < 1) materials_ += "\"alphaMode\":\"BLEND\",";
  materials_ += "\"doubleSided\":true}";
  return found->second;
}

size_t Encoder::MeshOf(size_t geometry, size_t material) {
  const auto [found, is_new] =
      mesh_.emplace(std::pair(geometry, material), mesh_.size());
  if (!is_new) return found->second;
  BeginEntry(meshes_);
  absl::StrAppend(
      &meshes_, "\"primitives\":[{\"attributes\":{\"POSITION\":", 2 * geometry,
      "},\"indices\":", 2 * geometry + 1, ",\"material\":", material, "}]}");
  return found->second;
}

absl::Status Encoder::Add(const NamedBody& body, const BodyColor& color) {
  const absl::StatusOr<Geometry> geometry = GeometryOf(body.mesh);
  const auto error = [&body](std::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "body ", mesh_internal::Quoted(body.name), ": ", std::string(what)));
  };
  if (!geometry.ok()) {
    return error(std::string(geometry.status().message()));
  }
  const Pose pose = body.pose * Pose::Translation(geometry->origin);
  if (!pose.IsFinite()) {
    return error("it stands beyond the range of double; correct its pose");
  }
  const size_t mesh = MeshOf(geometry->number, MaterialOf(color));
  BeginEntry(nodes_);
  nodes_ += "\"name\":";
  AppendQuoted(body.name, nodes_);
  absl::StrAppend(&nodes_, ",\"mesh\":", mesh);
  if (!pose.IsIdentity()) {
    const Vec3& t = pose.translation;
    const auto& [x, y, z] = pose.rows;
    nodes_ += ",\"matrix\":";
    AppendList(std::array{x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0,  //
                          x.z, y.z, z.z, 0.0, t.x, t.y, t.z, 1.0},
               nodes_);
  }
  if (!body.properties.empty()) {
    std::string extras;
    for (const auto& [key, text] : body.properties) {
      extras += extras.empty() ? "" : ",";
      AppendQuoted(key, extras);
      extras += ':';
      AppendQuoted(text, extras);
    }
    absl::StrAppend(&nodes_, ",\"extras\":{", extras, "}");
  }
  nodes_ += '}';
  ++node_count_;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Encoder::Finish() && {
  std::vector<size_t> roots(node_count_);
  for (size_t i = 0; i < node_count_; ++i) roots[i] = i;
  std::string json =
      "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Orbox\"},"
      "\"scene\":0,\"scenes\":[{\"nodes\":";
  AppendList(roots, json);
  absl::StrAppend(&json, "}],\"nodes\":[", nodes_, "],\"meshes\":[", meshes_,
                  "],\"materials\":[", materials_, "],\"accessors\":[",
                  accessors_, "],\"bufferViews\":[", views_,
                  "],\"buffers\":[{\"byteLength\":", binary_.size(), "}]}");
  // Chunks end at multiples of four bytes: JSON by blanks. All that is in the
  // binary takes four bytes each.
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const size_t length = 12 + 8 + json.size() + 8 + binary_.size();
  if (length > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "takes ", length, " bytes, and GLB holds 4 GiB; write fewer bodies"));
  }
  const auto append = [](size_t value, std::string& out) {
    AppendLittle(static_cast<uint32_t>(value), out);
  };
  std::string out = "glTF";
  out.reserve(length);
  append(2, out);
  append(length, out);
  append(json.size(), out);
  out += "JSON";
  out += json;
  append(binary_.size(), out);
  out += std::string_view("BIN\0", 4);
  out += binary_;
  return out;
}

}  // namespace

absl::StatusOr<std::string> EncodeBodies(std::span<const NamedBody> bodies,
                                         std::span<const BodyColor> colors) {
  if (bodies.empty()) {
    return absl::InvalidArgumentError("no bodies; give at least one");
  }
  if (!colors.empty() && colors.size() != bodies.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(colors.size(), " colors for ", bodies.size(),
                     " bodies; give one for each"));
  }
  Encoder encoder;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const BodyColor color = colors.empty() ? BodyColor() : colors[i];
    if (absl::Status s = encoder.Add(bodies[i], color); !s.ok()) return s;
  }
  return std::move(encoder).Finish();
}

absl::Status WriteBodiesFile(std::span<const NamedBody> bodies,
                             const std::string& path,
                             std::span<const BodyColor> colors) try {
  if (path != "-" && mesh_internal::ExtensionOf(path) != ".glb") {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": bodies are written as GLB; end the name in .glb"));
  }
  const absl::StatusOr<std::string> bytes = EncodeBodies(bodies, colors);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        absl::StrCat(path, ": ", bytes.status().message()));
  }
  return WriteFileWhole(path, *bytes);
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": not enough memory to write it"));
}

}  // namespace orbox
