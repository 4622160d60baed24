// Light on surfaces: a shaded picture of them, by casting rays.
//
//   const DepthMap depth = Render(surface, colors, camera, options, canvas);
//
// Two lamps and an even light from all around, which what is near keeps off
// (ambient occlusion), fixed to the viewer. Four rays a pixel, sixteen where
// those do not agree. On all cores; the bytes depend neither on how many nor on
// the instruction set: nothing but sums, products, quotients and square roots.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_RENDER_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_RENDER_H_

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tools/orbox/picture/camera.h"
#include "tools/orbox/picture/canvas.h"
#include "tools/orbox/picture/color.h"
#include "tools/orbox/picture/surface.h"

namespace orbox::cli {

struct RenderOptions {
  size_t threads = 1;
  // Called with the share that is done, from any of the threads.
  std::function<void(double)> progress;
};

// How far away the surface is that a pixel shows: infinite where there is none.
class DepthMap {
 public:
  DepthMap(int width, int height);

  double at(int x, int y) const {
    return depths_[static_cast<size_t>(y) * width_ + x];
  }
  void Set(int x, int y, double depth) {
    depths_[static_cast<size_t>(y) * width_ + x] = depth;
  }
  // The farthest of the pixel and those around it: what is no farther than that
  // may show there. Pixels outside of the picture do not count.
  double FarthestAround(int x, int y) const;

 private:
  int width_;
  int height_;
  std::vector<double> depths_;
};

// Paints the canvas, which is empty. A colour for each triangle of the tree.
DepthMap Render(const Surface& surface, std::span<const Color> colors,
                const Camera& camera, const RenderOptions& options,
                Canvas& canvas);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_RENDER_H_
