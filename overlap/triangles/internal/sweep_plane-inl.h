// SPDX-License-Identifier: Apache-2.0

// Times until which triangles are certainly behind a plane that a moving ball
// reaches. Computes a register of triangles at a time.
//
//   alignas(64) double until[kColumns];
//   FreeUntil(plane, columns, count, until);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/point_columns-inl.h"
#include "orbox/overlap/triangles/internal/sweep_plane.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Writes, for each of the first `count` triangles, a time until which the ball
// certainly does not touch it. The time is below 0 if nothing is known. Columns
// up to the next multiple of kDoubleLanes must also contain triangles. Requires
// a plane that is known.
void FreeUntil(const SweepPlane& plane, const TriangleColumns& columns,
               size_t count, double (&until)[kColumns]);

// Implementation.

// The gap to the ball is computed at `time`. Until the plane is reached, it
// shrinks by at most `fast` per unit of time. Backward in time, it grows by at
// least `slow`. The last two roundings are within 2^-51 of 1 and of the
// quotient.
HWY_INLINE D FreeUntil(const SweepPlane& plane, const TriangleOf<D>& t) {
  const D3 start = D3::Of(plane.start);
  const D3 normal = D3::Of(plane.normal);
  const D scale = plane.scale;
  const D3 corners[3] = {(t.a - start) * scale, (t.b - start) * scale,
                         (t.c - start) * scale};
  D foremost = Dot(normal, corners[0]);
  D size = 2;
  for (const D3& corner : corners) {
    foremost = Max(foremost, Dot(normal, corner));
    size = Max(size, Max(Max(Abs(corner.x), Abs(corner.y)), Abs(corner.z)));
  }
  const D error = size * D(kSweepError);
  const D gap = ((D(plane.level) - foremost) - D(plane.radius)) - error;
  const D fast = error - D(plane.along);
  const D slow = D(-plane.along) - error;
  const DMask is_ahead = gap > 0;
  const D way = gap / Select(is_ahead, fast, slow);
  const D until = (D(plane.time) + way) - (Abs(way) + D(1)) * D(0x1p-50);
  return Select(slow > 0, until, D(-1));
}

HWY_INLINE void FreeUntil(const SweepPlane& plane,
                          const TriangleColumns& columns, size_t count,
                          double (&until)[kColumns]) {
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto corner = [&](size_t row) HWY_ATTR {
      return LoadLanes(columns.rows + row, i);
    };
    FreeUntil(plane, TriangleOf<D>{corner(0), corner(3), corner(6)})
        .Store(until + i);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SWEEP_PLANE_INL_H_
