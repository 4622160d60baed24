// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/bvh/build/internal/choose_volume.h"
#include "orbox/bvh/build/internal/frame.h"
#include "orbox/bvh/build/internal/primitives.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/fill.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/build/internal/fit-inl.h"
#include "orbox/bvh/build/internal/frames-inl.h"
#include "orbox/bvh/build/internal/leaf_writer-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class TreeFiller {
 public:
  TreeFiller(const Mesh& mesh, const TreeSpace& space,
             const FillOptions& options, std::span<Node> nodes,
             std::span<Leaf> leaves, std::span<Triangle> corners,
             const Workers& workers)
      : writer_(mesh, space, leaves, corners),
        options_(options),
        nodes_(nodes),
        leaves_(leaves),
        workers_(workers) {}

  void Run() {
    const SurfaceMoments all = FillBelow(0).moments;
    Frames frames;
    if (needs_frames()) FindFrames(&all, 1, options_.few_candidates, &frames);
    FitVolumes(0, frames);
  }

 private:
  // If a node has at least this number of leaves below it, its children are
  // filled in parallel.
  static constexpr uint32_t kTask = 256;

  // If a node has at least this number of leaves below it, its boxes are fitted
  // in parallel. While the topmost nodes are fitted, the threads have no other
  // work.
  static constexpr uint32_t kLeavesToShare = 2048;

  // Boxes around about this many leaves are fitted first, to estimate the cost
  // of a frame.
  static constexpr uint32_t kLeavesToTry = 8;

  // In fast builds, nodes with more leaves below them have axis-aligned boxes.
  // Fitting oriented boxes to them would take a fifteenth of the build and
  // would not make queries faster. With 64 instead of 128, an overlap test of
  // two gears takes 1.4 times as many instructions.
  static constexpr uint32_t kLeavesToTurn = 128;

  bool needs_frames() const {
    return !options_.keep_frames && (options_.volumes == Volumes::kMixed ||
                                     options_.volumes == Volumes::kObb);
  }

  // Returns the candidate frames that have been computed.
  std::span<const Matrix3<float>> OfferedOf(const Frames& frames) const {
    return std::span(frames).subspan(options_.few_candidates ? kOfNormals : 0);
  }

  // Summary of a filled subtree.
  struct Summary {
    BoxRow box;
    SurfaceMoments moments;
  };

  // Calls work(i) for each inner child, from several threads if many leaves are
  // below them.
  template <typename Work>
  void ForEachInner(const Node& node, const Work& work) const {
    const auto run = [&work](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) work(static_cast<uint32_t>(i));
    };
    if (node.leaves_below >= kTask) {
      workers_.For(node.inner_count, 1, run);
    } else {
      run(0, node.inner_count);
    }
  }

  // Fills all leaves and nodes below nodes_[index]. Writes the rows of that
  // node as aligned boxes in tree space.
  Summary FillBelow(uint32_t index) const {
    Node& node = nodes_[index];
    if (node.leaves_below >= kTask) workers_.Poll();
    const uint32_t leaf_children = node.count - node.inner_count;
    const auto own_leaves = leaves_.subspan(node.first_leaf, leaf_children);
    for (Leaf& leaf : own_leaves) {
      const uint64_t used = writer_.Write(leaf);
      if (options_.progress != nullptr) options_.progress->Add(used);
    }

    std::array<SurfaceMoments, kLanes> moments;
    std::array<BoxRow, kLanes> boxes;
    ForEachInner(node, [&](uint32_t i) {
      const Summary child = FillBelow(node.first_node + i);
      moments[i] = child.moments;
      boxes[i] = child.box;
    });
    if (node.inner_count > 0) {
      std::array<Frames, kLanes> frames;
      if (needs_frames()) {
        FindFrames(moments.data(), node.inner_count, options_.few_candidates,
                   frames.data());
      }
      ForEachInner(node, [&](uint32_t i) {
        FitVolumes(node.first_node + i, frames[i]);
      });
    }
    Summary all{};
    all.box = WriteAlignedBoxes(own_leaves, boxes, node);
    if (needs_frames()) {
      if (leaf_children > 0) {
        all.moments = MomentsOf(own_leaves, options_.few_candidates);
      }
      for (uint32_t i = 0; i < node.inner_count; ++i) {
        all.moments.Add(moments[i]);
      }
    }
    return all;
  }

  // The leaves below each child.
  struct Children {
    std::array<std::span<const Leaf>, kLanes> leaves;
    size_t count;

    LeavesOfChildren span() const { return {leaves.data(), count}; }
  };
  Children ChildrenOf(const Node& node) const {
    Children children;
    children.count = node.count;
    for (uint32_t lane = 0; lane < node.count; ++lane) {
      if (lane < node.inner_count) {
        const Node& child = nodes_[node.first_node + lane];
        children.leaves[lane] =
            leaves_.subspan(child.first_leaf, child.leaves_below);
      } else {
        children.leaves[lane] =
            leaves_.subspan(node.first_leaf + lane - node.inner_count, 1);
      }
    }
    return children;
  }

  // Returns boxes around all corners below a node's children.
  BoxRows FitAll(const Node& node, const Children& children,
                 const Matrix3<float>& frame) const {
    return node.leaves_below < kLeavesToShare
               ? FitBoxes(children.span(), frame)
               : FitBoxesTogether(children.span(), frame, workers_);
  }

  // Writes the boxes of inner children, which are known, and fits boxes to the
  // leaves. Returns the box around all of them.
  static BoxRow WriteAlignedBoxes(std::span<const Leaf> own_leaves,
                                  const std::array<BoxRow, kLanes>& inner_boxes,
                                  Node& node) {
    std::array<std::span<const Leaf>, kLanes> single;
    for (size_t i = 0; i < own_leaves.size(); ++i) {
      single[i] = own_leaves.subspan(i, 1);
    }
    alignas(32) float rows[6][kLanes];
    BoxRow all;
    if (!own_leaves.empty()) {
      const BoxRows fitted = FitBoxes({single.data(), own_leaves.size()});
      if (node.inner_count == 0) {
        for (size_t k = 0; k < 3; ++k) {
          Store8(fitted.row[k], node.rows[k]);
          Store8(fitted.row[k + 3], node.rows[k + 3]);
          all.v[k] = LowestValue(fitted.row[k]);
          all.v[k + 4] = LowestValue(Zero8() - fitted.row[k + 3]);
        }
        return all;
      }
      for (size_t k = 0; k < 6; ++k) Store8(fitted.row[k], rows[k]);
    }
    for (size_t k = 0; k < 3; ++k) {
      float* const lo = node.rows[k];
      float* const hi = node.rows[k + 3];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if (lane < node.inner_count) {
          lo[lane] = inner_boxes[lane].lo(k);
          hi[lane] = inner_boxes[lane].hi(k);
        } else {
          const size_t leaf = lane - node.inner_count;
          lo[lane] = lane < node.count ? rows[k][leaf] : lo[0];
          hi[lane] = lane < node.count ? rows[k + 3][leaf] : hi[0];
        }
        all.v[k] = std::min(all.v[k], lo[lane]);
        all.v[k + 4] = std::min(all.v[k + 4], -hi[lane]);
      }
    }
    return all;
  }

  static void Write(VolumeKind kind, const Matrix3<float>& frame,
                    const BoxRows& rows, Node& node) {
    node.kind = kind;
    node.frame = frame;
    for (size_t k = 0; k < 6; ++k) Store8(rows.row[k], node.rows[k]);
  }

  // Returns the expected number of visits of the children, by the weights of
  // SteinerWeights.
  static double CostOfBoxes(const BoxRows& rows, const SteinerWeights& w,
                            size_t count) {
    const F8 x = rows.row[3] - rows.row[0];
    const F8 y = rows.row[4] - rows.row[1];
    const F8 z = rows.row[5] - rows.row[2];
    const F8 cost =
        x * y * z +
        (x * y + y * z + z * x) * Set8(static_cast<float>(w.of_half_surface)) +
        (x + y + z) * Set8(static_cast<float>(w.of_edges));
    alignas(32) float costs[kLanes];
    Store8(cost, costs);
    double sum = static_cast<double>(count) * w.constant;
    for (size_t i = 0; i < count; ++i) sum += costs[i];
    return sum;
  }

  // Returns lower bounds of the costs of balls around the children; 0 for
  // unused lanes. The diameter of a ball around a child is at least the longest
  // edge of the child's box.
  static std::array<double, kLanes> LeastCostsOfSpheres(const BoxRows& rows,
                                                        double r,
                                                        size_t count) {
    alignas(32) float edges[kLanes];
    Store8(Max(Max(rows.row[3] - rows.row[0], rows.row[4] - rows.row[1]),
               rows.row[5] - rows.row[2]),
           edges);
    std::array<double, kLanes> costs{};
    for (size_t i = 0; i < count; ++i) {
      costs[i] = DilatedSphereVolume(0.5 * edges[i], r);
    }
    return costs;
  }

  // Replaces the aligned boxes of the node with the chosen volumes.
  void FitVolumes(uint32_t index, const Frames& frames) const {
    Node& node = nodes_[index];
    if (options_.keep_frames) {
      FitAgain(node);
    } else {
      node.kind = VolumeKind::kAabb;
      node.frame = Matrix3<float>::Identity();
      ChooseVolumes(node, frames);
    }
  }

  // Fits the volumes again. Keeps the node's kind and frame.
  void FitAgain(Node& node) const {
    if (node.kind == VolumeKind::kAabb) return;
    const Children children = ChildrenOf(node);
    if (node.kind == VolumeKind::kSphere) {
      OfferSpheres(children, 0, {}, std::numeric_limits<double>::infinity(),
                   node);
      return;
    }
    const Matrix3<float> frame = node.frame;
    Write(VolumeKind::kObb, frame, FitAll(node, children, frame), node);
  }

  // Chooses the cheapest kind and frame.
  void ChooseVolumes(Node& node, const Frames& frames) const {
    const Volumes allowed = options_.volumes;
    if (allowed == Volumes::kAabb) return;
    if (allowed == Volumes::kMixed && options_.few_candidates &&
        node.leaves_below > kLeavesToTurn) {
      return;
    }
    const size_t count = node.count;
    BoxRows aligned;
    for (size_t k = 0; k < 6; ++k) aligned.row[k] = Load8(node.rows[k]);
    Vec3 edges;
    for (size_t k = 0; k < 3; ++k) {
      edges[k] =
          -static_cast<double>(LowestValue(Zero8() - aligned.row[k + 3])) -
          LowestValue(aligned.row[k]);
    }
    const double r = kRadiusShare * 0.5 * Norm(edges);
    const SteinerWeights weights(r);

    const Children children = ChildrenOf(node);
    double best = allowed == Volumes::kMixed
                      ? CostOfBoxes(aligned, weights, count)
                      : std::numeric_limits<double>::infinity();
    if (allowed != Volumes::kSphere) {
      const double extra = kObbTestCost * DilatedBoxVolume(edges, r);
      const size_t step = node.leaves_below / kLeavesToTry;
      const auto offer = [&](const Matrix3<float>& frame) HWY_ATTR {
        // Boxes around some leaves cost no more than boxes around all of them.
        // For most frames, the cost is already too high, so the frame is
        // rejected.
        if (step > 1) {
          const BoxRows some = FitSomeLeaves(children.span(), frame, step);
          if (!(CostOfBoxes(some, weights, count) + extra < best)) return;
        }
        const BoxRows rows = FitAll(node, children, frame);
        const double cost = CostOfBoxes(rows, weights, count) + extra;
        if (!(cost < best)) return;
        best = cost;
        Write(VolumeKind::kObb, frame, rows, node);
      };
      for (const Matrix3<float>& frame : OfferedOf(frames)) offer(frame);
      if (allowed == Volumes::kObb) offer(Matrix3<float>::Identity());
      if (options_.refine_frames) {
        Refine(children, weights, extra, &best, node);
      }
    }
    if (allowed == Volumes::kSphere) {
      OfferSpheres(children, r, {}, best, node);
    } else if (allowed == Volumes::kMixed && !options_.few_candidates) {
      OfferSpheres(children, r, LeastCostsOfSpheres(aligned, r, count), best,
                   node);
    }
  }

  // Rotates the node's boxes, which cost *best, by small angles as long as this
  // lowers the cost.
  void Refine(const Children& children, const SteinerWeights& weights,
              double extra, double* best, Node& node) const {
    Matrix3<float> frame = node.frame;
    double least = *best + (node.kind == VolumeKind::kAabb ? extra : 0);
    // Eight rounds find most of the gain. On scanned meshes, queries from far
    // away then visit 2 to 6 % fewer leaves.
    constexpr int kRounds = 8;
    double angle = 0.3;
    for (int round = 0; round < kRounds; ++round) {
      bool is_better = false;
      for (size_t axis = 0; axis < 3; ++axis) {
        for (const double sign : {-1.0, 1.0}) {
          // A rotation. The tangent of half its angle is t.
          const double t = 0.5 * sign * angle;
          const Matrix3<float> turned = Turned(
              frame, axis, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t));
          const BoxRows rows = FitAll(node, children, turned);
          const double cost =
              CostOfBoxes(rows, weights, children.count) + extra;
          if (!(cost < least)) continue;
          least = cost;
          frame = turned;
          is_better = true;
          if (cost < *best) {
            *best = cost;
            Write(VolumeKind::kObb, frame, rows, node);
          }
          break;
        }
      }
      if (!is_better) angle *= 0.5;
    }
  }

  // Replaces the node's volumes with balls if these cost less than `best`.
  // Requires that least_costs are lower bounds of the costs of balls. Returns
  // as soon as balls can no longer be the cheapest, which is mostly at once.
  static void OfferSpheres(const Children& children, double r,
                           const std::array<double, kLanes>& least_costs,
                           double best, Node& node) {
    // The factor keeps the sum of lower bounds below the exact sum in spite of
    // rounding.
    constexpr double kBelow = 1 - 0x1p-40;
    double rest = 0;  // lower bound for balls not fitted yet
    for (const double least : least_costs) rest += least;
    if (!(rest * kBelow < best)) return;
    alignas(32) float rows[4][kLanes];
    double cost = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (lane >= children.count) {
        for (auto& row : rows) row[lane] = row[0];
        continue;
      }
      const Spheref s = FitSphere(children.leaves[lane]);
      rows[0][lane] = s.center.x;
      rows[1][lane] = s.center.y;
      rows[2][lane] = s.center.z;
      rows[3][lane] = s.radius;
      cost += DilatedSphereVolume(s.radius, r);
      rest -= least_costs[lane];
      if (!((cost + rest) * kBelow < best)) return;
    }
    if (!(cost < best)) return;
    Write(VolumeKind::kSphere, Matrix3<float>::Identity(),
          {Load8(rows[0]), Load8(rows[1]), Load8(rows[2]), Load8(rows[3]),
           Zero8(), Zero8()},
          node);
  }

  const LeafWriter writer_;
  const FillOptions& options_;
  const std::span<Node> nodes_;
  const std::span<Leaf> leaves_;
  const Workers& workers_;
};

void FillTreeLoop(const Mesh& mesh, const TreeSpace& space,
                  const FillOptions& options, std::span<Node> nodes,
                  std::span<Leaf> leaves, std::span<Triangle> corners,
                  const Workers& workers) {
  TreeFiller(mesh, space, options, nodes, leaves, corners, workers).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FillTreeLoop);

void FillTree(const Mesh& mesh, const TreeSpace& space,
              const FillOptions& options, std::span<Node> nodes,
              std::span<Leaf> leaves, std::span<Triangle> corners,
              const Workers& workers) {
  ORBOX_DYNAMIC_DISPATCH(FillTreeLoop)
  (mesh, space, options, nodes, leaves, corners, workers);
}

}  // namespace orbox
#endif  // HWY_ONCE
