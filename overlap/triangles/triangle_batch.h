// SPDX-License-Identifier: Apache-2.0

// Which of eight triangles does a shape meet, or come near, and how near?
//
//   const TriangleBlock leaf(triangles);            // once; up to eight
//   uint32_t met = TestBlock(ball, leaf);           // bit i: triangle i
//   uint32_t near = TestBlockWithin(s, leaf, 0.1);  // distance <= 0.1
//   std::array<double, 8> d;
//   uint32_t measured = DistancesToBlock(p, leaf, 0.1, d);
//
// Every answer is the exact one of the given doubles, that of the scalar
// function of triangle_overlap.h or triangle_distance.h for each triangle, and
// so the same on every instruction set. Every finite input is legal, whatever
// its magnitude; degenerate triangles are handled as what they are. Touching
// counts as overlap. Bits beyond the block's size are 0. Pure and thread-safe;
// nothing allocates.
//
// Eight lanes of float with certified bounds settle the triangles that are
// clearly apart or clearly met; only the others cost the scalar function. The
// block keeps its triangles about their common centre and scaled to about 1, so
// float resolves them wherever the model is. Making a block costs 80 ns; a
// call for all eight 35 to 140 ns where they lie beside the shape. Against one
// at a time that is 1.2 to 4 times less for spheres and triangles, up to 12
// times where distances beyond the limit are spared, and no gain for an AABB,
// whose scalar test is as quick (batch_bench, AVX-512).
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_BATCH_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_BATCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class ORBOX_EXPORT TriangleBlock {
 public:
  static constexpr size_t kCapacity = 8;

  // Requires at most kCapacity triangles, all finite; copies them. More end the
  // program with a message.
  explicit TriangleBlock(std::span<const Triangle> triangles);

  size_t size() const { return size_; }
  const Triangle& operator[](size_t i) const { return triangles_[i]; }

  // The triangles less `origin`, times `scale` (a power of two): within 1 of 0
  // on each axis, and rounded to float. Rows a.x, a.y, a.z, b.x, ..., c.z.
  struct Frame {
    Vec3 origin;
    double scale = 1;
    alignas(32) float rows[9][kCapacity] = {};
  };
  const Frame& frame() const { return frame_; }

 private:
  size_t size_;
  std::array<Triangle, kCapacity> triangles_;
  Frame frame_;
};

ORBOX_EXPORT uint32_t TestBlock(const Triangle& s, const TriangleBlock& block);
ORBOX_EXPORT uint32_t TestBlock(const Sphere& ball, const TriangleBlock& block);
ORBOX_EXPORT uint32_t TestBlock(const Aabb& box, const TriangleBlock& block);

// Whose distance is at most `distance`: not negative, infinity is legal.
ORBOX_EXPORT uint32_t TestBlockWithin(const Vec3& p, const TriangleBlock& block,
                                      double distance);
ORBOX_EXPORT uint32_t TestBlockWithin(const Triangle& s,
                                      const TriangleBlock& block,
                                      double distance);

// The same mask; distances[i] is the distance, correctly rounded, of each
// triangle in it, and infinity for all others.
ORBOX_EXPORT uint32_t
DistancesToBlock(const Vec3& p, const TriangleBlock& block, double limit,
                 std::span<double, TriangleBlock::kCapacity> distances);
ORBOX_EXPORT uint32_t
DistancesToBlock(const Triangle& s, const TriangleBlock& block, double limit,
                 std::span<double, TriangleBlock::kCapacity> distances);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_BATCH_H_
