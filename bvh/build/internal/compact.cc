// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/compact.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/build/internal/detail_trees.h"

namespace orbox {
namespace {

constexpr int kMostSteps = 255;           // in a node's eight bits
constexpr double kMostLeafSteps = 65535;  // in a leaf's sixteen bits

// Returns the next larger value of so few bits that its products with eight-bit
// integers are exact.
float ShortStepAbove(double x) {
  constexpr uint32_t kDropped = 0xff;
  auto step = static_cast<float>(x);
  if (step < x) step = std::nextafter(step, std::numeric_limits<float>::max());
  const uint32_t bits = std::bit_cast<uint32_t>(step);
  return std::bit_cast<float>((bits + kDropped) & ~kDropped);
}

// Returns the value after expansion, equal bit for bit (tree/compact.h).
float ValueAt(float origin, float step, int steps) {
  return origin + step * static_cast<float>(steps);
}

// One axis of a block of boxes, lanes [0, kLanes).
class BoxAxis {
 public:
  BoxAxis(const float* lo, const float* hi) : lo_(lo), hi_(hi) {
    origin_ = *std::min_element(lo, lo + kLanes);
    const float end = *std::max_element(hi, hi + kLanes);
    step_ = ShortStepAbove((static_cast<double>(end) - origin_) / kMostSteps);
    // The sum may have been rounded down.
    while (ValueAt(origin_, step_, kMostSteps) < end) {
      step_ = ShortStepAbove(
          std::nextafter(step_, std::numeric_limits<float>::max()));
    }
  }

  float origin() const { return origin_; }
  float step() const { return step_; }

  // Lo returns the last step that is not above lo. Hi returns the first step
  // that is not below hi.
  uint8_t Lo(size_t lane) const {
    int steps = Near(lo_[lane]);
    while (steps > 0 && ValueAt(origin_, step_, steps) > lo_[lane]) --steps;
    return static_cast<uint8_t>(steps);
  }
  uint8_t Hi(size_t lane) const {
    int steps = Near(hi_[lane]);
    while (ValueAt(origin_, step_, steps) < hi_[lane]) ++steps;
    return static_cast<uint8_t>(steps);
  }

 private:
  int Near(float x) const {
    if (!(step_ > 0)) return 0;
    const double steps = (static_cast<double>(x) - origin_) / step_;
    return static_cast<int>(
        std::clamp(std::round(steps), 0.0, static_cast<double>(kMostSteps)));
  }

  const float* lo_;
  const float* hi_;
  float origin_;
  float step_;
};

void CompactBoxes(const Node& node, CompactNode* compact) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const BoxAxis box(node.rows[axis], node.rows[axis + 3]);
    compact->origin[axis] = box.origin();
    compact->step[axis] = box.step();
    for (size_t lane = 0; lane < kLanes; ++lane) {
      compact->rows[axis][lane] = box.Lo(lane);
      compact->rows[axis + 3][lane] = box.Hi(lane);
    }
  }
}

// Rounds centres to the nearest step, and enlarges radii by the distance that
// the centres move. Returns false if a radius then needs too many steps.
bool CompactSpheres(const Node& node, float step, CompactNode* compact) {
  for (float& s : compact->step) s = step;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    double squared = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const float origin = compact->origin[axis];
      const double center = node.rows[axis][lane];
      const double steps =
          step > 0 ? std::round((center - origin) / step) : 0.0;
      if (steps > kMostSteps) return false;
      compact->rows[axis][lane] = static_cast<uint8_t>(steps);
      const double moved =
          ValueAt(origin, step, compact->rows[axis][lane]) - center;
      squared += moved * moved;
    }
    // Enlarged by more than the rounding errors of this sum and product.
    const double radius =
        (node.rows[3][lane] + std::sqrt(squared)) * (1 + 0x1p-40);
    const double steps = step > 0 ? std::ceil(radius / step) : 0.0;
    if (steps > kMostSteps || steps * step < radius) return false;
    compact->rows[3][lane] = static_cast<uint8_t>(steps);
  }
  return true;
}

void CompactSpheres(const Node& node, CompactNode* compact) {
  double extent = *std::max_element(node.rows[3], node.rows[3] + kLanes);
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto [lo, hi] =
        std::minmax_element(node.rows[axis], node.rows[axis] + kLanes);
    compact->origin[axis] = *lo;
    extent = std::max(extent, static_cast<double>(*hi) - *lo);
  }
  // Radii may need two more steps than the extent.
  for (int most = kMostSteps - 2;; --most) {
    const float step = ShortStepAbove(extent / most);
    if (CompactSpheres(node, step, compact)) return;
  }
}

// Compresses a leaf. Sets *error to the largest error of a coordinate.
CompactLeaf CompactLeafOf(const Tree& tree, size_t index, double* error) {
  CompactLeaf compact = {};
  std::ranges::copy(tree.leaves()[index].ids, compact.ids);
  const std::span<const Triangle> corners =
      tree.corners().subspan(index * kLanes, kLanes);
  Vec3 points[kLanes][3];
  Aabb box;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (size_t corner = 0; corner < 3; ++corner) {
      const Vec3 p = tree.space().FromModel(corners[lane][corner]);
      points[lane][corner] = p;
      const bool is_first = lane + corner == 0;
      box.lo = is_first ? p : Min(box.lo, p);
      box.hi = is_first ? p : Max(box.hi, p);
    }
  }
  // Rounding the origin down to a multiple of the step uses one step of the
  // range. With steps below kLeastStep, a float could not represent coordinates
  // near 1 exactly.
  constexpr double kLeastStep = 0x1p-23;
  const double extent = MaxCoordinate(box.hi - box.lo);
  double step = kLeastStep;
  while (extent > (kMostLeafSteps - 1) * step) step *= 2;
  compact.step = static_cast<float>(step);
  double origin[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    origin[axis] = std::floor(box.lo[axis] / step) * step;
    compact.origin[axis] = static_cast<float>(origin[axis]);
  }
  for (size_t row = 0; row < std::size(compact.rows); ++row) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const double x = points[lane][row / 3][row % 3];
      compact.rows[row][lane] =
          static_cast<uint16_t>(std::round((x - origin[row % 3]) / step));
    }
  }
  *error = 0.5 * step;
  return compact;
}

}  // namespace

CompactNode CompactOf(const Node& node) {
  CompactNode compact = {};
  if (node.kind == VolumeKind::kSphere) {
    CompactSpheres(node, &compact);
  } else {
    CompactBoxes(node, &compact);
  }
  CopyLinks(node, compact);
  return compact;
}

Tree Compacted(const Tree& tree, const Workers& workers) {
  std::vector<CompactNode> nodes(tree.nodes().size());
  std::vector<CompactLeaf> leaves(tree.leaves().size());
  constexpr size_t kTaskSize = 1024;
  workers.For(nodes.size(), kTaskSize, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      nodes[i] = CompactOf(tree.nodes()[i]);
    }
  });
  std::vector<double> errors(leaves.size() / kTaskSize + 1, 0.0);
  workers.For(errors.size(), 1, [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; ++task) {
      const size_t last = std::min(leaves.size(), (task + 1) * kTaskSize);
      for (size_t i = task * kTaskSize; i < last; ++i) {
        double error = 0;
        leaves[i] = CompactLeafOf(tree, i, &error);
        errors[task] = std::max(errors[task], error);
      }
    }
  });
  TreeSpace space = tree.space();
  // The factor adds the rounding error of FromModel.
  space.leaf_error =
      *std::max_element(errors.begin(), errors.end()) * (1 + 0x1p-20);
  return Tree({.mesh = tree.mesh(),
               .space = space,
               .compact_nodes = std::move(nodes),
               .compact_leaves = std::move(leaves),
               .volumes = tree.volumes(),
               .depth = tree.depth(),
               .detail_trees =
                   MapDetailTrees(tree.detail_trees(), [&](const Tree& detail) {
                     return detail.storage() == Storage::kWide
                                ? Compacted(detail, workers)
                                : detail;
                   })});
}

}  // namespace orbox
