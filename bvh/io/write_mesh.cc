// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/write_mesh.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/io/write_bodies.h"

namespace orbox {
namespace {

using mesh_internal::AppendLittle;
using mesh_internal::AppendLittleFloat;
using mesh_internal::AppendNumber;

// Appends "x y z" and a line end.
void AppendPoint(const Vec3& p, std::string& out) {
  for (size_t axis = 0; axis < 3; ++axis) {
    AppendNumber(p[axis], out);
    out += axis < 2 ? ' ' : '\n';
  }
}

std::string EncodeObj(const Mesh& mesh) {
  std::string out;
  for (const Vec3& v : mesh.vertices()) {
    out += "v ";
    AppendPoint(v, out);
  }
  for (const TriangleIndices& t : mesh.triangles()) {
    out += 'f';
    for (const uint32_t vertex : t) {
      out += ' ';
      AppendNumber(vertex + uint64_t{1}, out);
    }
    out += '\n';
  }
  return out;
}

std::string EncodeOff(const Mesh& mesh) {
  std::string out = absl::StrCat("OFF\n", mesh.vertex_count(), " ",
                                 mesh.triangle_count(), " 0\n");
  for (const Vec3& v : mesh.vertices()) AppendPoint(v, out);
  for (const TriangleIndices& t : mesh.triangles()) {
    out += '3';
    for (const uint32_t vertex : t) {
      out += ' ';
      AppendNumber(vertex, out);
    }
    out += '\n';
  }
  return out;
}

std::string EncodePly(const Mesh& mesh) {
  std::string out = absl::StrCat(
      "ply\nformat binary_little_endian 1.0\n"
      "element vertex ",
      mesh.vertex_count(),
      "\nproperty double x\nproperty double y\nproperty double z\n"
      "element face ",
      mesh.triangle_count(),
      "\nproperty list uchar int vertex_indices\nend_header\n");
  out.reserve(out.size() + 24 * mesh.vertex_count() +
              13 * mesh.triangle_count());
  for (const Vec3& v : mesh.vertices()) {
    for (size_t axis = 0; axis < 3; ++axis) {
      AppendLittle(std::bit_cast<uint64_t>(v[axis]), out);
    }
  }
  for (const TriangleIndices& t : mesh.triangles()) {
    AppendLittle(uint8_t{3}, out);
    for (const uint32_t vertex : t) AppendLittle(vertex, out);
  }
  return out;
}

// Returns the unit normal, for readers that need one. Returns zero if rounding
// makes the normal zero.
Vec3 NormalForDisplay(const Triangle& t) {
  const Vec3 normal = Cross(t.b - t.a, t.c - t.a);
  const double length = Norm(normal);
  if (!(length > 0) || !std::isfinite(length)) return {};
  return {normal.x / length, normal.y / length, normal.z / length};
}

absl::StatusOr<std::string> EncodeStl(const Mesh& mesh) {
  for (size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Vec3 v = Abs(mesh.vertices()[i]);
    // Checks the value after rounding to float.
    if (std::isfinite(static_cast<float>(MaxCoordinate(v)))) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "vertex ", i, " has a coordinate of magnitude ", MaxCoordinate(v),
        ", and STL holds floats only; write PLY, OBJ or OFF"));
  }
  constexpr size_t kHeaderBytes = 80;
  std::string out = "binary STL";
  out.reserve(kHeaderBytes + 4 + 50 * mesh.triangle_count());
  out.resize(kHeaderBytes, ' ');
  AppendLittle(static_cast<uint32_t>(mesh.triangle_count()), out);
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const Triangle t = mesh.triangle(id);
    for (const Vec3& v : {NormalForDisplay(t), t.a, t.b, t.c}) {
      for (size_t axis = 0; axis < 3; ++axis) {
        AppendLittleFloat(static_cast<float>(v[axis]), out);
      }
    }
    AppendLittle(uint16_t{0}, out);
  }
  return out;
}

// 3MF cannot be written.
constexpr const char* kNo3mf =
    "3MF is read and not written; end the name in .stl or .glb";

}  // namespace

absl::StatusOr<std::string> EncodeMesh(const Mesh& mesh, MeshFormat format) {
  switch (format) {
    case MeshFormat::kObj:
      return EncodeObj(mesh);
    case MeshFormat::kPly:
      return EncodePly(mesh);
    case MeshFormat::kStl:
      return EncodeStl(mesh);
    case MeshFormat::kGltf: {
      const NamedBody body{.name = "mesh", .mesh = mesh};
      return EncodeBodies({&body, 1});
    }
    case MeshFormat::k3mf:
      return absl::InvalidArgumentError(kNo3mf);
    case MeshFormat::kOff:
      break;
  }
  return EncodeOff(mesh);
}

absl::StatusOr<MeshFormat> MeshFormatToWrite(const std::string& path) {
  if (path == "-") return MeshFormat::kOff;
  if (mesh_internal::ExtensionOf(path) == ".gltf") {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": glTF is written in its binary form; end the name in .glb"));
  }
  if (mesh_internal::ExtensionOf(path) == ".3mf") {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", kNo3mf));
  }
  const absl::StatusOr<MeshFormat> format = MeshFormatOf(path, {});
  if (format.ok()) return format;
  // Pipes and devices need no extension.
  const std::optional<os::FileFacts> there = os::FactsOf(path);
  if (there.has_value() && !there->is_regular && !there->is_folder) {
    return MeshFormat::kOff;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path,
      ": the format to write is not known; end the name in .obj, .ply, "
      ".stl, .off or .glb"));
}

absl::Status WriteMeshFile(const Mesh& mesh, const std::string& path) try {
  const absl::StatusOr<MeshFormat> format = MeshFormatToWrite(path);
  if (!format.ok()) return format.status();
  const absl::StatusOr<std::string> bytes = EncodeMesh(mesh, *format);
  if (!bytes.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", bytes.status().message()));
  }
  return WriteFileWhole(path, *bytes);
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": not enough memory to write it"));
}

}  // namespace orbox
