// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_mesh.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

// Returns a bit for each coordinate that is -0.
uint32_t NegativeZeros(const Vec3& p) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (p[i] == 0 && std::signbit(p[i])) bits |= 1u << i;
  }
  return bits;
}

}  // namespace

absl::StatusOr<Mesh> MeshOfChunk(std::span<const SortedTriangle> triangles) {
  std::vector<Vec3> corners;
  corners.reserve(3 * triangles.size());
  for (const SortedTriangle& t : triangles) {
    for (size_t i = 0; i < 3; ++i) corners.push_back(t.triangle[i]);
  }
  const mesh_internal::Welded welded = mesh_internal::Weld(corners);
  std::vector<Vec3> vertices;
  for (const uint32_t first : welded.first) vertices.push_back(corners[first]);
  // Vertices at equal coordinates that differ in the signs of zeros.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> others;
  const auto vertex_of = [&](size_t corner) {
    const uint32_t id = welded.id[corner];
    const uint32_t zeros = NegativeZeros(corners[corner]);
    if (zeros == NegativeZeros(corners[welded.first[id]])) return id;
    const auto [at, is_new] =
        others.try_emplace({id, zeros}, static_cast<uint32_t>(vertices.size()));
    if (is_new) vertices.push_back(corners[corner]);
    return at->second;
  };
  std::vector<TriangleIndices> indices;
  indices.reserve(triangles.size());
  for (size_t i = 0; i < corners.size(); i += 3) {
    indices.push_back({vertex_of(i), vertex_of(i + 1), vertex_of(i + 2)});
  }
  return Mesh::Create(std::move(vertices), std::move(indices));
}

}  // namespace orbox
