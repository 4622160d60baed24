// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/distance_ply.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/hausdorff.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/ply_bytes.h"
#include "tools/picture/color.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"

namespace orbox::cli {
namespace {

void Add(const MeasuredMesh& measured, uint8_t number, double end,
         PlyBytes& ply) {
  const PosedTree& posed = *measured.mesh;
  const Mesh& mesh = posed.tree().mesh();
  const picture::Color own =
      picture::FromHex(number == 0 ? picture::kColorOfA : picture::kColorOfB);
  // Position in the file of each vertex of each colour.
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
                                                  const QueryOptions& options) {
  // The exact largest distance is not needed, so any enclosure suffices.
  const absl::StatusOr<std::vector<TriangleDeviation>> field =
      DeviationField(a, b,
                     {.tolerance = std::numeric_limits<double>::max(),
                      .statistics = options.statistics,
                      .threads = options.threads,
                      .progress = options.progress,
                      .cancelled = options.cancelled});
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
