// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/primitives.h"

#include <cstddef>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/primitives.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Writes primitives [begin, end) of the triangles with these ids. If `ids` is
// empty, ids are positions in the mesh.
void PrimitivesLoop(const Mesh& mesh, std::span<const uint32_t> ids,
                    const TreeSpace& space, size_t begin, size_t end,
                    std::span<Primitive> primitives) {
  const std::span<const Vec3> vertices = mesh.vertices();
  const std::span<const TriangleIndices> triangles = mesh.triangles();
  const D4 origin = LoadPoint(space.origin);
  const D4 scale = space.scale;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t id = ids.empty() ? static_cast<uint32_t>(i) : ids[i];
    const TriangleIndices& t = triangles[id];
    const D4 a = LoadPoint(vertices[t[0]]);
    const D4 b = LoadPoint(vertices[t[1]]);
    const D4 c = LoadPoint(vertices[t[2]]);
    const D4 lo = (Least(a, b, c) - origin) * scale;
    const D4 hi = (Largest(a, b, c) - origin) * scale;
    Store8(Joined(ToFloat(lo), -ToFloat(hi)), primitives[i].box.v);
    primitives[i].set_id(id);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(PrimitivesLoop);

void WritePrimitives(const Mesh& mesh, std::span<const uint32_t> ids,
                     const TreeSpace& space, const Workers& workers,
                     std::span<Primitive> primitives) {
  constexpr size_t kTaskSize = 4096;
  workers.For(primitives.size(), kTaskSize, [&](size_t begin, size_t end) {
    workers.Poll();
    ORBOX_DYNAMIC_DISPATCH(PrimitivesLoop)
    (mesh, ids, space, begin, end, primitives);
  });
}

}  // namespace orbox
#endif  // HWY_ONCE
