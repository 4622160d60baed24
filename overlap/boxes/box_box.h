// SPDX-License-Identifier: Apache-2.0

// Overlap tests for two boxes.
//
//   if (Overlaps(box, other)) ...           // two AABBs: exact
//   if (OverlapsSat(box, oriented)) ...     // 15 axes
//   if (OverlapsSatLite(oriented, o2)) ...  // 6 axes: cheaper, less sharp
//
// Pure templates on float or double. They require valid shapes, and count
// touching as overlap. Two AABBs are compared coordinate by coordinate, which
// is exact.
//
// With an oriented box, the result is conservative: a negative result is
// certain, a positive one may be wrong. OverlapsSat tests the 15 candidates for
// a separating axis (Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996). Its
// positive result is wrong only if the gap between the boxes is within the
// rounding margin. OverlapsSatLite tests only the 6 face normals (van den
// Bergen, "Efficient collision detection of complex deformable models using
// AABB trees", journal of graphics tools 2:4, 1997). Its positive result is
// also wrong for boxes that only the product of two edges separates. If a
// quarter of the pairs overlap, a tenth of its positive results are wrong; if
// more overlap, fewer are. Cost: 25 to 50 ns, and 15 to 25 ns for SAT lite
// (box_box_bench).
//
// The margin. Let u be the unit roundoff, a_i and b_j the axes, h and k the
// half extents, t the vector between the centres, and r_ij = a_i . b_j as
// computed. A separation along any vector proves the boxes apart, so the cross
// product of a_i and b_j need not be exact. The code uses L = r_pj a_q - r_qj
// a_p instead, with p and q the other two axes of a: exactly this vector, for
// the computed r. If the axes are nearly parallel, L and both sides of the test
// are small, and the margin decides: such an axis never separates.
//
// The axes of a box are orthonormal to within 19u (IsValid and its own
// rounding), and the box is the solid bounded by its slabs. So its extent along
// a unit vector differs from that of a perfect box by less than 3 * 19u per
// half extent along a face normal, and 19 * 19u across (6 * 19u for the
// cofactor of r, 9 * 19u for its determinant, 3 * 19u for the solid, and 8u for
// rounding r). The projections of t are off by at most 4.1u |t|_1 each, and the
// sums add less than 20u. Together this is less than 400u times the sum of all
// half extents and |t|_1. The margin is 512u times that. The smallest normal
// number in the sum covers underflow. An overflow makes the margin infinite,
// and the result positive.
#ifndef ORBOX_OVERLAP_BOXES_BOX_BOX_H_
#define ORBOX_OVERLAP_BOXES_BOX_BOX_H_

#include <cmath>
#include <cstddef>
#include <limits>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

template <typename T>
constexpr bool Overlaps(const BasicAabb<T>& a, const BasicAabb<T>& b);

template <typename T>
bool OverlapsSat(const BasicObb<T>& a, const BasicObb<T>& b);
template <typename T>
bool OverlapsSat(const BasicAabb<T>& a, const BasicObb<T>& b);

template <typename T>
bool OverlapsSatLite(const BasicObb<T>& a, const BasicObb<T>& b);
template <typename T>
bool OverlapsSatLite(const BasicAabb<T>& a, const BasicObb<T>& b);

// Implementation details from here on.

namespace internal {

// Two boxes, each given in the frame of the other.
template <typename T>
struct RelativeBoxes {
  T r[3][3];        // r[i][j] = a's axis i . b's axis j
  BasicVec3<T> ta;  // from a's centre to b's, along a's axes
  BasicVec3<T> tb;  // from a's centre to b's, along b's axes
  BasicVec3<T> ha;
  BasicVec3<T> hb;
  T margin;
};

template <typename T>
T SumOfCoordinates(const BasicVec3<T>& v) {
  return v.x + v.y + v.z;
}

template <typename T>
T SatMargin(const BasicVec3<T>& t, const BasicVec3<T>& ha,
            const BasicVec3<T>& hb) {
  return 256 * std::numeric_limits<T>::epsilon() *
         (SumOfCoordinates(ha) + SumOfCoordinates(hb) +
          SumOfCoordinates(Abs(t)) + std::numeric_limits<T>::min());
}

template <typename T>
RelativeBoxes<T> Relate(const BasicObb<T>& a, const BasicObb<T>& b) {
  RelativeBoxes<T> rel;
  const BasicVec3<T> t = b.center - a.center;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = Dot(a.axes[i], b.axes[j]);
  }
  rel.ta = {Dot(t, a.axes[0]), Dot(t, a.axes[1]), Dot(t, a.axes[2])};
  rel.tb = {Dot(t, b.axes[0]), Dot(t, b.axes[1]), Dot(t, b.axes[2])};
  rel.ha = a.half_extents;
  rel.hb = b.half_extents;
  rel.margin = SatMargin(t, rel.ha, rel.hb);
  return rel;
}

// The AABB is moved to the OBB's centre before its own centre is computed. So
// rounding errors are relative to the distance and size of the boxes, not to
// their distance from the origin.
template <typename T>
RelativeBoxes<T> Relate(const BasicAabb<T>& a, const BasicObb<T>& b) {
  RelativeBoxes<T> rel;
  const BasicAabb<T> moved{b.center - a.hi, b.center - a.lo};
  const BasicVec3<T> t = moved.Center();
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = b.axes[j][i];
  }
  rel.ta = t;
  rel.tb = {Dot(t, b.axes[0]), Dot(t, b.axes[1]), Dot(t, b.axes[2])};
  rel.ha = moved.HalfExtents();
  rel.hb = b.half_extents;
  rel.margin = SatMargin(t, rel.ha, rel.hb);
  return rel;
}

// Returns true if none of the six face normals separates the boxes. Tests for
// "greater", so that a NaN, which only an overflow produces, does not separate
// them.
template <typename T>
bool MeetAlongFaces(const RelativeBoxes<T>& rel) {
  for (size_t i = 0; i < 3; ++i) {
    T reach = rel.ha[i] + rel.margin;
    for (size_t j = 0; j < 3; ++j) reach += rel.hb[j] * std::abs(rel.r[i][j]);
    if (std::abs(rel.ta[i]) > reach) return false;
  }
  for (size_t j = 0; j < 3; ++j) {
    T reach = rel.hb[j] + rel.margin;
    for (size_t i = 0; i < 3; ++i) reach += rel.ha[i] * std::abs(rel.r[i][j]);
    if (std::abs(rel.tb[j]) > reach) return false;
  }
  return true;
}

// Returns true if none of the nine products of an edge of a and an edge of b
// separates the boxes.
template <typename T>
bool MeetAcrossEdges(const RelativeBoxes<T>& rel) {
  for (size_t i = 0; i < 3; ++i) {
    const size_t p = (i + 1) % 3;
    const size_t q = (i + 2) % 3;
    for (size_t j = 0; j < 3; ++j) {
      const size_t j1 = (j + 1) % 3;
      const size_t j2 = (j + 2) % 3;
      const T gap = rel.ta[q] * rel.r[p][j] - rel.ta[p] * rel.r[q][j];
      const T reach = rel.ha[p] * std::abs(rel.r[q][j]) +
                      rel.ha[q] * std::abs(rel.r[p][j]) +
                      rel.hb[j1] * std::abs(rel.r[i][j2]) +
                      rel.hb[j2] * std::abs(rel.r[i][j1]) + rel.margin;
      if (std::abs(gap) > reach) return false;
    }
  }
  return true;
}

}  // namespace internal

template <typename T>
constexpr bool Overlaps(const BasicAabb<T>& a, const BasicAabb<T>& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y &&
         b.lo.y <= a.hi.y && a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

template <typename T>
bool OverlapsSat(const BasicObb<T>& a, const BasicObb<T>& b) {
  const internal::RelativeBoxes<T> rel = internal::Relate(a, b);
  return internal::MeetAlongFaces(rel) && internal::MeetAcrossEdges(rel);
}

template <typename T>
bool OverlapsSat(const BasicAabb<T>& a, const BasicObb<T>& b) {
  const internal::RelativeBoxes<T> rel = internal::Relate(a, b);
  return internal::MeetAlongFaces(rel) && internal::MeetAcrossEdges(rel);
}

template <typename T>
bool OverlapsSatLite(const BasicObb<T>& a, const BasicObb<T>& b) {
  return internal::MeetAlongFaces(internal::Relate(a, b));
}

template <typename T>
bool OverlapsSatLite(const BasicAabb<T>& a, const BasicObb<T>& b) {
  return internal::MeetAlongFaces(internal::Relate(a, b));
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_BOX_BOX_H_
