// SPDX-License-Identifier: Apache-2.0

// A triangle is clipped in barycentric coordinates. The corners of the simplex
// (u, v, w >= 0) stand for its vertices, and a half-space is the line u h(a) +
// v h(b) + w h(c) <= 0, where h = Dot(normal, .) - offset. In these coordinates
// a degenerate triangle is not special. A corner of the clipped polygon is the
// crossing of two lines, their cross product, so its coordinates do not grow
// with the number of cuts. One template runs on doubles, on doubles with an
// error bound, and on exact numbers.
#include "orbox/overlap/triangles/half_spaces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory_resource>
#include <optional>
#include <vector>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

// kUnknown: these numbers leave the sign undecided, also after overflow and for
// NaN.
enum class Sign { kNegative, kZero, kPositive, kUnknown };

Sign SignOf(double x) {
  if (x > 0) return Sign::kPositive;
  if (x < 0) return Sign::kNegative;
  return x == 0 ? Sign::kZero : Sign::kUnknown;
}
template <typename Number>
Sign SignOf(const Number& x) {
  const std::optional<int> sign = CertainSign(x);
  if (!sign) return Sign::kUnknown;
  if (*sign == 0) return Sign::kZero;
  return *sign > 0 ? Sign::kPositive : Sign::kNegative;
}

// The line of a half-space: the signed distances of the three vertices from its
// plane, times the length of its normal. They are positive outside the
// half-space.
template <typename Number>
using Line = BasicVec3<Number>;

template <typename Number>
Number HeightOf(const HalfSpace& h, const Vec3& p) {
  return Dot(exact::Lift<Number>(h.normal), exact::Lift<Number>(p)) -
         Number(h.offset);
}

template <typename Number>
Line<Number> LineOf(const HalfSpace& h, const Triangle& t) {
  return {HeightOf<Number>(h, t.a), HeightOf<Number>(h, t.b),
          HeightOf<Number>(h, t.c)};
}

// The part of the simplex inside the half-spaces: a convex polygon, which may
// be a segment or a point.
template <typename Number>
class ClippedTriangle {
 public:
  ClippedTriangle() {
    corners_.reserve(kMostUsual);
    kept_.reserve(kMostUsual);
    const Number zero{};
    const Number one = 1;
    const Number minus = zero - one;
    corners_.push_back({{one, zero, zero}, {zero, zero, minus}});
    corners_.push_back({{zero, one, zero}, {minus, zero, zero}});
    corners_.push_back({{zero, zero, one}, {zero, minus, zero}});
  }

  // Removes the part above the line. Returns false if a sign is undecided.
  bool Clip(const Line<Number>& line) {
    kept_.clear();
    const size_t n = corners_.size();
    Sign here = SignOf(Dot(line, corners_.front().point));
    for (size_t i = 0; i < n; ++i) {
      const Corner& corner = corners_[i];
      const Sign next =
          SignOf(Dot(line, corners_[i + 1 == n ? 0 : i + 1].point));
      if (here == Sign::kUnknown || next == Sign::kUnknown) return false;
      const bool leaves = next == Sign::kPositive;
      if (here == Sign::kNegative) {
        kept_.push_back(corner);
        if (leaves && !PushCrossing(corner.edge, line, line)) return false;
      } else if (here == Sign::kZero) {
        kept_.push_back(leaves ? Corner{corner.point, line} : corner);
      } else if (next == Sign::kNegative) {
        if (!PushCrossing(corner.edge, line, corner.edge)) return false;
      }
      here = next;
    }
    corners_.swap(kept_);
    return true;
  }

  bool IsEmpty() const { return corners_.empty(); }

  // Returns the sum of the corners, which is an inner point of the polygon,
  // times a constant.
  BasicVec3<Number> Middle() const {
    BasicVec3<Number> sum{};
    for (const Corner& c : corners_) sum += c.point;
    return sum;
  }

 private:
  // A corner of the polygon, and the line of the edge from this corner to the
  // next.
  struct Corner {
    BasicVec3<Number> point;
    Line<Number> edge;
  };
  // Enough for the corners of a triangle and a few cuts.
  static constexpr size_t kMostUsual = 10;

  // Adds the point in which the edge crosses the line, in coordinates with a
  // positive sum.
  bool PushCrossing(const Line<Number>& edge, const Line<Number>& line,
                    const Line<Number>& next_edge) {
    BasicVec3<Number> p = Cross(edge, line);
    const Sign weight = SignOf((p.x + p.y) + p.z);
    if (weight == Sign::kUnknown || weight == Sign::kZero) return false;
    if (weight == Sign::kNegative) p = BasicVec3<Number>{} - p;
    kept_.push_back({p, next_edge});
    return true;
  }

  // Declared first: it must outlive the vectors that it owns memory for.
  std::byte buffer_[2 * kMostUsual * sizeof(Corner)];
  std::pmr::monotonic_buffer_resource memory_{buffer_, sizeof buffer_};
  std::pmr::vector<Corner> corners_{&memory_};
  std::pmr::vector<Corner> kept_{&memory_};
};

enum class HalfSpacesVerdict { kNo, kYes, kUnknown };

// Tests only the vertices, each against all half-spaces. If `used` is given,
// pairs and sums of doubles decide signs that double leaves undecided. This
// helps if vertices are on a plane, for example if a model is cut along its
// faces.
HalfSpacesVerdict ByVertices(HalfSpaces set, const Triangle& t,
                             Arithmetic* used) {
  bool is_inside[3] = {true, true, true};
  for (const HalfSpace& h : set) {
    const Line<Bounded> line = LineOf<Bounded>(h, t);
    bool is_beyond = true;
    for (size_t i = 0; i < 3; ++i) {
      Sign sign = SignOf(line[i]);
      if (sign == Sign::kUnknown && used != nullptr) {
        sign = SignOf(HeightOf<LongBounded>(h, t[i]));
        if (sign == Sign::kUnknown) {
          *used = Arithmetic::kExpansion;
          sign = SignOf(HeightOf<Expansion>(h, t[i]));
        }
      }
      is_beyond = is_beyond && sign == Sign::kPositive;
      is_inside[i] =
          is_inside[i] && (sign == Sign::kNegative || sign == Sign::kZero);
    }
    if (is_beyond) return HalfSpacesVerdict::kNo;
  }
  return is_inside[0] || is_inside[1] || is_inside[2]
             ? HalfSpacesVerdict::kYes
             : HalfSpacesVerdict::kUnknown;
}

// Returns true if all vertices may be on one of the planes. In this case, a
// test of the vertices mostly decides.
bool LiesOnPlane(HalfSpaces set, const Triangle& t) {
  return std::any_of(set.begin(), set.end(), [&](const HalfSpace& h) {
    const Line<Bounded> line = LineOf<Bounded>(h, t);
    return SignOf(line.x) == Sign::kUnknown &&
           SignOf(line.y) == Sign::kUnknown && SignOf(line.z) == Sign::kUnknown;
  });
}

// Returns true if the point with these barycentric coordinates is certainly in
// all half-spaces. Requires coordinates that are not negative.
bool Holds(HalfSpaces set, const Triangle& t, const Vec3& coordinates) {
  const auto p = exact::Lift<Bounded>(coordinates);
  return std::all_of(set.begin(), set.end(), [&](const HalfSpace& h) {
    const Sign sign = SignOf(Dot(LineOf<Bounded>(h, t), p));
    return sign == Sign::kNegative || sign == Sign::kZero;
  });
}

// Proves an overlap by finding a common point: the middle of the clipped
// triangle. The triangle is clipped in plain doubles, without error bounds.
bool FindsPoint(HalfSpaces set, const Triangle& t) {
  ClippedTriangle<double> rest;
  for (const HalfSpace& h : set) {
    if (!rest.Clip(LineOf<double>(h, t)) || rest.IsEmpty()) return false;
  }
  const Vec3 middle = rest.Middle();
  return middle.x >= 0 && middle.y >= 0 && middle.z >= 0 &&
         Holds(set, t, middle);
}

template <typename Number>
HalfSpacesVerdict ByClipping(HalfSpaces set, const Triangle& t) {
  ClippedTriangle<Number> rest;
  for (const HalfSpace& h : set) {
    if (!rest.Clip(LineOf<Number>(h, t))) return HalfSpacesVerdict::kUnknown;
    if (rest.IsEmpty()) return HalfSpacesVerdict::kNo;
  }
  return HalfSpacesVerdict::kYes;
}

// Sets *overlap to the result for the rescaled shapes. Returns false if there
// is no better unit.
bool GetRescaled(HalfSpaces set, const Triangle& t, ArithmeticCounts* counts,
                 bool* overlap) {
  auto scaled = Rescaled<3>({t.a, t.b, t.c});
  if (!scaled.has_value()) return false;
  std::vector<HalfSpace> same(set.begin(), set.end());
  for (HalfSpace& h : same) h.offset = scaled->Scaled(h.offset);
  if (!scaled->is_exact()) return false;
  *overlap = Overlaps(HalfSpaces(same), scaled->At(0), counts);
  return true;
}

}  // namespace

bool IsValid(const HalfSpace& h) {
  return IsFinite(h.normal) && std::isfinite(h.offset);
}

bool Overlaps(HalfSpaces set, const Triangle& t, ArithmeticCounts* counts) {
  HalfSpacesVerdict answer = ByVertices(set, t, nullptr);
  Arithmetic used = Arithmetic::kDouble;
  if (answer == HalfSpacesVerdict::kUnknown && LiesOnPlane(set, t)) {
    answer = ByVertices(set, t, &used);
  }
  bool overlap = false;
  if (answer == HalfSpacesVerdict::kUnknown &&
      GetRescaled(set, t, counts, &overlap)) {
    return overlap;
  }
  if (answer == HalfSpacesVerdict::kUnknown && FindsPoint(set, t))
    answer = HalfSpacesVerdict::kYes;
  if (answer == HalfSpacesVerdict::kUnknown)
    answer = ByClipping<Bounded>(set, t);
  if (answer == HalfSpacesVerdict::kUnknown)
    answer = ByClipping<LongBounded>(set, t);
  if (answer == HalfSpacesVerdict::kUnknown) {
    used = Arithmetic::kExpansion;
    answer = ByClipping<Expansion>(set, t);
  }
  if (answer == HalfSpacesVerdict::kUnknown) {
    used = Arithmetic::kExact;
    answer = ByClipping<Exact>(set, t);
  }
  Count(used, counts);
  return answer == HalfSpacesVerdict::kYes;
}

}  // namespace orbox
