// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/internal/cut_away.h"

#include <algorithm>
#include <cmath>

namespace orbox {
namespace {

// Maximum depth of repeated cuts: one for each edge.
constexpr int kDeepest = 3;

// Largest remaining share of a triangle for which a cut is used.
constexpr double kMostLeft = 0.8;

double TwiceArea(const SampledCorners& t) {
  return Norm(Cross(t[1].point - t[0].point, t[2].point - t[0].point));
}

double SquaredLength(const Vec3& v) { return Dot(v, v); }

}  // namespace

CutAway::Corner CutAway::At(const Vec3& p) const {
  const PlainDistance near = PlainDistanceOf(p, near_);
  return {{p, near.distance, id_, DistanceSample::Known::kAtMost}, near};
}

bool CutAway::From(const SampledCorners& corners, const Vec3& middle) {
  Corners all;
  for (size_t i = 0; i < 3; ++i) {
    all[i] = {corners[i], PlainDistanceOf(corners[i].point, near_)};
    upper_ = std::max(upper_, all[i].near.distance);
  }
  if (upper_ <= enough_) return true;
  Cut(all, 0);
  if (is_uncut_) {
    // No point of the edges was found near enough. The points that are near
    // enough may be an island around the middle.
    const Corner island = At(middle);
    if (!IsIn(island)) return false;
    count_ = 0;
    for (size_t i = 0; i < 3; ++i) {
      Cut({island, all[i], all[(i + 1) % 3]}, kDeepest);
    }
  }
  if (count_ > kMost) return false;
  double left_area = 0;
  for (const SampledCorners& t : left()) left_area += TwiceArea(t);
  const double area = TwiceArea({all[0].sample, all[1].sample, all[2].sample});
  return left_area < kMostLeft * area;
}

void CutAway::Cut(const Corners& corners, int depth) {
  const bool is_in[3] = {IsIn(corners[0]), IsIn(corners[1]), IsIn(corners[2])};
  const int in = is_in[0] + is_in[1] + is_in[2];
  if (in == 3) return;
  if (in == 2) {
    const size_t out = is_in[0] ? (is_in[1] ? 2 : 1) : 0;
    const Corner& c = corners[out];
    Keep(c, LastIn(corners[(out + 1) % 3], c),
         LastIn(corners[(out + 2) % 3], c));
    return;
  }
  if (depth < kDeepest) {
    Corner found[3];
    bool has[3];
    int edges = 0;
    for (size_t i = 0; i < 3; ++i) {
      const size_t k = (i + 1) % 3;
      has[i] =
          !is_in[i] && !is_in[k] && FindIn(corners[i], corners[k], &found[i]);
      edges += has[i] ? 1 : 0;
    }
    if (edges == 3) {
      for (size_t i = 0; i < 3; ++i) {
        Cut({corners[i], found[i], found[(i + 2) % 3]}, kDeepest);
      }
      return;
    }
    for (size_t i = 0; i < 3; ++i) {
      if (!has[i]) continue;
      const size_t k = (i + 1) % 3;
      const size_t j = (i + 2) % 3;
      Cut({corners[i], found[i], corners[j]}, depth + 1);
      Cut({found[i], corners[k], corners[j]}, depth + 1);
      return;
    }
  }
  if (in == 0) {
    is_uncut_ = depth == 0;
    Keep(corners[0], corners[1], corners[2]);
    return;
  }
  const size_t i = is_in[0] ? 0 : (is_in[1] ? 1 : 2);
  const Corner& p = corners[(i + 1) % 3];
  const Corner& q = corners[(i + 2) % 3];
  const Corner to_p = LastIn(corners[i], p);
  const Corner to_q = LastIn(corners[i], q);
  // Divides along the shorter diagonal.
  if (SquaredLength(to_p.sample.point - q.sample.point) <
      SquaredLength(to_q.sample.point - p.sample.point)) {
    Keep(to_p, p, q);
    Keep(to_p, q, to_q);
  } else {
    Keep(to_p, p, to_q);
    Keep(p, q, to_q);
  }
}

bool CutAway::FindIn(const Corner& p, const Corner& q, Corner* in) const {
  const Vec3 a = p.sample.point;
  const Vec3 along = q.sample.point - a;
  const double square = SquaredLength(along);
  double t = 0.5;
  // Number of projections from the edge to the triangle and back.
  constexpr int kTimes = 3;
  for (int i = 0; i < kTimes; ++i) {
    *in = At(a + t * along);
    if (IsIn(*in)) return true;
    const double next =
        std::clamp(Dot(in->near.on - a, along) / square, 0.0, 1.0);
    // Also returns if `next` is NaN.
    if (!(std::abs(next - t) > 0x1p-6)) return false;
    t = next;
  }
  return false;
}

// Distances are convex along the edge, so a chord is above them and a tangent
// below.
CutAway::Corner CutAway::LastIn(const Corner& in, const Corner& out) const {
  const Vec3 a = in.sample.point;
  const Vec3 along = out.sample.point - a;
  Corner best = in;
  double low = 0;
  double high = 1;
  Corner beyond = out;
  constexpr int kTimes = 4;
  for (int i = 0; i < kTimes; ++i) {
    const double below = best.near.distance;
    const double above = beyond.near.distance;
    // Slightly less than `enough_`, because the end of the tangent is outside
    // the set.
    const double wanted = enough_ - (enough_ - below) * 0x1p-5;
    const double slope =
        Dot(beyond.sample.point - beyond.near.on, along) / above;
    const double chord =
        low + (high - low) * ((wanted - below) / (above - below));
    double t = high - (above - wanted) / slope;
    if (!(t > chord && t < high)) t = chord;
    if (!(t > low && t < high)) break;
    const Corner next = At(a + t * along);
    if (IsIn(next)) {
      const bool is_last = enough_ - next.near.distance <= 0x1p-3 * enough_;
      best = next;
      low = t;
      if (is_last) break;
    } else {
      beyond = next;
      high = t;
    }
  }
  return best;
}

void CutAway::Keep(const Corner& p, const Corner& q, const Corner& r) {
  if (count_ < kMost) left_[count_] = {p.sample, q.sample, r.sample};
  ++count_;
}

}  // namespace orbox
