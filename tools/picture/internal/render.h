// SPDX-License-Identifier: Apache-2.0

// Renders a shaded picture of surfaces by casting rays.
//
//   const DepthMap depth = Render(surface, colors, camera, options, canvas);
//
// The light is that of two lamps, fixed relative to the viewer, and ambient
// light with ambient occlusion. A pixel takes four rays, or sixteen if those
// differ. Uses all threads. The bytes depend neither on the number of threads
// nor on the instruction set: only sums, products, quotients and square roots
// are used.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_RENDER_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_RENDER_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "tools/picture/internal/camera.h"
#include "tools/picture/internal/canvas.h"
#include "tools/picture/internal/surface.h"
#include "tools/picture/internal/surface_colors.h"

namespace orbox::picture {

struct RenderOptions {
  size_t threads = 1;
  // Called with the finished fraction of the work, from any thread.
  std::function<void(double)> progress = {};
};

// The depth of the surface at each pixel; infinite if there is none.
class DepthMap {
 public:
  DepthMap(int width, int height);

  double at(int x, int y) const {
    return depths_[static_cast<size_t>(y) * width_ + x];
  }
  void Set(int x, int y, double depth) {
    depths_[static_cast<size_t>(y) * width_ + x] = depth;
  }
  // Returns the largest depth of the pixel and its neighbours. A line nearer
  // than this may be visible there. Pixels outside of the picture do not count.
  double FarthestAround(int x, int y) const;

 private:
  int width_;
  int height_;
  std::vector<double> depths_;
};

// Paints the surface on an empty canvas. `colors` contains the colours of the
// tree's triangles. Within a pixel, a triangle has one colour.
DepthMap Render(const ShownSurface& surface, const SurfaceColors& colors,
                const Camera& camera, const RenderOptions& options,
                Canvas& canvas);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_RENDER_H_
