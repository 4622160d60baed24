// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/lamps.h"

#include <algorithm>

namespace orbox::picture {
namespace {

double Power32(double x) {
  for (int i = 0; i < 5; ++i) x *= x;
  return x;
}

}  // namespace

Lamps::Lamps(const Camera& camera)
    : lamps_{{{Normalized(camera.right() * -0.45 + camera.up() * 0.75 +
                          camera.back() * 0.65),
               {0.62, 0.60, 0.56}},
              {Normalized(camera.right() * 0.85 + camera.up() * 0.1 +
                          camera.back() * 0.5),
               {0.17, 0.19, 0.23}}}},
      up_(camera.up()) {}

Color Lamps::LightOf(const Color& surface, const Vec3& normal,
                     const Vec3& towards_eye, double open) const {
  // More light from above than from below.
  const double around = (0.34 + 0.10 * Dot(normal, up_)) * open;
  Color light{around, around, around};
  double shine = 0;
  for (const Lamp& lamp : lamps_) {
    const double facing = std::max(0.0, Dot(normal, lamp.direction));
    light += lamp.light * (facing * (0.4 + 0.6 * open));
    const Vec3 between = lamp.direction + towards_eye;
    if (!(SquaredNorm(between) > 0)) continue;
    const double mirrored = std::max(0.0, Dot(normal, Normalized(between)));
    shine += 0.10 * lamp.light.x * Power32(mirrored) * open;
  }
  return {surface.x * light.x + shine, surface.y * light.y + shine,
          surface.z * light.z + shine};
}

}  // namespace orbox::picture
