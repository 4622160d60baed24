#include "orbox/bvh/query/farthest_search.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/overlap/error_free.h"
#include "orbox/overlap/triangle_distance.h"

namespace orbox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDenormal = std::numeric_limits<double>::denorm_min();

// A bound of the distance of two points from above: without squares, which
// might underflow to nothing.
double LengthAtMost(const Vec3& v) {
  const double largest = MaxCoordinate(Abs(v));
  if (largest == 0) return 0;
  if (std::isinf(largest)) return kInfinity;
  const Vec3 unit{v.x / largest, v.y / largest, v.z / largest};
  // Some ten roundings of 2^-53 each.
  return largest * Norm(unit) * (1 + 0x1p-49) + kDenormal;
}

double Up(double x) { return std::nextafter(x, kInfinity); }

// The longest edge begins at the corner with this index.
size_t LongestEdge(const FarthestSearch::Corners& corners,
                   std::array<double, 3>& lengths) {
  for (size_t i = 0; i < 3; ++i) {
    lengths[i] = LengthAtMost(corners[(i + 1) % 3].point - corners[i].point);
  }
  return static_cast<size_t>(std::max_element(lengths.begin(), lengths.end()) -
                             lengths.begin());
}

// Sets *middle to the point between p and q; whether no coordinate was rounded.
bool Halfway(const Vec3& p, const Vec3& q, Vec3* middle) {
  bool is_exact = true;
  for (size_t i = 0; i < 3; ++i) {
    const double a = p[i] * 0.5;
    const double b = q[i] * 0.5;
    const DoubleDouble sum = TwoSum(a, b);
    (*middle)[i] = sum.hi;
    // Halves of denormals may round, too.
    is_exact = is_exact && sum.lo == 0 && 2 * a == p[i] && 2 * b == q[i];
  }
  return is_exact;
}

}  // namespace

DistanceSample DistanceSampler::At(const Vec3& p,
                                   const DistanceSample& near) const {
  // Distances differ by no more than the way from one point to the other.
  const double limit = Up(Up(near.distance) + LengthAtMost(p - near.point));
  const std::optional<SurfacePoint> hit =
      ClosestPoint(tree_, p, limit, statistics_);
  return {p, hit->distance, hit->triangle};
}

double FarthestGoal::Slack(double lower) const {
  return std::max(tolerance, relative_tolerance * lower);
}

void FarthestSearch::Add(uint32_t id, const Corners& corners) {
  Part part{kInfinity, 0, 0, id, parts_made_++, corners};
  for (const DistanceSample& corner : corners) {
    part.reach = std::max(part.reach, MaxCoordinate(Abs(corner.point)));
  }
  Offer(part);
}

void FarthestSearch::Witness(uint32_t id, const DistanceSample& sample,
                             double error) {
  const double lower =
      error == 0
          ? sample.distance
          : std::max(0.0, std::nextafter(sample.distance - error, -kInfinity));
  if (has_best_ && lower <= best_.lower) return;
  has_best_ = true;
  best_.lower = lower;
  best_.triangle_a = id;
  best_.on_a = sample.point;
  best_.triangle_b = sample.triangle;
}

// Stops looking for better bounds at one that is good enough.
double FarthestSearch::UpperBound(const Part& part, double good_enough) const {
  std::array<double, 3> lengths;
  const auto& corners = part.corners;
  const double longest = lengths[LongestEdge(corners, lengths)];
  // Every point of the part is within longest / sqrt(3) of a corner (Jung's
  // theorem), and within its longer edge of each.
  double largest = 0;
  double upper = kInfinity;
  for (size_t i = 0; i < 3; ++i) {
    const double distance = corners[i].distance;
    largest = std::max(largest, distance);
    upper = std::min(upper,
                     Up(distance + std::max(lengths[i], lengths[(i + 2) % 3])));
  }
  constexpr double kJung = 0.57735026918962584;  // 1 / sqrt(3), rounded up
  upper = std::min(upper, Up(largest + Up(longest * kJung)));
  // The distance from one triangle is convex: largest at a corner.
  const Mesh& mesh = sampler_.tree().mesh();
  for (size_t i = 0; i < 3 && upper + part.error > good_enough; ++i) {
    const uint32_t id = corners[i].triangle;
    if (i > 0 && id == corners[i - 1].triangle) continue;
    double from_one = corners[i].distance;
    for (size_t k = 0; k < 3 && from_one < upper; ++k) {
      if (corners[k].triangle == id) {
        from_one = std::max(from_one, corners[k].distance);
      } else {
        from_one = std::max(
            from_one, Distance(corners[k].point, mesh.triangle(id)).distance);
      }
    }
    upper = std::min(upper, from_one);
  }
  return part.error == 0 ? upper : Up(upper + part.error);
}

// Bounds the part and keeps it if it may hold what interests.
void FarthestSearch::Offer(Part part) {
  const double good_enough = best_.lower + goal_.Slack(best_.lower);
  // A part has no more than the whole.
  part.upper = std::min(part.upper, UpperBound(part, good_enough));
  if (part.upper <= good_enough) {
    settled_upper_ = std::max(settled_upper_, part.upper);
    return;
  }
  heap_.push_back(part);
  std::push_heap(heap_.begin(), heap_.end());
}

// False where the part is too small to have two halves.
bool FarthestSearch::Halve(const Part& part) {
  std::array<double, 3> lengths;
  const size_t i = LongestEdge(part.corners, lengths);
  const size_t j = (i + 1) % 3;
  const Vec3& p = part.corners[i].point;
  const Vec3& q = part.corners[j].point;
  Vec3 middle;
  const bool is_exact = Halfway(p, q, &middle);
  if (middle == p || middle == q) return false;
  const DistanceSample sample = sampler_.At(middle, part.corners[i]);
  Part half = part;
  if (!is_exact) {
    // Each coordinate was rounded once, or thrice where it is a denormal.
    half.error = Up(Up(part.error + 0x1p-52 * part.reach) + 4 * kDenormal);
  }
  Witness(part.id, sample, half.error);
  for (const size_t replaced : {i, j}) {
    half.order = parts_made_++;
    ++halves_made_;
    half.corners = part.corners;
    half.corners[replaced] = sample;
    Offer(half);
  }
  return true;
}

HausdorffResult FarthestSearch::Run() {
  while (!heap_.empty()) {
    const Part part = heap_.front();
    if (part.upper <= best_.lower + goal_.Slack(best_.lower) ||
        halves_made_ >= goal_.max_parts) {
      settled_upper_ = std::max(settled_upper_, part.upper);
      break;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    if (!Halve(part)) settled_upper_ = std::max(settled_upper_, part.upper);
  }
  best_.upper = std::max(best_.lower, settled_upper_);
  best_.on_b =
      Distance(best_.on_a, sampler_.tree().mesh().triangle(best_.triangle_b))
          .closest;
  return best_;
}

}  // namespace orbox
