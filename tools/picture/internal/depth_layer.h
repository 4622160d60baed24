// SPDX-License-Identifier: Apache-2.0

// The nearest triangle at each sample of a picture.
//
//   DepthLayer layer(960, 720);
//   layer.Add(corners, /*body=*/3);   // x, y, depth
//
// The projection is parallel. Larger depths are nearer to the viewer.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_DEPTH_LAYER_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_DEPTH_LAYER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::picture {

struct DepthSample {
  float depth = -std::numeric_limits<float>::infinity();
  int32_t face = -1;  // -1 if no triangle covers it
};

// Data that all samples of a triangle share.
struct DepthFace {
  size_t body = 0;
  Vec3 normal;  // unit length, towards the viewer
};

class DepthLayer {
 public:
  // Starts without triangles. Surfaces nearer to the viewer than `nearest` are
  // omitted.
  DepthLayer(int width, int height, double nearest)
      : width_(width),
        height_(height),
        nearest_(static_cast<float>(nearest)),
        depths_(static_cast<size_t>(width) * height, DepthSample().depth),
        numbers_(depths_.size(), DepthSample().face) {}

  int width() const { return width_; }
  int height() const { return height_; }
  DepthSample at(int x, int y) const {
    const size_t i = static_cast<size_t>(y) * width_ + x;
    return {depths_[i], numbers_[i]};
  }

  // Returns the face of a covered sample.
  const DepthFace& face(const DepthSample& sample) const {
    return faces_[sample.face];
  }

  // Adds a triangle: x to the right and y down, in samples; z is the depth.
  // Triangles seen edge-on cover nothing.
  void Add(const std::array<Vec3, 3>& corners, size_t body);

 private:
  int width_;
  int height_;
  float nearest_;
  // The members of all DepthSamples, as separate arrays.
  std::vector<float> depths_;
  std::vector<int32_t> numbers_;
  std::vector<DepthFace> faces_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_DEPTH_LAYER_H_
