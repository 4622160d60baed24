// SPDX-License-Identifier: Apache-2.0

// All sphere-box tests of Orbox, one per row. Tests and benchmarks iterate over
// the rows, so a new variant is one function and one line here.
//
//   for (const SphereAabbVariant& v : kSphereAabbVariants) {
//     Report(v.name, v.overlaps(ball, box));
//   }
//
// All rows take the float shapes of the paper. The tables are constant
// expressions: kSphereAabbVariants[i].overlaps with a constant i is inlined.
// Tests of one sphere against eight boxes are in separate tables; the traversal
// uses these tests.
#ifndef ORBOX_OVERLAP_BOXES_VARIANTS_H_
#define ORBOX_OVERLAP_BOXES_VARIANTS_H_

#include <cstdint>
#include <string_view>

#include "orbox/overlap/boxes/batch.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "orbox/overlap/boxes/sphere_sse.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

enum class Width {
  kScalar,
  kVector,  // the three axes in one register
  kEight,   // eight boxes in a register or two
};

// One row. The result of a row of eight boxes has box i as bit i. Let u =
// 2^-24, and d the distance from the centre to the box. Let M be the row's
// measure of size: for an AABB the largest coordinate of box and centre, for an
// OBB the 1-norm of the vector between the centres. The result of an exact row
// is correct if
//     |d - r| > u * (error_per_radius * r + error_per_size * M),
// and if squares neither overflow nor underflow. A conservative row accepts
// only if no axis is farther than r plus this error. The bounds are derived in
// sphere_aabb.h and sphere_obb.h.
template <typename Box, typename Result = bool>
struct SphereBoxVariant {
  std::string_view name;
  AnswerKind answer;
  Width width;
  Result (*overlaps)(const Spheref&, const Box&);
  double error_per_radius;
  double error_per_size;
};
using SphereAabbVariant = SphereBoxVariant<Aabbf>;
using SphereObbVariant = SphereBoxVariant<Obbf>;
using SphereEightAabbsVariant = SphereBoxVariant<AabbBlock<8>, uint32_t>;
using SphereEightObbsVariant = SphereBoxVariant<ObbBlock<8>, uint32_t>;

namespace internal {

// OverlapsSquaredDistance in double, for shapes in float.
inline bool OverlapsSquaredDistanceInDouble(const Spheref& s, const Aabbf& b) {
  return OverlapsSquaredDistance<double>(
      {{s.center.x, s.center.y, s.center.z}, s.radius},
      {{b.lo.x, b.lo.y, b.lo.z}, {b.hi.x, b.hi.y, b.hi.z}});
}

template <AnswerKind answer, typename Boxes>
uint32_t OverlapsEight(const Spheref& s, const Boxes& boxes) {
  return TestBlock(answer, s, boxes);
}

}  // namespace internal

// Ordered as in the paper's table 1, then the tests that are not in the table.
inline constexpr SphereAabbVariant kSphereAabbVariants[] = {
    {"Arvo", AnswerKind::kExact, Width::kScalar, OverlapsArvo<float>, 4, 0},
    {"QRI", AnswerKind::kExact, Width::kScalar, OverlapsQri<float>, 4, 0},
    {"QRF", AnswerKind::kExact, Width::kScalar, OverlapsQrf<float>, 4, 0},
    {"SSE", AnswerKind::kExact, Width::kVector, OverlapsSse, 4, 0},
    {"Cons", AnswerKind::kConservative, Width::kScalar,
     OverlapsConservative<float>, 4, 0},
    {"Cons SSE", AnswerKind::kConservative, Width::kVector,
     OverlapsConservativeSse, 4, 0},
    {"Branch-eliminated", AnswerKind::kExact, Width::kScalar,
     OverlapsBranchEliminated<float>, 4, 0},
    {"Folded", AnswerKind::kExact, Width::kScalar, OverlapsFolded<float>, 4,
     12},
    {"Squared distance", AnswerKind::kExact, Width::kScalar,
     internal::OverlapsSquaredDistanceInDouble, 0x1p-26, 0},
    {"27 zones", AnswerKind::kExact, Width::kScalar, OverlapsZones<float>, 4,
     0},
};

// Ordered as in the paper's table 2, then the tests that are not in the table.
inline constexpr SphereObbVariant kSphereObbVariants[] = {
    {"G-Arvo", AnswerKind::kExact, Width::kScalar, OverlapsArvo<float>, 4, 8},
    {"QRI", AnswerKind::kExact, Width::kScalar, OverlapsQri<float>, 4, 8},
    {"QRF", AnswerKind::kExact, Width::kScalar, OverlapsQrf<float>, 4, 8},
    {"SSE", AnswerKind::kExact, Width::kVector, OverlapsSse, 4, 8},
    {"Cons", AnswerKind::kConservative, Width::kScalar,
     OverlapsConservative<float>, 4, 40},
    {"Cons SSE", AnswerKind::kConservative, Width::kVector,
     OverlapsConservativeSse, 4, 40},
    {"Folded", AnswerKind::kExact, Width::kScalar, OverlapsFolded<float>, 4, 8},
};

// The tests of the boxes of a node and of a leaf. They are the functions that
// the traversal calls (internal/sphere_box_lanes-inl.h).
inline constexpr SphereEightAabbsVariant kSphereEightAabbsVariants[] = {
    {"1:8", AnswerKind::kExact, Width::kEight,
     internal::OverlapsEight<AnswerKind::kExact, AabbBlock<8>>, 4, 0},
    {"1:8 cons", AnswerKind::kConservative, Width::kEight,
     internal::OverlapsEight<AnswerKind::kConservative, AabbBlock<8>>, 4, 0},
};
inline constexpr SphereEightObbsVariant kSphereEightObbsVariants[] = {
    {"1:8", AnswerKind::kExact, Width::kEight,
     internal::OverlapsEight<AnswerKind::kExact, ObbBlock<8>>, 4, 8},
    {"1:8 cons", AnswerKind::kConservative, Width::kEight,
     internal::OverlapsEight<AnswerKind::kConservative, ObbBlock<8>>, 4, 40},
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_VARIANTS_H_
