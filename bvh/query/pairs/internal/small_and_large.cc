// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/internal/small_and_large.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/query/regions/internal/region_search.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/internal/no_closer.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// Largest ratio of the sizes. Above the resolution of floats in the larger
// mesh's space.
constexpr double kMuchSmaller = 0x1p-12;

// Largest number of faces for which this search is faster than a search of two
// trees.
constexpr size_t kMostNearFaces = 16;
constexpr size_t kMostNearTriangles = 1024;

// Returns true if the square of `length` neither overflows nor underflows.
bool IsInRange(double length) { return length > 1e-140 && length < 1e140; }

// Largest coordinate that occurs while `p` is mapped from world space into
// model space. Rounding errors are relative to it.
double CoordinatesOf(const PosedTree& t, const Vec3& p) {
  return MaxCoordinate(Abs(p)) + MaxCoordinate(Abs(t.pose().translation)) +
         t.scale() * MagnitudeOf(t.tree().mesh().bounds());
}

// Maps approximately from world space to model space. Requires a pose that does
// not stretch.
Vec3 ToModel(const PosedTree& t, const Vec3& p) {
  const auto& rows = t.pose().rows;
  const Vec3 u = (p - t.pose().translation) * (1 / t.scale());
  return (rows[0] * u.x + rows[1] * u.y + rows[2] * u.z) * (1 / t.scale());
}

// Returns the triangles that overlap a region, or nothing if there are more
// than `most`.
std::optional<std::vector<uint32_t>> FewOverlaps(const Tree& tree,
                                                 const Region& region,
                                                 size_t most,
                                                 const Watch& watch) {
  std::vector<uint32_t> ids;
  RegionSearch(watch).Visit(tree, region, [&](uint32_t id) {
    ids.push_back(id);
    return ids.size() > most ? Visit::kStop : Visit::kContinue;
  });
  if (ids.size() > most) return std::nullopt;
  std::sort(ids.begin(), ids.end());
  return ids;
}

class SmallSearch {
 public:
  // `swapped`: true if the small mesh is the second one of the query.
  SmallSearch(const PosedTree& small, const PosedTree& large, bool swapped,
              const Watch& watch)
      : small_(small),
        large_(large),
        swapped_(swapped),
        watch_(watch),
        middle_(BallAround(small).center),
        radius_(BallAround(small).radius) {}

  std::optional<Witness> Closest() {
    const auto faces = NearFaces();
    if (!faces) return std::nullopt;
    OfferNearest(faces->nearest);
    const bool is_known =
        std::all_of(faces->all.begin(), faces->all.end(),
                    [this](uint32_t face) { return OfferFace(face); });
    CountTests(measured_, counts_, watch_.statistics);
    return is_known ? best_ : std::nullopt;
  }

  // Returns all pairs whose distance rounds to that of the closest.
  std::optional<std::vector<TrianglePair>> AllAt(double distance) {
    const auto faces = NearFaces();
    if (!faces) return std::nullopt;
    std::vector<TrianglePair> pairs;
    for (const uint32_t face : faces->all) {
      const auto triangles = TrianglesWithin(face, distance);
      if (!triangles) return std::nullopt;
      for (const uint32_t id : *triangles) {
        if (IsAt(id, face, distance)) pairs.push_back(IdsOf(id, face));
      }
    }
    CountTests(measured_, counts_, watch_.statistics);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  struct Faces {
    uint32_t nearest;  // the one nearest to the small mesh's middle
    std::vector<uint32_t> all;
  };

  // Returns the triangles of the large mesh that may be closest to any point of
  // the small one. Their distance from its middle exceeds that of the closest
  // by at most twice its radius.
  std::optional<Faces> NearFaces() const {
    const Vec3 p = ToModel(large_, middle_);
    if (!IsFinite(p)) return std::nullopt;
    const auto nearest = FindClosest(large_.tree(), p, kInfinity, watch_);
    if (!nearest || !IsInRange(nearest->distance * large_.scale()) ||
        !(nearest->distance * large_.scale() > radius_)) {
      return std::nullopt;
    }
    const double rounded = CoordinatesOf(large_, middle_) / large_.scale();
    const double reach =
        (nearest->distance + 2 * radius_ / large_.scale()) * (1 + 0x1p-30) +
        0x1p-44 * rounded;
    auto all =
        FewOverlaps(large_.tree(), Sphere{p, reach}, kMostNearFaces, watch_);
    if (!all) return std::nullopt;
    return Faces{nearest->triangle, *std::move(all)};
  }

  // Measures one triangle of the small mesh: the one nearest to the point of
  // the face that is nearest to the small mesh's middle. That pair is almost
  // the closest.
  void OfferNearest(uint32_t face) {
    const Vec3 on_face = Distance(middle_, large_.triangle(face)).closest;
    const Vec3 p = ToModel(small_, on_face);
    if (!IsFinite(p)) return;
    const auto nearest = FindClosest(small_.tree(), p, kInfinity, watch_);
    if (nearest) Offer(nearest->triangle, face);
  }

  bool OfferFace(uint32_t face) {
    if (OfferWithin(face)) return true;
    // This face may be far nearer than the face of the best pair so far.
    OfferNearest(face);
    return OfferWithin(face);
  }

  // Measures all pairs with the face that may be at most as far apart as the
  // best pair so far. Returns false if there are too many.
  bool OfferWithin(uint32_t face) {
    if (!best_) return false;
    const auto triangles = TrianglesWithin(face, best_->distance);
    if (!triangles) return false;
    for (const uint32_t id : *triangles) Offer(id, face);
    return true;
  }

  // Returns the triangles of the small mesh whose distance from a face may be,
  // or round to, at most `distance`. Returns nothing if there are too many.
  std::optional<std::vector<uint32_t>> TrianglesWithin(uint32_t face,
                                                       double distance) const {
    const Triangle t = large_.triangle(face);
    const Vec3 way = middle_ - Distance(middle_, t).closest;
    const double length = Norm(way);
    if (!IsInRange(length)) return std::nullopt;
    // Along u and relative to the middle, no point of the face is above
    // `highest`.
    const Vec3 u = way * (1 / length);
    const Vec3 ways[] = {t.a - middle_, t.b - middle_, t.c - middle_};
    double highest = -kInfinity;
    double reach = radius_;
    for (const Vec3& w : ways) {
      highest = std::max(highest, Dot(u, w));
      reach = std::max(reach, MaxCoordinate(Abs(w)));
    }
    // A point x of the small mesh is a candidate only if u (x - middle) is at
    // most the sum of `highest` and the distance. With x = R m + t, and n the
    // product of R's transpose and u, this is a bound of n (m - m') for the
    // model's middle m'. The error is a few roundings of each length and two of
    // the coordinates.
    const auto& rows = small_.pose().rows;
    const Vec3 n = rows[0] * u.x + rows[1] * u.y + rows[2] * u.z;
    const double error_bound =
        0x1p-46 * (reach + distance) + 0x1p-48 * CoordinatesOf(small_, middle_);
    const HalfSpace near{n, Dot(n, small_.tree().mesh().bounds().Center()) +
                                highest + distance + error_bound};
    if (std::isnan(near.offset)) return std::nullopt;
    return FewOverlaps(small_.tree(), HalfSpaces(&near, 1), kMostNearTriangles,
                       watch_);
  }

  TrianglePair IdsOf(uint32_t small, uint32_t large) const {
    return swapped_ ? TrianglePair{large, small} : TrianglePair{small, large};
  }
  TrianglePairDistance Measured(const Triangle& small, const Triangle& large) {
    return swapped_ ? Distance(large, small, &counts_)
                    : Distance(small, large, &counts_);
  }

  void Offer(uint32_t small, uint32_t large) {
    const TrianglePair ids = IdsOf(small, large);
    if (best_ && best_->triangles == ids) return;
    const Triangle s = small_.triangle(small);
    const Triangle t = large_.triangle(large);
    ++measured_;
    // Many triangles may be equally near, such as those of a ring parallel to a
    // surface.
    if (best_ &&
        AreNoCloser(s, t,
                    best_->triangles < ids
                        ? best_->distance
                        : std::nextafter(best_->distance, kInfinity))) {
      return;
    }
    const TrianglePairDistance d = Measured(s, t);
    if (best_ && (d.distance > best_->distance ||
                  (d.distance == best_->distance && best_->triangles < ids))) {
      return;
    }
    best_ = {ids, d.distance, d.on_first, d.on_second};
  }

  bool IsAt(uint32_t small, uint32_t large, double distance) {
    const Triangle s = small_.triangle(small);
    const Triangle t = large_.triangle(large);
    ++measured_;
    return !AreNoCloser(s, t, std::nextafter(distance, kInfinity)) &&
           Measured(s, t).distance == distance;
  }

  const PosedTree& small_;
  const PosedTree& large_;
  const bool swapped_;
  const Watch watch_;
  const Vec3 middle_;
  const double radius_;
  std::optional<Witness> best_;
  uint64_t measured_ = 0;
  ArithmeticCounts counts_;
};

// Returns the search for two meshes. Returns nothing if neither is far smaller,
// or if a pose is too far from a similarity for the approximate inverse of
// ToModel.
std::optional<SmallSearch> SearchOf(const PosedTree& a, const PosedTree& b,
                                    const Watch& watch) {
  const double a_radius = BallAround(a).radius;
  const double b_radius = BallAround(b).radius;
  if (!(std::min(a_radius, b_radius) <=
        kMuchSmaller * std::max(a_radius, b_radius))) {
    return std::nullopt;
  }
  constexpr double kMostSkew = 0x1p-40;
  if (a.stretch() != 1 || b.stretch() != 1 || a.skew() > kMostSkew ||
      b.skew() > kMostSkew || !IsInRange(std::max(a_radius, b_radius)) ||
      !IsInRange(a.scale()) || !IsInRange(b.scale())) {
    return std::nullopt;
  }
  return b_radius < a_radius ? SmallSearch(b, a, true, watch)
                             : SmallSearch(a, b, false, watch);
}

}  // namespace

std::optional<Witness> ClosestOfSmallAndLarge(const PosedTree& a,
                                              const PosedTree& b,
                                              double max_distance,
                                              const Watch& watch) {
  std::optional<SmallSearch> search = SearchOf(a, b, watch);
  if (!search) return std::nullopt;
  const std::optional<Witness> witness = search->Closest();
  if (!witness || witness->distance == 0 ||
      !(witness->distance < max_distance)) {
    return std::nullopt;
  }
  return witness;
}

std::optional<std::vector<TrianglePair>> PairsAtOfSmallAndLarge(
    const PosedTree& a, const PosedTree& b, double distance,
    const Watch& watch) {
  std::optional<SmallSearch> search = SearchOf(a, b, watch);
  if (!search) return std::nullopt;
  return search->AllAt(distance);
}

}  // namespace orbox
