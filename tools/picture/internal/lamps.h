// SPDX-License-Identifier: Apache-2.0

// The lamps of a picture, fixed to the viewer: a main lamp from the upper left,
// a weaker one from the right, and ambient light.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_LAMPS_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_LAMPS_H_

#include <array>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/color.h"
#include "tools/picture/internal/camera.h"

namespace orbox::picture {

class Lamps {
 public:
  explicit Lamps(const Camera& camera);

  // Returns the light of a surface with this colour and openness (openness.h).
  // Requires unit vectors.
  Color LightOf(const Color& surface, const Vec3& normal,
                const Vec3& towards_eye, double open) const;

 private:
  struct Lamp {
    Vec3 direction;  // towards it
    Color light;
  };

  std::array<Lamp, 2> lamps_;
  Vec3 up_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_LAMPS_H_
