// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/palette.h"

#include <array>
#include <cstddef>

namespace orbox::picture {
namespace {

// "Viridis" by Smith and van der Walt (2015, in the public domain by CC0), at
// even steps.
constexpr std::array<uint32_t, 17> kSteps = {
    0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
    0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73,
    0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};

}  // namespace

Color MapColor(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kSteps.size() - 1);
  const size_t step =
      std::min(static_cast<size_t>(place), size_t{kSteps.size() - 2});
  // Interpolates bytes, because the map is perceptually even in them.
  const Color from = FromHex(kSteps[step]);
  const Color to = FromHex(kSteps[step + 1]);
  const double t = place - static_cast<double>(step);
  Color color;
  for (size_t i = 0; i < 3; ++i) {
    const double v = std::sqrt(from[i]) * (1 - t) + std::sqrt(to[i]) * t;
    color[i] = v * v;
  }
  return color;
}

}  // namespace orbox::picture
