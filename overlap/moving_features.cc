#include "orbox/overlap/moving_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orbox {
namespace {

// A number and what bounds its error: with m for the same sum of products of
// magnitudes, it is within kRelative m + kTiny. Of cubics, each term has three
// differences of coordinates for factors (u each), two products, and at most
// six additions (u each), and m itself is rounded: 16 u = 2^-49 would do. Each
// product may underflow by 2^-1075, and coordinates are off by 2^-1074, times
// at most a few hundred.
struct Bounded {
  double v = 0;
  double m = 0;
};
constexpr double kRelative = 0x1p-48;
constexpr double kTiny = 0x1p-1000;

Bounded operator+(const Bounded& a, const Bounded& b) {
  return {a.v + b.v, a.m + b.m};
}
Bounded operator-(const Bounded& a, const Bounded& b) {
  return {a.v - b.v, a.m + b.m};
}
Bounded operator*(const Bounded& a, const Bounded& b) {
  return {a.v * b.v, a.m * b.m};
}

// sum of c[i] (1-t)^(kDegree-i) t^i: Bernstein coefficients, each times its
// binomial, whose products are plain convolutions.
template <size_t kDegree>
struct Form {
  std::array<Bounded, kDegree + 1> c;
};

template <size_t kA, size_t kB>
Form<kA + kB> operator*(const Form<kA>& a, const Form<kB>& b) {
  Form<kA + kB> product;
  for (size_t i = 0; i <= kA; ++i) {
    for (size_t j = 0; j <= kB; ++j) {
      product.c[i + j] = product.c[i + j] + a.c[i] * b.c[j];
    }
  }
  return product;
}
template <size_t kDegree>
Form<kDegree> operator+(Form<kDegree> a, const Form<kDegree>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] + b.c[i];
  return a;
}
template <size_t kDegree>
Form<kDegree> operator-(Form<kDegree> a, const Form<kDegree>& b) {
  for (size_t i = 0; i <= kDegree; ++i) a.c[i] = a.c[i] - b.c[i];
  return a;
}

template <size_t kDegree>
using FormVec = std::array<Form<kDegree>, 3>;

FormVec<1> Difference(const MovingPoint& p, const MovingPoint& q) {
  FormVec<1> d;
  for (size_t k = 0; k < 3; ++k) {
    const double from = p.from[k] - q.from[k];
    const double to = p.to[k] - q.to[k];
    d[k].c = {{{from, std::abs(from)}, {to, std::abs(to)}}};
  }
  return d;
}

FormVec<2> Cross(const FormVec<1>& a, const FormVec<1>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

Form<3> Dot(const FormVec<2>& a, const FormVec<1>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A polynomial by its Bernstein coefficients on [0, 1], all of whose values
// there, also those of its blossom, come out within `error`.
template <size_t kDegree>
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(const Form<kDegree>& form) {
    double largest = 0;
    double magnitude = 0;
    for (size_t i = 0; i <= kDegree; ++i) {
      // 1 and kDegree are all the binomials there are up to cubics.
      const double binomial = i == 0 || i == kDegree ? 1 : kDegree;
      b_[i] = form.c[i].v / binomial;
      largest = std::max(largest, std::abs(b_[i]));
      magnitude = std::max(magnitude, form.c[i].m / binomial);
    }
    // Values are convex combinations of coefficients; each of the three levels
    // rounds by at most three units of the largest.
    constexpr double kLevels = 0x1p-49;
    error_ = kRelative * magnitude + kLevels * largest + kTiny;
  }

  // The sign where it is certain, else 0.
  int SignAt(double t) const { return SignOf(Blossom(t, t, t)); }

  // The coefficients' common sign on [lo, hi], and so that of all values there,
  // where it is certain; else 0.
  int SignOn(double lo, double hi) const {
    const std::array<double, kDegree + 1> c = On(lo, hi);
    const int sign = SignOf(c[0]);
    for (size_t i = 1; i <= kDegree; ++i) {
      if (SignOf(c[i]) != sign) return 0;
    }
    return sign;
  }

  // Whether there certainly is one root between lo and hi, and no other.
  bool HasOneRoot(double lo, double hi) const requires(kDegree == 3) {
    const std::array<double, 4> c = On(lo, hi);
    const int first = SignOf(c[0]);
    if (first * SignOf(c[3]) >= 0) return false;
    // One change of sign, whatever the inner ones are, unless the second may
    // have gone over and the third come back.
    return SignOf(c[1]) == first || SignOf(c[2]) == -first;
  }

 private:
  int SignOf(double value) const {
    return value > error_ ? 1 : (value < -error_ ? -1 : 0);
  }

  // The symmetric multiaffine map whose diagonal is the polynomial.
  double Blossom(double r, double s, double t) const {
    std::array<double, kDegree + 1> c = b_;
    const std::array<double, 3> at{r, s, t};
    for (size_t level = 0; level < kDegree; ++level) {
      const double x = at[level];
      const double y = 1 - x;
      for (size_t i = 0; i + level < kDegree; ++i) {
        c[i] = c[i] * y + c[i + 1] * x;
      }
    }
    return c[0];
  }

  std::array<double, kDegree + 1> On(double lo, double hi) const {
    if constexpr (kDegree == 2) {
      return {Blossom(lo, lo, 0), Blossom(lo, hi, 0), Blossom(hi, hi, 0)};
    } else {
      return {Blossom(lo, lo, lo), Blossom(lo, lo, hi), Blossom(lo, hi, hi),
              Blossom(hi, hi, hi)};
    }
  }

  std::array<double, kDegree + 1> b_{};
  double error_ = 0;
};

enum class Side { kOutside, kOpen, kInside };

// Whether features that are in one plane have a point in common, by the areas
// of triangles in it, seen along each axis.
class Areas {
 public:
  explicit Areas(const MovingFeatures& f) : kind_(f.kind) {
    const auto& p = f.points;
    if (kind_ == FeatureKind::kCornerFace) {
      count_ = 3;
      Set(0, p[1], p[2], p[0]);
      Set(1, p[2], p[3], p[0]);
      Set(2, p[3], p[1], p[0]);
    } else {
      count_ = 4;
      Set(0, p[0], p[1], p[2]);
      Set(1, p[0], p[1], p[3]);
      Set(2, p[2], p[3], p[0]);
      Set(3, p[2], p[3], p[1]);
    }
  }

  // At all times from lo to hi at which they are in one plane.
  Side On(double lo, double hi) const {
    Side side = Side::kOpen;
    for (size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 4> signs{};
      for (size_t i = 0; i < count_; ++i) {
        signs[i] = areas_[i][axis].SignOn(lo, hi);
      }
      const Side seen = kind_ == FeatureKind::kCornerFace ? CornerSide(signs)
                                                          : EdgeSide(signs);
      if (seen == Side::kOutside) return seen;
      if (seen == Side::kInside) side = seen;
    }
    return side;
  }

 private:
  static Side CornerSide(const std::array<int, 4>& signs) {
    const int least = std::min({signs[0], signs[1], signs[2]});
    const int most = std::max({signs[0], signs[1], signs[2]});
    if (least < 0 && most > 0) return Side::kOutside;
    return least > 0 || most < 0 ? Side::kInside : Side::kOpen;
  }

  // Each edge's ends on different sides of the other.
  static Side EdgeSide(const std::array<int, 4>& signs) {
    const int first = signs[0] * signs[1];
    const int second = signs[2] * signs[3];
    if (first > 0 || second > 0) return Side::kOutside;
    return first < 0 && second < 0 ? Side::kInside : Side::kOpen;
  }

  void Set(size_t i, const MovingPoint& a, const MovingPoint& b,
           const MovingPoint& p) {
    const FormVec<2> area = Cross(Difference(b, a), Difference(p, a));
    for (size_t axis = 0; axis < 3; ++axis) {
      areas_[i][axis] = Polynomial<2>(area[axis]);
    }
  }

  FeatureKind kind_;
  size_t count_ = 0;
  std::array<std::array<Polynomial<2>, 3>, 4> areas_;
};

Polynomial<3> VolumeOf(const MovingFeatures& f) {
  const auto& p = f.points;
  if (f.kind == FeatureKind::kCornerFace) {
    return Polynomial<3>(
        Dot(Cross(Difference(p[2], p[1]), Difference(p[3], p[1])),
            Difference(p[0], p[1])));
  }
  return Polynomial<3>(
      Dot(Cross(Difference(p[1], p[0]), Difference(p[3], p[2])),
          Difference(p[2], p[0])));
}

// Not the middle, where times that people choose often are.
double Between(double lo, double hi) { return lo + 0.484375 * (hi - lo); }

// The last time after `lo` and before `hi` at which the sign is certainly
// `sign`, by halving, where it is at lo and is not certain at hi.
double LastCertain(const Polynomial<3>& f, double lo, double hi, int sign) {
  for (int i = 0; i < 60; ++i) {
    const double mid = Between(lo, hi);
    if (mid == lo || mid == hi) break;
    (f.SignAt(mid) == sign ? lo : hi) = mid;
  }
  return lo;
}

// The only root in [lo, hi], at whose ends signs are certain and differ.
FeatureContact Tighten(const Polynomial<3>& f, double lo, double hi,
                       double tolerance) {
  const int sign = f.SignAt(lo);
  while (hi - lo > tolerance) {
    const double mid = Between(lo, hi);
    const int here = f.SignAt(mid);
    if (here == 0) {
      lo = LastCertain(f, lo, mid, sign);
      hi = LastCertain(f, hi, mid, -sign);
      break;
    }
    (here == sign ? lo : hi) = mid;
  }
  const bool is_tight = hi - lo <= tolerance;
  return {is_tight ? FeatureVerdict::kContact : FeatureVerdict::kOpen, lo, hi};
}

}  // namespace

FeatureContact ContactInDouble(const MovingFeatures& features, double max_t,
                               double tolerance) {
  const Polynomial<3> volume = VolumeOf(features);
  if (volume.SignOn(0, 1) != 0) return {};
  const Areas areas(features);

  // What is left to search, its earliest part last. Parts shorter than this
  // hold what double cannot tell apart.
  constexpr double kShortest = 0x1p-24;
  struct Part {
    double lo;
    double hi;
  };
  std::array<Part, 64> left;  // a part halved some 25 times, one half at a time
  size_t count = 0;
  left[count++] = {0, 1};
  while (count != 0) {
    const auto [lo, hi] = left[--count];
    if (lo > max_t) return {};
    if (volume.SignOn(lo, hi) != 0) continue;
    const Side side = areas.On(lo, hi);
    if (side == Side::kOutside) continue;
    if (side == Side::kInside && volume.HasOneRoot(lo, hi)) {
      return Tighten(volume, lo, hi, tolerance);
    }
    if (hi - lo < kShortest) return {FeatureVerdict::kOpen, lo, 1};
    const double mid = Between(lo, hi);
    left[count++] = {mid, hi};
    left[count++] = {lo, mid};
  }
  return {};
}

}  // namespace orbox
