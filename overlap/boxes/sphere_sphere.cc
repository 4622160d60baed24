#include "orbox/overlap/boxes/sphere_sphere.h"

#include "orbox/overlap/internal/numbers/exact_number.h"

namespace orbox {
namespace {

bool OverlapsExactly(const Sphere& s, const Sphere& t) {
  Exact squared;
  for (size_t i = 0; i < 3; ++i) {
    const Exact d = Exact(t.center[i]) - Exact(s.center[i]);
    squared = squared + d * d;
  }
  const Exact reach = Exact(s.radius) + Exact(t.radius);
  return squared <= reach * reach;
}

}  // namespace

bool Overlaps(const Sphere& s, const Sphere& t, ArithmeticCounts* counts) {
  const Vec3 d = t.center - s.center;
  const double squared = Dot(d, d);
  const double sum = s.radius + t.radius;
  const double reach = sum * sum;
  // Differences and the sum are off by 2^-53, so their squares by little more
  // than 2 * 2^-53; a square and two sums round by 3 * 2^-53. The sides differ
  // by more than twice that. Underflow is below 2^-1070; after an overflow,
  // neither comparison holds.
  constexpr double kError = 0x1p-49;
  constexpr double kUnderflow = 0x1p-1000;
  const bool apart = squared * (1 - kError) - kUnderflow > reach;
  const bool meet = squared * (1 + kError) + kUnderflow < reach;
  if (std::isfinite(squared) && std::isfinite(reach) && (apart || meet)) {
    if (counts != nullptr) ++counts->by_double;
    return meet;
  }
  if (counts != nullptr) ++counts->by_exact;
  return OverlapsExactly(s, t);
}

}  // namespace orbox
