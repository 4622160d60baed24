// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/ply_bytes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "tools/orbox/base/text.h"

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

}  // namespace orbox::cli
