#include "orbox/overlap/triangles/predicates.h"

#include <cmath>
#include <limits>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/internal/numbers/expansion.h"
#include "orbox/overlap/triangles/internal/long_volume.h"

namespace orbox {
namespace {

constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

// A product that underflows is off by at most 2^-1075. Added to the magnitude
// of a product, and to the error bound, these two stay above what that makes.
constexpr double kTinyProduct = 0x1p-1000;
constexpr double kTinyError = 0x1p-1060;

using Point = BasicVec3<Exact>;

Point ExactDifference(const Vec3& head, const Vec3& tail) {
  return {Exact(head.x) - tail.x, Exact(head.y) - tail.y,
          Exact(head.z) - tail.z};
}

// The sign of a determinant of which `value` was computed, along paths of
// `roundings` roundings from input to result; `magnitude` is the same
// computation with the absolute values of all products. 0 where overflow or
// rounding leave it open. One rounding more makes up for those of the bound.
int CertainSign(double value, double magnitude, double roundings) {
  const double error = (roundings + 1) * kU * magnitude + kTinyError;
  if (!(magnitude < std::numeric_limits<double>::infinity())) return 0;
  if (value > error) return 1;
  return value < -error ? -1 : 0;
}

// Sets *sign to that of the volume by double-double; false where that leaves it
// open.
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

// A vector as differences that lose nothing.
using LongVec3 = BasicVec3<DoubleDouble>;

LongVec3 LongDifference(const Vec3& head, const Vec3& tail) {
  return {TwoDifference(head.x, tail.x), TwoDifference(head.y, tail.y),
          TwoDifference(head.z, tail.z)};
}

// Adds a b c, of pairs of doubles: most often, nothing was lost in any of them,
// and it is one product.
template <size_t kMost>
void AddProduct(const DoubleDouble& a, const DoubleDouble& b,
                const DoubleDouble& c, double sign, Expansion<kMost>* sum) {
  for (const double x : {a.lo, a.hi}) {
    if (x == 0) continue;
    for (const double y : {b.lo, b.hi}) {
      if (y == 0) continue;
      for (const double z : {c.lo, c.hi}) {
        if (z != 0) sum->AddProduct(sign * x, y, z);
      }
    }
  }
}

// Sets *sign to that of the volume by sums of doubles that lose nothing; false
// where numbers are too large or too small for that.
bool GetExpandedSign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                     int* sign) {
  // Six products, each of up to eight parts of four terms.
  using Sum = Expansion<192>;
  const LongVec3 e = LongDifference(b, a);
  const LongVec3 f = LongDifference(c, a);
  const LongVec3 g = LongDifference(d, a);
  for (const LongVec3* v : {&e, &f, &g}) {
    for (const DoubleDouble* x : {&v->x, &v->y, &v->z}) {
      if (!Sum::IsInRange(x->hi) || !Sum::IsInRange(x->lo)) return false;
    }
  }
  Sum volume;
  AddProduct(e.y, f.z, g.x, 1, &volume);
  AddProduct(e.z, f.y, g.x, -1, &volume);
  AddProduct(e.z, f.x, g.y, 1, &volume);
  AddProduct(e.x, f.z, g.y, -1, &volume);
  AddProduct(e.x, f.y, g.z, 1, &volume);
  AddProduct(e.y, f.x, g.z, -1, &volume);
  *sign = volume.Sign();
  return true;
}

// The same for b c - d e.
bool GetExpandedSign(const DoubleDouble& b, const DoubleDouble& c,
                     const DoubleDouble& d, const DoubleDouble& e, int* sign) {
  using Sum = Expansion<16>;
  for (const DoubleDouble* x : {&b, &c, &d, &e}) {
    if (!Sum::IsInRange(x->hi) || !Sum::IsInRange(x->lo)) return false;
  }
  Sum area;
  for (const double x : {b.lo, b.hi}) {
    for (const double y : {c.lo, c.hi}) area.AddProduct(x, y);
  }
  for (const double x : {d.lo, d.hi}) {
    for (const double y : {e.lo, e.hi}) area.AddProduct(-x, y);
  }
  *sign = area.Sign();
  return true;
}

}  // namespace

int Orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
             bool* used_exact) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ad = d - a;
  const Vec3 p{ab.y * ac.z, ab.z * ac.x, ab.x * ac.y};
  const Vec3 q{ab.z * ac.y, ab.x * ac.z, ab.y * ac.x};
  const double volume = Dot(p - q, ad);
  const Vec3 tiny{kTinyProduct, kTinyProduct, kTinyProduct};
  const double magnitude = Dot(Abs(p) + Abs(q) + tiny, Abs(ad));
  // Roundings of three differences, two products, p - q, and two sums.
  int sign = CertainSign(volume, magnitude, 8);
  if (sign != 0) return sign;
  // The commonest coincidences: shared points, and planes along the axes.
  if (a == d || b == d || c == d || a == b || b == c || c == a) return 0;
  if ((ab.x == 0 && ac.x == 0 && ad.x == 0) ||
      (ab.y == 0 && ac.y == 0 && ad.y == 0) ||
      (ab.z == 0 && ac.z == 0 && ad.z == 0)) {
    return 0;
  }
  if (GetLongSign(a, b, c, d, magnitude, &sign)) return sign;
  if (GetExpandedSign(a, b, c, d, &sign)) return sign;
  if (used_exact != nullptr) *used_exact = true;
  return Dot(Cross(ExactDifference(b, a), ExactDifference(c, a)),
             ExactDifference(d, a))
      .Sign();
}

int Orient2d(const Vec3& a, const Vec3& b, const Vec3& c, size_t u, size_t v,
             bool* used_exact) {
  const DoubleDouble bu = TwoDifference(b[u], a[u]);
  const DoubleDouble bv = TwoDifference(b[v], a[v]);
  const DoubleDouble cu = TwoDifference(c[u], a[u]);
  const DoubleDouble cv = TwoDifference(c[v], a[v]);
  const double p = bu.hi * cv.hi;
  const double q = bv.hi * cu.hi;
  // Roundings of two differences, a product, and p - q.
  int sign = CertainSign(p - q, std::abs(p) + std::abs(q), 4);
  if (sign != 0) return sign;
  // A factor of each product is zero: an edge along an axis, say.
  if ((bu.hi == 0 || cv.hi == 0) && (bv.hi == 0 || cu.hi == 0)) return 0;
  if (GetExpandedSign(bu, cv, bv, cu, &sign)) return sign;
  if (used_exact != nullptr) *used_exact = true;
  return ((Exact(b[u]) - a[u]) * (Exact(c[v]) - a[v]) -
          (Exact(b[v]) - a[v]) * (Exact(c[u]) - a[u]))
      .Sign();
}

bool AreCollinear(const Vec3& a, const Vec3& b, const Vec3& c,
                  bool* used_exact) {
  return Orient2d(a, b, c, 0, 1, used_exact) == 0 &&
         Orient2d(a, b, c, 1, 2, used_exact) == 0 &&
         Orient2d(a, b, c, 2, 0, used_exact) == 0;
}

}  // namespace orbox
