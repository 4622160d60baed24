#include "orbox/bvh/query/signed_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/query/internal/surface_sides.h"
#include "orbox/bvh/query/k_nearest.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/signed_distance.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/nearest_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"

#ifndef ORBOX_BVH_QUERY_SIGNED_DISTANCE_ONCE
#define ORBOX_BVH_QUERY_SIGNED_DISTANCE_ONCE
namespace orbox {

// The closest triangle, and all at the same distance: what exact arithmetic
// might find closer is among them.
class ClosestWithTies {
 public:
  explicit ClosestWithTies(double max_distance) : bound_(max_distance) {}

  static constexpr size_t wanted() { return 1; }
  double bound() const { return bound_; }

  bool Offer(uint32_t id, const PointTriangleDistance& d) {
    if (!(d.distance <= bound_)) return false;
    if (count_ == 0 || d.distance < bound_) {
      count_ = 0;
      bound_ = d.distance;
      best_ = {id, d.distance, d.closest};
    }
    if (count_ < kMostTies) ties_[count_] = id;
    // The lowest id comes first, in whichever order they are offered.
    if (id < best_.triangle) {
      best_ = {id, d.distance, d.closest};
      if (count_ < kMostTies) std::swap(ties_[0], ties_[count_]);
    }
    ++count_;
    return true;
  }

  bool is_found() const { return count_ > 0; }
  const SurfacePoint& best() const { return best_; }
  // Empty where they are too many to tell.
  std::span<const uint32_t> ties() const {
    return {ties_.data(), count_ <= kMostTies ? count_ : 0};
  }

 private:
  // More than meet at most vertices.
  static constexpr size_t kMostTies = 32;

  SurfacePoint best_;
  double bound_;
  size_t count_ = 0;
  std::array<uint32_t, kMostTies> ties_;
};

}  // namespace orbox
#endif  // ORBOX_BVH_QUERY_SIGNED_DISTANCE_ONCE

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

void ClosestWithTiesLoop(const Tree& tree, const Vec3& p,
                         ClosestWithTies& closest,
                         TraversalStatistics* statistics) {
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    NearestQuery<ClosestWithTies, Counters> query(tree, p, closest, counters);
    TraverseTree(tree, query, counters);
    query.Settle();
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ClosestWithTiesLoop);

namespace {

// What the front of a triangle faces.
enum class Front : uint8_t { kOutside, kInside, kUnknown };

bool IsOddInside(const Tree& tree, const Vec3& p,
                 TraversalStatistics* statistics) {
  const Crossings crossings = CrossingsFrom(tree, p, statistics);
  return !crossings.is_on_surface && crossings.winding % 2 != 0;
}

// What the front of this triangle faces, told from a point so near before it
// that no other triangle is as near.
Front FrontOf(const Tree& tree, const SurfaceSides& sides, uint32_t triangle) {
  const Triangle t = tree.mesh().triangle(triangle);
  const double scale = tree.space().scale;
  const Vec3 e = (t.b - t.a) * scale;
  const Vec3 f = (t.c - t.a) * scale;
  const Vec3 n = Cross(e, f);
  const double area = Norm(n);
  if (!(area > 0)) return Front::kUnknown;
  const double height =
      area / std::max(Norm(e), std::max(Norm(f), Norm(f - e)));
  const Vec3 middle = t.a + ((t.b - t.a) + (t.c - t.a)) * (1.0 / 3);
  // Nearer and nearer, until rounding no longer tells the point from the face.
  for (double step = 0x1p-4; step > 0x1p-40; step *= 0x1p-6) {
    const Vec3 p = middle + n * (step * height / area) * tree.space().unscale;
    const std::vector<SurfacePoint> near = KNearest(tree, p, 2);
    const bool is_nearest =
        !near.empty() && near[0].triangle == triangle && near[0].distance > 0 &&
        (near.size() == 1 || near[1].distance > near[0].distance);
    if (!is_nearest || sides.SideOf(p, {&triangle, 1}) != Side::kFront) {
      continue;
    }
    return IsOddInside(tree, p, nullptr) ? Front::kInside : Front::kOutside;
  }
  return Front::kUnknown;
}

// Per triangle; all of a part face the same way, and one tells for them.
std::vector<Front> FrontsOf(const Tree& tree, const SurfaceSides& sides) {
  const Mesh& mesh = tree.mesh();
  const std::span<const uint32_t> parts = sides.parts();
  // A large triangle has the best view.
  std::vector<uint32_t> largest(mesh.triangle_count());
  std::vector<double> areas(mesh.triangle_count(), -1);
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const Triangle t = mesh.triangle(id);
    const double scale = tree.space().scale;
    const double area =
        SquaredNorm(Cross((t.b - t.a) * scale, (t.c - t.a) * scale));
    if (area > areas[parts[id]]) {
      areas[parts[id]] = area;
      largest[parts[id]] = id;
    }
  }
  std::vector<Front> fronts(mesh.triangle_count());
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    // A part is named by its first triangle, which comes first.
    fronts[id] =
        parts[id] == id ? FrontOf(tree, sides, largest[id]) : fronts[parts[id]];
  }
  return fronts;
}

}  // namespace

struct SignedDistanceField::Data {
  Tree tree;
  SurfaceSides sides;
  std::vector<Front> fronts;
};

absl::StatusOr<SignedDistanceField> SignedDistanceField::Create(
    const Tree& tree) {
  const auto create = [&]() -> absl::StatusOr<SignedDistanceField> {
    absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(tree.mesh());
    if (!sides.ok()) return sides.status();
    std::vector<Front> fronts = FrontsOf(tree, *sides);
    return SignedDistanceField(std::make_shared<const Data>(
        Data{tree, *std::move(sides), std::move(fronts)}));
  };
  return GuardMemory("for the edges and vertices of the mesh; split it",
                     create);
}

std::optional<SurfacePoint> SignedDistanceField::ClosestPoint(
    const Vec3& p, double max_distance, TraversalStatistics* statistics) const {
  if (!IsFinite(p) || !(max_distance >= 0)) return std::nullopt;
  const Tree& tree = data_->tree;
  ClosestWithTies closest(max_distance);
  ORBOX_DYNAMIC_DISPATCH(ClosestWithTiesLoop)(tree, p, closest, statistics);
  if (!closest.is_found()) return std::nullopt;
  SurfacePoint result = closest.best();
  if (result.distance == 0) return result;
  bool is_inside = false;
  Side side = Side::kUnknown;
  if (!closest.ties().empty()) side = data_->sides.SideOf(p, closest.ties());
  const Front front = data_->fronts[closest.best().triangle];
  if (side == Side::kUnknown || front == Front::kUnknown) {
    is_inside = IsOddInside(tree, p, statistics);
  } else {
    is_inside = (side == Side::kFront) == (front == Front::kInside);
  }
  if (is_inside) result.distance = -result.distance;
  return result;
}

double SignedDistanceField::Distance(const Vec3& p,
                                     TraversalStatistics* statistics) const {
  const std::optional<SurfacePoint> closest =
      ClosestPoint(p, std::numeric_limits<double>::infinity(), statistics);
  return closest.has_value() ? closest->distance
                             : std::numeric_limits<double>::quiet_NaN();
}

bool SignedDistanceField::IsInside(const Vec3& p,
                                   TraversalStatistics* statistics) const {
  return IsFinite(p) && IsOddInside(data_->tree, p, statistics);
}

const Tree& SignedDistanceField::tree() const { return data_->tree; }

}  // namespace orbox
#endif  // HWY_ONCE
