// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/winding_sum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <numbers>
#include <span>
#include <vector>

#include "orbox/bvh/query/inside/internal/solid_angle.h"
#include "orbox/overlap/triangles/predicates.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/inside/internal/winding_sum.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Beyond this distance, the solid angle of the whole tree is smaller than
// 2^-190.
inline constexpr double kFarFromTree = 0x1p100;

// Solid angles of the patches of a row, and bounds of their errors. An error is
// infinite if p is too near to the patch.
struct SeenPatches {
  alignas(64) double value[MomentRow::kColumns];
  alignas(64) double error[MomentRow::kColumns];
};

HWY_INLINE void SeenFrom(const MomentRow& row, const Vec3& p, size_t count,
                         SeenPatches* seen) {
  const D3 point = D3::Of(p);
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto at = [i](const double* column)
                        HWY_ATTR { return D::Load(column + i); };
    const D3 u = LoadLanes(row.center, i) - point;
    const D squared = Dot(u, u);
    const D rho = Sqrt(squared);
    // The factor exceeds the rounding of centers and radii.
    const D gap = rho - at(row.radius) * D(1 + 0x1p-40);
    // Powers of distances above this stay within the range of double.
    const DMask is_near = !(gap > D(0x1p-100));
    const DMask is_far = !(rho < D(kFarFromTree));
    const D inverse = D(1) / rho;
    const D r2 = inverse * inverse;
    const D r3 = r2 * inverse;
    const D r5 = r3 * r2;
    const D r7 = r5 * r2;
    const D xx = u.x * u.x;
    const D yy = u.y * u.y;
    const D zz = u.z * u.z;
    const auto& linear = row.linear;
    const D quadratic_form = at(linear[0]) * xx + at(linear[1]) * yy +
                             at(linear[2]) * zz + at(linear[3]) * (u.x * u.y) +
                             at(linear[4]) * (u.y * u.z) +
                             at(linear[5]) * (u.z * u.x);
    const auto& cubic = row.cubic;
    const D cubic_form =
        u.x * (at(cubic[0]) * xx + at(cubic[5]) * yy + at(cubic[7]) * zz) +
        u.y * (at(cubic[1]) * yy + at(cubic[3]) * xx + at(cubic[8]) * zz) +
        u.z * (at(cubic[2]) * zz + at(cubic[4]) * xx + at(cubic[6]) * yy) +
        at(cubic[9]) * (u.x * u.y * u.z);
    const D value =
        (Dot(u, LoadLanes(row.normal, i)) + at(row.divergence)) * r3 -
        (D(3) * quadratic_form + D(1.5) * Dot(u, LoadLanes(row.vector, i))) *
            r5 +
        D(7.5) * cubic_form * r7;
    // The m-th derivative of 1 / rho along any directions is at most m! /
    // rho^(m + 1). Along one direction it is a Legendre polynomial, and along
    // several it is no larger (Banach, 1938). The error is the fourth
    // derivative, three times along d and once along n, divided by 3!.
    const D gap2 = gap * gap;
    const D error = D(4) * at(row.third) / (gap2 * gap2 * gap);
    constexpr double kNone = std::numeric_limits<double>::infinity();
    ZeroOrSelect(is_near | is_far, value).Store(seen->value + i);
    ZeroOrSelect(is_far, Select(is_near, D(kNone), error))
        .Store(seen->error + i);
  }
}

// Sum of the solid angles of triangles in model units about `p`, in tree units,
// and `in_model`, the same point in model units. Columns up to the next
// multiple of kDoubleLanes must be valid triangles, too.
HWY_INLINE double SolidAngles(const TreeSpace& space, const Vec3& p,
                              const Vec3& in_model,
                              const TriangleColumns& columns, size_t count) {
  if (!(MaxCoordinate(Abs(p)) < kFarFromTree)) return 0;
  const D3 origin = D3::Of(space.origin);
  const D3 point = D3::Of(p);
  alignas(64) double re[kColumns];
  alignas(64) double im[kColumns];
  uint32_t flat = 0;
  uint32_t undecided = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto corner = [&](size_t row) HWY_ATTR {
      return (LoadLanes(columns.rows + row, i) - origin) * D(space.scale) -
             point;
    };
    const D3 a = corner(0);
    const D3 b = corner(3);
    const D3 c = corner(6);
    const D aa = Dot(a, a);
    const D bb = Dot(b, b);
    const D cc = Dot(c, c);
    const D la = Sqrt(aa);
    const D lb = Sqrt(bb);
    const D lc = Sqrt(cc);
    const D volume = Dot(a, Cross(b, c));
    const D rest =
        la * lb * lc + Dot(a, b) * lc + Dot(b, c) * la + Dot(c, a) * lb;
    const D size = Max(Abs(volume), Abs(rest));
    const D scale = D(1) / size;
    (rest * scale).Store(re + i);
    (volume * scale).Store(im + i);
    flat |= Bits(volume == D(0)) << i;
    // Rounding of corners and p, below 2^-51, changes the two numbers by less
    // than this. If both may be 0 or negative, p is over the triangle, and the
    // angle depends on the side.
    const D rounding = (la * lb + lb * lc + lc * la) * D(0x1p-48);
    // Also includes numbers so small that they, or their quotients, underflow.
    undecided |= Bits((Least(aa, bb, cc) < D(kNearCorner * kNearCorner)) |
                      (Abs(volume) < Max(size, D(1)) * D(0x1p-900)) |
                      ((Abs(volume) < rounding) & (rest < rounding)))
                 << i;
  }
  AngleSum sum;
  double others = 0;
  for (size_t i = 0; i < count; ++i) {
    if ((undecided >> i & 1) != 0) {
      const auto corner = [&](size_t row) {
        return Vec3{columns.rows[row][i], columns.rows[row + 1][i],
                    columns.rows[row + 2][i]};
      };
      const Triangle t{corner(0), corner(3), corner(6)};
      others += SolidAngle(
          p, {space.FromModel(t.a), space.FromModel(t.b), space.FromModel(t.c)},
          -Orient3d(t.a, t.b, t.c, in_model));
    } else if ((flat >> i & 1) == 0) {
      sum.Add(re[i], im[i]);
    }
  }
  return 2 * sum.Sum() + others;
}

// Winding number as a sum over patches that cover the surface. Refining
// replaces a patch by smaller ones.
class WindingSum {
 public:
  // `sought` is the permitted error of the sum.
  WindingSum(const WindingMoments& moments, const Vec3& p, double sought,
             TraversalStatistics* statistics)
      : tree_(moments.tree),
        rows_(moments.rows.data()),
        corners_(moments.tree.corners()),
        in_model_(p),
        p_(tree_.space().FromModel(p)),
        statistics_(statistics),
        small_(sought * (4 * std::numbers::pi / kUsual)) {
    patches_.reserve(kUsual);
    small_patches_.reserve(kUsual);
    SeenPatches root;
    SeenFrom(rows_[0], p_, 1, &root);
    AddPatch({Tree::kRoot, false, 0}, root.value[0], root.error[0]);
  }

  double value() const { return value_ * (0.25 * std::numbers::inv_pi); }
  double error() const { return error_ * (0.25 * std::numbers::inv_pi); }
  bool is_exact() const { return patches_.empty() && small_patches_.empty(); }

  // Replaces the patch with the largest error by its children.
  void Refine() {
    if (patches_.empty()) {
      patches_.swap(small_patches_);
      std::make_heap(patches_.begin(), patches_.end());
      small_ = -1;
    }
    std::pop_heap(patches_.begin(), patches_.end());
    const Patch patch = patches_.back();
    patches_.pop_back();
    value_ -= patch.value;
    error_ = is_exact() ? 0 : std::max(0.0, error_ - patch.error);
    Expand(patch.subtree);
  }

 private:
  struct Subtree {
    uint32_t index;  // of a node, or of a leaf
    bool is_leaf;
    int depth;
  };
  struct Patch {
    Subtree subtree;
    double value;
    double error;
    bool operator<(const Patch& other) const { return error < other.error; }
  };
  static constexpr size_t kUsual = 256;

  void AddPatch(const Subtree& subtree, double value, double error) {
    // Such a patch is useless, and adding its large numbers would leave
    // rounding errors in the sums.
    if (!(error < 1)) {
      Expand(subtree);
      return;
    }
    value_ += value;
    error_ += error;
    if (error <= small_) {
      small_patches_.push_back({subtree, value, error});
      return;
    }
    patches_.push_back({subtree, value, error});
    std::push_heap(patches_.begin(), patches_.end());
  }

  // The recursion is at most as deep as the tree.
  void Expand(const Subtree& subtree) {
    if (subtree.is_leaf) {
      AddTriangles(subtree.index);
      return;
    }
    const MomentRow& row = rows_[subtree.index];
    if (statistics_ != nullptr) {
      const auto kind = static_cast<size_t>(tree_.node(subtree.index).kind);
      VolumeStatistics& v = statistics_->volumes[subtree.depth][kind];
      ++v.nodes_visited;
      v.volume_tests += row.count;
      statistics_->leaf_box_tests += row.count - row.inner_count;
    }
    SeenPatches seen;
    SeenFrom(row, p_, row.count, &seen);
    for (uint32_t i = 0; i < row.count; ++i) {
      const bool is_leaf = i >= row.inner_count;
      AddPatch(
          {is_leaf ? row.first_leaf + i - row.inner_count : row.first_node + i,
           is_leaf, subtree.depth + 1},
          seen.value[i], seen.error[i]);
    }
  }

  void AddTriangles(uint32_t leaf) {
    const auto ids = tree_.leaf_ids(leaf);
    TriangleColumns columns;
    size_t count = 0;
    Triangle last;
    for (size_t k = 0; k < kLanes; ++k) {
      if (ids[k] == kNoTriangle) continue;
      last = corners_.empty() ? tree_.mesh().triangle(ids[k])
                              : corners_[kLanes * leaf + k];
      columns.Set(count++, last);
    }
    for (size_t k = count; k % kDoubleLanes != 0; ++k) columns.Set(k, last);
    value_ += SolidAngles(tree_.space(), p_, in_model_, columns, count);
    if (statistics_ == nullptr) return;
    ++statistics_->leaves_visited;
    statistics_->triangle_tests += count;
    statistics_->settled_by_double += count;
  }

  const Tree& tree_;
  const MomentRow* const rows_;
  const std::span<const Triangle> corners_;  // empty if the mesh is compact
  const Vec3 in_model_;
  const Vec3 p_;  // in tree units
  TraversalStatistics* const statistics_;
  double value_ = 0;
  double error_ = 0;
  // Patches with errors below this wait unsorted. Usually, the sum is precise
  // enough before they are needed.
  double small_;
  std::byte buffer_[2 * kUsual * sizeof(Patch)];
  std::pmr::monotonic_buffer_resource memory_{buffer_, sizeof buffer_};
  std::pmr::vector<Patch> patches_{&memory_};  // a heap by the error
  std::pmr::vector<Patch> small_patches_{&memory_};
};

double WindingLoop(const WindingMoments& moments, const Vec3& p,
                   double max_error, const Watch& watch) {
  WindingSum sum(moments, p, max_error, watch.statistics);
  Pulse pulse(watch);
  while (!sum.is_exact() && !(sum.error() <= max_error)) {
    pulse.Turn();
    sum.Refine();
  }
  return sum.value();
}

bool AboveHalfLoop(const WindingMoments& moments, const Vec3& p,
                   const Watch& watch) {
  constexpr double kInside = 0.5;
  WindingSum sum(moments, p, kInside, watch.statistics);
  Pulse pulse(watch);
  while (!sum.is_exact() && !(std::abs(sum.value() - kInside) > sum.error())) {
    pulse.Turn();
    sum.Refine();
  }
  return sum.value() > kInside;
}

void SeeLoop(std::span<const MomentRow> rows, const Vec3& p, double* numbers,
             double* errors) {
  constexpr double kScale = 0.25 * std::numbers::inv_pi;
  for (const MomentRow& row : rows) {
    SeenPatches seen;
    SeenFrom(row, p, MomentRow::kColumns, &seen);
    for (size_t i = 0; i < MomentRow::kColumns; ++i) {
      *numbers++ = seen.value[i] * kScale;
      *errors++ = seen.error[i] * kScale;
    }
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(WindingLoop);
HWY_EXPORT(AboveHalfLoop);
HWY_EXPORT(SeeLoop);

double WindingNumberAt(const WindingMoments& moments, const Vec3& p,
                       double max_error, const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(WindingLoop)(moments, p, max_error, watch);
}

bool IsWindingAboveHalf(const WindingMoments& moments, const Vec3& p,
                        const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(AboveHalfLoop)(moments, p, watch);
}

void SeePatches(std::span<const MomentRow> rows, const Vec3& p, double* numbers,
                double* errors) {
  ORBOX_DYNAMIC_DISPATCH(SeeLoop)(rows, p, numbers, errors);
}

}  // namespace orbox
#endif  // HWY_ONCE
