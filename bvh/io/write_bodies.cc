// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/write_bodies.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/mesh_format.h"

namespace orbox {
namespace {

using mesh_internal::AppendLittle;
using mesh_internal::AppendLittleFloat;
using mesh_internal::AppendNumber;

bool IsFloat(double value) {
  return static_cast<double>(static_cast<float>(value)) == value;
}

// Returns the origin to which a mesh's floats are relative.
Vec3 OriginOf(const Mesh& mesh) {
  for (const Vec3& v : mesh.vertices()) {
    if (IsFloat(v.x) && IsFloat(v.y) && IsFloat(v.z)) continue;
    // Halves each term first, because the sum may overflow.
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

// Builds the lists of objects that the file's JSON contains.
class Encoder {
 public:
  // Adds a body, with the colors of its vertices if it has any.
  absl::Status Add(const NamedBody& body, const BodyColor& color,
                   std::span<const BodyColor> of_vertices);
  absl::StatusOr<std::string> Finish() &&;

 private:
  struct Geometry {
    size_t number = 0;
    std::string attributes;  // of a primitive, with its indices
    Vec3 origin;
  };

  static void BeginEntry(std::string& list) {
    list += list.empty() ? "{" : ",{";
  }
  // Reverses the corners of triangles for poses that contain a reflection.
  absl::StatusOr<Geometry> GeometryOf(const Mesh& mesh, bool reverses,
                                      std::span<const BodyColor> colors);
  size_t MaterialOf(const BodyColor& color);
  size_t MeshOf(const Geometry& geometry, size_t material);
  // Adds an accessor for the binary data from `begin` on, a list of `count`
  // elements. `more` is additional JSON. Returns the accessor's number.
  size_t AddAccessor(size_t begin, size_t count, std::string_view kind,
                     std::string_view more, std::string_view target);

  std::string nodes_, meshes_, materials_, accessors_, views_, binary_;
  size_t node_count_ = 0;
  size_t accessor_count_ = 0;
  std::map<std::tuple<const Vec3*, bool, const BodyColor*>, Geometry> geometry_;
  std::map<BodyColor, size_t> material_;
  std::map<std::pair<size_t, size_t>, size_t> mesh_;
};

size_t Encoder::AddAccessor(size_t begin, size_t count, std::string_view kind,
                            std::string_view more, std::string_view target) {
  BeginEntry(views_);
  absl::StrAppend(&views_, "\"buffer\":0,\"byteOffset\":", begin,
                  ",\"byteLength\":", binary_.size() - begin,
                  ",\"target\":", std::string(target), "}");
  BeginEntry(accessors_);
  absl::StrAppend(&accessors_, "\"bufferView\":", accessor_count_, ",",
                  std::string(kind), ",\"count\":", count, std::string(more),
                  "}");
  return accessor_count_++;
}

absl::StatusOr<Encoder::Geometry> Encoder::GeometryOf(
    const Mesh& mesh, bool reverses, std::span<const BodyColor> colors) {
  const std::tuple key(mesh.vertices().data(), reverses, colors.data());
  const auto known = geometry_.find(key);
  if (known != geometry_.end()) return known->second;
  Geometry geometry{
      .number = geometry_.size(), .attributes = "", .origin = OriginOf(mesh)};
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr std::string_view kPoints =
      "\"componentType\":5126,\"type\":\"VEC3\"";
  constexpr std::string_view kArray = "34962";
  std::array<float, 3> lo = {kMost, kMost, kMost};
  std::array<float, 3> hi = {-kMost, -kMost, -kMost};
  size_t begin = binary_.size();
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
  std::string bounds = ",\"min\":";
  AppendList(lo, bounds);
  bounds += ",\"max\":";
  AppendList(hi, bounds);
  const size_t points =
      AddAccessor(begin, mesh.vertex_count(), kPoints, bounds, kArray);
  begin = binary_.size();
  for (TriangleIndices t : mesh.triangles()) {
    if (reverses) std::swap(t[1], t[2]);
    for (const uint32_t vertex : t) AppendLittle(vertex, binary_);
  }
  const size_t indices =
      AddAccessor(begin, 3 * mesh.triangle_count(),
                  "\"componentType\":5125,\"type\":\"SCALAR\"", "", "34963");
  geometry.attributes = absl::StrCat("\"attributes\":{\"POSITION\":", points);
  if (!colors.empty()) {
    begin = binary_.size();
    for (const BodyColor& color : colors) {
      for (const float part : {color.red, color.green, color.blue}) {
        AppendLittleFloat(part, binary_);
      }
    }
    absl::StrAppend(&geometry.attributes, ",\"COLOR_0\":",
                    AddAccessor(begin, colors.size(), kPoints, "", kArray));
  }
  absl::StrAppend(&geometry.attributes, "},\"indices\":", indices);
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

size_t Encoder::MeshOf(const Geometry& geometry, size_t material) {
  const auto [found, is_new] =
      mesh_.emplace(std::pair(geometry.number, material), mesh_.size());
  if (!is_new) return found->second;
  BeginEntry(meshes_);
  absl::StrAppend(&meshes_, "\"primitives\":[{", geometry.attributes,
                  ",\"material\":", material, "}]}");
  return found->second;
}

absl::Status Encoder::Add(const NamedBody& body, const BodyColor& color,
                          std::span<const BodyColor> of_vertices) {
  const absl::StatusOr<Geometry> geometry =
      GeometryOf(body.mesh, mesh_internal::IsMirroring(body.pose), of_vertices);
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
  const size_t mesh = MeshOf(*geometry, MaterialOf(color));
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
  // Chunks end at multiples of four bytes. JSON is padded with blanks. All
  // elements in the binary take multiples of four bytes.
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

absl::StatusOr<std::string> EncodeBodies(
    std::span<const NamedBody> bodies, std::span<const BodyColor> colors,
    std::span<const std::vector<BodyColor>> vertex_colors) {
  if (bodies.empty()) {
    return absl::InvalidArgumentError("no bodies; give at least one");
  }
  if (!colors.empty() && colors.size() != bodies.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(colors.size(), " colors for ", bodies.size(),
                     " bodies; give one for each"));
  }
  const std::vector<BodyColor> none;
  Encoder encoder;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const BodyColor color = colors.empty() ? BodyColor() : colors[i];
    const std::vector<BodyColor>& of_vertices =
        i < vertex_colors.size() ? vertex_colors[i] : none;
    const size_t vertices = bodies[i].mesh.vertex_count();
    if (!of_vertices.empty() && of_vertices.size() != vertices) {
      return absl::InvalidArgumentError(
          absl::StrCat(of_vertices.size(), " colors for ", vertices,
                       " vertices; give one for each"));
    }
    const absl::Status s = encoder.Add(bodies[i], color, of_vertices);
    if (!s.ok()) return s;
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
