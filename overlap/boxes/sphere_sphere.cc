// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_sphere.h"

#include "orbox/overlap/internal/numbers/ladder.h"

namespace orbox {
namespace {

bool Climb(const Sphere& s, const Sphere& t, Arithmetic* used) {
  return Decide<LongBounded, Expansion, Exact>(
      [&]<typename Number>(Judge<Number>& judge) {
        Number squared = 0;
        for (size_t i = 0; i < 3; ++i) {
          const Number d = Number(t.center[i]) - Number(s.center[i]);
          squared = squared + d * d;
        }
        const Number reach = Number(s.radius) + Number(t.radius);
        return judge.Sign(squared - reach * reach) <= 0;
      },
      used);
}

}  // namespace

bool Overlaps(const Sphere& s, const Sphere& t, ArithmeticCounts* counts) {
  const Vec3 d = t.center - s.center;
  const double squared = Dot(d, d);
  const double sum = s.radius + t.radius;
  const double reach = sum * sum;
  // Differences and the sum have relative errors of 2^-53, so their squares
  // have little more than 2 * 2^-53. A square and two sums round by 3 * 2^-53.
  // The margin, 16 * 2^-53, is twice the sum of the errors of both sides.
  // Underflow adds less than 2^-1070. After an overflow, neither comparison is
  // true.
  constexpr double kError = 0x1p-49;
  constexpr double kUnderflow = 0x1p-1000;
  const bool apart = squared * (1 - kError) - kUnderflow > reach;
  const bool meet = squared * (1 + kError) + kUnderflow < reach;
  if (std::isfinite(squared) && std::isfinite(reach) && (apart || meet)) {
    Count(Arithmetic::kDouble, counts);
    return meet;
  }
  Arithmetic used = Arithmetic::kDouble;
  const bool overlap = Climb(s, t, &used);
  Count(used, counts);
  return overlap;
}

}  // namespace orbox
