// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/inside_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {
namespace {

// A sum of signed volumes of tetrahedra from one point to triangles.
class VolumeSum {
 public:
  explicit VolumeSum(const Aabb& bounds)
      : middle_(bounds.lo * 0.5 + bounds.hi * 0.5) {}

  void Add(const Triangle& t, int sign) {
    const Vec3 a = t.a - middle_;
    const Vec3 b = t.b - middle_;
    const Vec3 c = t.c - middle_;
    const double six = Dot(a, Cross(b, c));
    const Vec3 x = Abs(a);
    const Vec3 y = Abs(b);
    const Vec3 z = Abs(c);
    const double magnitude = x.x * (y.y * z.z + y.z * z.y) +
                             x.y * (y.z * z.x + y.x * z.z) +
                             x.z * (y.x * z.y + y.y * z.x);
    sum_ = Sum(sum_, {sign * six, 0});
    // Three differences, three products and four sums, each rounded; and the
    // sums of this error and of the volumes.
    error_ += magnitude * 0x1p-48;
  }

  double value() const { return sum_.hi / 6; }
  MeasureBounds Bounds() const {
    // A power of two, so that the sum is the middle of the bounds.
    int exponent = 0;
    std::frexp(error_ / 6 + std::abs(value()) * 0x1p-50 + 0x1p-1000, &exponent);
    const double error = std::ldexp(1.0, exponent);
    return {std::max(0.0, std::abs(value()) - error),
            std::abs(value()) + error};
  }

 private:
  const Vec3 middle_;
  DoubleDouble sum_;
  double error_ = 0;
};

InsideFacts FactsBy(const Tree& tree, const SurfaceSides& sides,
                    const MeasureError& error, const Execution& run) {
  InsideFacts facts{.is_closed = true, .do_faces_agree = true};
  const std::vector<Front> fronts = FrontsOf(tree, sides);
  VolumeSum all(tree.mesh().bounds());
  VolumeSum boundary(tree.mesh().bounds());
  for (uint32_t id = 0; id < fronts.size(); ++id) {
    const Triangle t = tree.mesh().triangle(id);
    all.Add(t, 1);
    if (fronts[id] == Front::kUnknown) {
      facts.meets_itself = true;
    } else if (!IsBoundary(fronts[id], InsideRule::kWinding)) {
      facts.has_walls = true;
    } else {
      boundary.Add(t, fronts[id] == Front::kZero ? 1 : -1);
    }
  }
  facts.looks_inward = all.value() < 0;
  facts.volume = facts.meets_itself
                     ? FindVolume(tree, tree, error, InsideRule::kWinding, run)
                     : boundary.Bounds();
  return facts;
}

}  // namespace

absl::StatusOr<InsideFacts> FactsOfInside(const Tree& tree,
                                          const MeasureError& error,
                                          const RunOptions& options) {
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return s;
  const auto find = [&]() -> absl::StatusOr<InsideFacts> {
    run.CheckCancelled();
    const mesh_internal::BoundaryShadow& edges =
        mesh_internal::BoundaryOf(tree.mesh(), Workers(1, PollOf(run)));
    if (!edges.do_faces_agree()) {
      return InsideFacts{.is_closed = edges.is_empty()};
    }
    const absl::StatusOr<SurfaceSides> sides =
        SurfaceSides::Create(tree.mesh());
    if (!sides.ok()) return sides.status();
    return FactsBy(tree, *sides, error, run);
  };
  return GuardMemory("for the edges and vertices of the mesh; split it", find);
}

}  // namespace orbox
