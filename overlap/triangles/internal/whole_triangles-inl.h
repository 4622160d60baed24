// SPDX-License-Identifier: Apache-2.0

// A test if a triangle is a copy of another one. Compares the nine doubles as
// bits, a few at a time and without a branch. Serves leaves in which most
// triangles are copies.
//
//   const CopiesOf copies(t);
//   if (copies.Has(s)) ...               // like AreCopies (ray_search.h)
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_WHOLE_TRIANGLES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_WHOLE_TRIANGLES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_WHOLE_TRIANGLES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_WHOLE_TRIANGLES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"
#include "orbox/overlap/shapes/shapes.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Doubles 0 to 3, 4 to 7 and 5 to 8 of the triangle: together all nine.
struct WholeTriangle {
  static_assert(sizeof(Triangle) == 9 * sizeof(double));

  static HWY_INLINE WholeTriangle Of(const Triangle& t) {
    const auto* const p = reinterpret_cast<const double*>(&t);
    return {{D4::LoadU(p), D4::LoadU(p + 4), D4::LoadU(p + 5)}};
  }

  D4 part[3];
};

class CopiesOf {
 public:
  explicit CopiesOf(const Triangle& t) : whole_(WholeTriangle::Of(t)) {}

  HWY_INLINE bool Has(const Triangle& t) const {
    const WholeTriangle other = WholeTriangle::Of(t);
    return AllTrue(HaveSameBits(whole_.part[0], other.part[0]) &
                   HaveSameBits(whole_.part[1], other.part[1]) &
                   HaveSameBits(whole_.part[2], other.part[2]));
  }

 private:
  // +0 and -0 have different bits.
  static HWY_INLINE D4::Mask HaveSameBits(const D4& a, const D4& b) {
    const hn::RebindToUnsigned<D4::Tag> bits;
    D4::Mask same;
    for (size_t i = 0; i < D4::kParts; ++i) {
      same.part[i] = hn::RebindMask(
          D4::Tag(),
          hn::Eq(hn::BitCast(bits, a.part[i]), hn::BitCast(bits, b.part[i])));
    }
    return same;
  }

  const WholeTriangle whole_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_WHOLE_TRIANGLES_INL_H_
