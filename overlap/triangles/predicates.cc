// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/predicates.h"

#include <cmath>
#include <limits>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/long_volume.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

using exact::Difference;

// The error of a product that underflows is at most 2^-1075. kTinyProduct,
// added to the magnitude of a product, and kTinyError, added to the error
// bound, cover the effect of such errors.
constexpr double kTinyProduct = 0x1p-1000;
constexpr double kTinyError = 0x1p-1060;

// Returns the sign of a determinant; 0 if overflow or rounding leave it
// undecided. `value` is the computed determinant, with at most `roundings`
// roundings on each path from input to result. `magnitude` is the result of the
// computation with the absolute values of all products. One more rounding is
// added for the bound itself.
int CertainSign(double value, double magnitude, double roundings) {
  const double error = (roundings + 1) * kRoundoff * magnitude + kTinyError;
  if (!(magnitude < std::numeric_limits<double>::infinity())) return 0;
  if (value > error) return 1;
  return value < -error ? -1 : 0;
}

// Sets *sign to the sign of the volume, computed in double-double. Returns
// false if it is undecided.
bool GetLongSign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                 double magnitude, int* sign) {
  constexpr double kLargestDifference = 0x1p300;
  constexpr double kUnderflow = 0x1p-700;
  if (!(MaxCoordinate(Max(Abs(b - a), Max(Abs(c - a), Abs(d - a)))) <=
        kLargestDifference)) {
    return false;
  }
  const double volume = LongVolume(a, b, c, d).hi;
  const double error = kLongVolumeError * magnitude + kUnderflow;
  *sign = (volume > 0 ? 1 : 0) - (volume < 0 ? 1 : 0);
  return std::abs(volume) > error || IsLongVolumeExact(a, b, c, d);
}

}  // namespace

int Orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
             Arithmetic* used) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ad = d - a;
  const Vec3 p{ab.y * ac.z, ab.z * ac.x, ab.x * ac.y};
  const Vec3 q{ab.z * ac.y, ab.x * ac.z, ab.y * ac.x};
  const double volume = Dot(p - q, ad);
  const Vec3 tiny{kTinyProduct, kTinyProduct, kTinyProduct};
  const double magnitude = Dot(Abs(p) + Abs(q) + tiny, Abs(ad));
  // Counts the roundings of three differences, two products, p - q, and two
  // sums.
  int sign = CertainSign(volume, magnitude, 8);
  if (sign != 0) return sign;
  // The most frequent special cases: shared points, and planes at right angles
  // to an axis.
  if (a == d || b == d || c == d || a == b || b == c || c == a) return 0;
  if ((ab.x == 0 && ac.x == 0 && ad.x == 0) ||
      (ab.y == 0 && ac.y == 0 && ad.y == 0) ||
      (ab.z == 0 && ac.z == 0 && ad.z == 0)) {
    return 0;
  }
  // This case is the most frequent one, so it avoids the rest of the ladder.
  if (GetLongSign(a, b, c, d, magnitude, &sign)) return sign;
  const auto volume_of = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      return judge.Sign(Dot(Cross(Difference<Number>(points[1], points[0]),
                                  Difference<Number>(points[2], points[0])),
                            Difference<Number>(points[3], points[0])));
    };
  };
  return DecideScaled<4>({a, b, c, d}, volume_of, used);
}

int Orient2d(const Vec3& a, const Vec3& b, const Vec3& c, size_t u, size_t v,
             Arithmetic* used) {
  const double bu = b[u] - a[u];
  const double bv = b[v] - a[v];
  const double cu = c[u] - a[u];
  const double cv = c[v] - a[v];
  const double p = bu * cv;
  const double q = bv * cu;
  // Counts the roundings of two differences, a product, and p - q.
  const int sign = CertainSign(p - q, std::abs(p) + std::abs(q), 4);
  if (sign != 0) return sign;
  // A factor of each product is zero, for example for an edge along an axis.
  if ((bu == 0 || cv == 0) && (bv == 0 || cu == 0)) return 0;
  const auto area_of = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      const auto [bx, by, bz] = Difference<Number>(points[1], points[0]);
      const auto [cx, cy, cz] = Difference<Number>(points[2], points[0]);
      return judge.Sign(bx * cy - by * cx);
    };
  };
  return DecideScaled<3>(
      {Vec3{a[u], a[v], 0}, Vec3{b[u], b[v], 0}, Vec3{c[u], c[v], 0}}, area_of,
      used);
}

bool AreCollinear(const Vec3& a, const Vec3& b, const Vec3& c,
                  Arithmetic* used) {
  return Orient2d(a, b, c, 0, 1, used) == 0 &&
         Orient2d(a, b, c, 1, 2, used) == 0 &&
         Orient2d(a, b, c, 2, 0, used) == 0;
}

}  // namespace orbox
