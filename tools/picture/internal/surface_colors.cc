// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/surface_colors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orbox/bvh/query/points/closest_point.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"
#include "tools/picture/standing_tree.h"

namespace orbox::picture {
namespace {

// Returns the distance of each triangle of mesh i.
FaceDistances DistancesOfMesh(const Findings& findings, size_t i,
                              size_t triangle_count) {
  if (!findings.face_distances.empty()) return findings.face_distances[i];
  return FaceDistancesOf(findings.pairs, i, triangle_count);
}

// Returns the mesh from which the distances of mesh i are measured, if it is
// known.
const PosedTree* OtherOf(const Findings& findings, size_t i) {
  if (i == 0 && findings.from.has_value()) return &*findings.from;
  if (!findings.face_distances.empty() || !findings.b.has_value()) {
    return nullptr;
  }
  return i == 0 ? &*findings.b : i == 1 ? &findings.a : nullptr;
}

}  // namespace

absl::StatusOr<SurfaceColors> SurfaceColors::Of(const Findings& findings,
                                                const PictureSpace& space,
                                                int threads) {
  std::vector<const PosedTree*> meshes = {&findings.a};
  if (findings.b.has_value()) meshes.push_back(&*findings.b);
  for (const PosedTree& other : findings.others) meshes.push_back(&other);
  SurfaceColors result(0, {});
  result.space_ = space;
  const bool has_scale = findings.within.has_value() && *findings.within > 0 &&
                         std::isfinite(*findings.within);
  result.within_ = has_scale ? *findings.within : 0;
  for (size_t i = 0; i < meshes.size(); ++i) {
    const Color own = FromHex(i == 0   ? kColorOfA
                              : i == 1 ? kColorOfB
                                       : kColorOfOthers);
    Side side{.first_face = result.colors_.size(), .other = {}, .own = own};
    const PosedTree* const other = has_scale ? OtherOf(findings, i) : nullptr;
    if (other != nullptr) {
      absl::StatusOr<Tree> tree = StandingTree(*other, threads);
      if (!tree.ok()) return tree.status();
      side.other = *std::move(tree);
    }
    const FaceDistances distances =
        DistancesOfMesh(findings, i, meshes[i]->tree().mesh().triangle_count());
    for (const double d : distances) {
      result.colors_.push_back(ColorOfDistance(d, findings.within, own));
      result.is_varied_.push_back(
          side.other.has_value() && d <= result.within_ ? 1 : 0);
      result.meets_.push_back(d == 0 ? 1 : 0);
    }
    result.sides_.push_back(std::move(side));
  }
  return result;
}

Color SurfaceColors::At(size_t face, const Vec3& point, double pixel) const {
  if (is_varied_.empty() || is_varied_[face] == 0) return colors_[face];
  const Side* side = &sides_.front();
  for (const Side& next : sides_) {
    if (next.first_face <= face) side = &next;
  }
  const Vec3 p = space_.origin + point * (1 / space_.scale);
  const std::optional<SurfacePoint> near =
      ClosestPoint(*side->other, p, within_);
  if (!near.has_value()) return side->own;
  if (meets_[face] != 0 && near->distance * space_.scale <= pixel) {
    return FromHex(kColorOfMeeting);
  }
  // Never red, because red means an overlap, which is decided exactly.
  return ColorOfDistance(
      std::max(near->distance, std::numeric_limits<double>::min()), within_,
      side->own);
}

}  // namespace orbox::picture
