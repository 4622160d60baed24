// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/distance_ply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tools/orbox/base/text.h"
#include "tools/picture/color.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"

namespace orbox::cli {
namespace {

template <typename T>
void AppendLittle(T value, std::string& out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

void AppendColor(uint32_t rgb, std::string& out) {
  for (const int shift : {16, 8, 0}) {
    out += static_cast<char>(static_cast<unsigned char>(rgb >> shift));
  }
}

float FloatOf(double quality) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::min(quality, kLargest));
}

void AppendReal(float value, std::string& out) {
  AppendLittle(std::bit_cast<uint32_t>(value), out);
}

constexpr std::string_view kVertexProperties =
    "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    "property float quality\n";

}  // namespace

uint32_t PlyBytes::AddVertex(const Vec3& p, uint32_t color, double quality) {
  vertices_.push_back({p, color, FloatOf(quality)});
  return static_cast<uint32_t>(vertices_.size() - 1);
}

void PlyBytes::LowerQuality(uint32_t vertex, double quality) {
  float& own = vertices_[vertex].quality;
  own = std::min(own, FloatOf(quality));
}

void PlyBytes::AddFace(const std::array<uint32_t, 3>& corners, uint32_t color,
                       double quality, uint8_t mesh) {
  faces_.push_back({corners, color, FloatOf(quality), mesh});
}

std::string PlyBytes::File(std::string_view comment) const {
  std::string out =
      Cat("ply\nformat binary_little_endian 1.0\ncomment ", comment,
          "\nelement vertex ", vertices_.size(),
          "\nproperty double x\nproperty double y\nproperty double z\n",
          kVertexProperties);
  if (!faces_.empty()) {
    out += Cat("element face ", faces_.size(),
               "\nproperty list uchar int vertex_indices\n", kVertexProperties,
               "property uchar mesh\n");
  }
  out += "end_header\n";
  for (const Vertex& vertex : vertices_) {
    for (size_t axis = 0; axis < 3; ++axis) {
      AppendLittle(std::bit_cast<uint64_t>(vertex.place[axis]), out);
    }
    AppendColor(vertex.color, out);
    AppendReal(vertex.quality, out);
  }
  for (const Face& face : faces_) {
    AppendLittle(uint8_t{3}, out);
    for (const uint32_t corner : face.corners) AppendLittle(corner, out);
    AppendColor(face.color, out);
    AppendReal(face.quality, out);
    AppendLittle(face.mesh, out);
  }
  return out;
}

namespace {

void Add(const MeasuredMesh& measured, uint8_t number, double end,
         PlyBytes& ply) {
  const PosedTree& posed = *measured.mesh;
  const Mesh& mesh = posed.tree().mesh();
  const picture::Color own =
      picture::FromHex(number == 0 ? picture::kColorOfA : picture::kColorOfB);
  // Index in the file of each vertex with each colour.
  std::unordered_map<uint64_t, uint32_t> places;
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const double distance = measured.distances[id];
    const uint32_t color =
        picture::HexOf(picture::ColorOfDistance(distance, end, own));
    std::array<uint32_t, 3> corners{};
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t vertex = mesh.triangles()[id][i];
      const auto [place, is_new] =
          places.try_emplace(uint64_t{vertex} << 24 | color);
      if (is_new) {
        const Vec3& p = mesh.vertices()[vertex];
        place->second = ply.AddVertex(
            posed.is_moved() ? posed.pose().Apply(p) : p, color, distance);
      }
      corners[i] = place->second;
      ply.LowerQuality(corners[i], distance);
    }
    ply.AddFace(corners, color, distance, number);
  }
}

}  // namespace

absl::StatusOr<std::vector<double>> DistancesFrom(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const RunOptions& run) {
  // Any enclosure suffices, because the largest distance is not used.
  const absl::StatusOr<std::vector<TriangleDeviation>> field = DeviationField(
      a, b, {.tolerance = std::numeric_limits<double>::max()}, run);
  if (!field.ok()) return field.status();
  std::vector<double> distances;
  distances.reserve(field->size());
  for (const TriangleDeviation& d : *field) distances.push_back(d.nearest);
  return distances;
}

std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes,
                              double end) {
  PlyBytes ply;
  uint8_t number = 0;
  for (const MeasuredMesh& mesh : meshes) Add(mesh, number++, end, ply);
  return ply.File(Cat("colours from 0 to ", end));
}

}  // namespace orbox::cli
