// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/palette.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"
#include "tools/picture/color.h"

namespace orbox::picture {
namespace {

// CIE lightness, 0 to 100.
double LightnessOf(const Color& c) {
  const double y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

// A colour as seen by people without green receptors (Viénot, Brettel, Mollon,
// "Digital video colourmaps for checking the legibility of displays by
// dichromats", 1999).
Color WithoutGreen(const Color& c) {
  const double yellow = 0.29275 * c.x + 0.70725 * c.y;
  return {yellow, yellow, -0.02234 * c.x + 0.02234 * c.y + c.z};
}

TEST(ColorTest, BytesComeBack) {
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(ByteOf(LinearOf(static_cast<uint8_t>(byte))), byte);
  }
  EXPECT_EQ(HexOf(FromHex(0x12fe80)), 0x12fe80U);
  EXPECT_EQ(ByteOf(-1), 0);
  EXPECT_EQ(ByteOf(2), 255);
}

TEST(ColorMapTest, LightnessGrowsEvenlyForAllEyes) {
  constexpr int kSteps = 16;
  const double range = LightnessOf(MapColor(1)) - LightnessOf(MapColor(0));
  EXPECT_GT(range, 60);
  for (int i = 0; i < kSteps; ++i) {
    const Color from = MapColor(i / 16.0), to = MapColor((i + 1) / 16.0);
    const double step = LightnessOf(to) - LightnessOf(from);
    EXPECT_GT(step, 0.5 * range / kSteps) << i;
    EXPECT_LT(step, 1.6 * range / kSteps) << i;
    EXPECT_GT(LightnessOf(WithoutGreen(to)),
              LightnessOf(WithoutGreen(from)) + 1)
        << i;
  }
}

TEST(ColorMapTest, EndsAreWhereTheyAre) {
  EXPECT_EQ(HexOf(MapColor(0)), 0x440154U);
  EXPECT_EQ(HexOf(MapColor(1)), 0xfde725U);
  EXPECT_EQ(MapColor(-3), MapColor(0));
  EXPECT_EQ(MapColor(7), MapColor(1));
}

// Other colours of a picture cannot be taken for a distance: they are far from
// all of the map's.
TEST(ColorMapTest, OtherColoursAreNoDistances) {
  for (const uint32_t other : {kColorOfA, kColorOfB, kColorOfMeeting}) {
    const Color c = FromHex(other);
    for (int i = 0; i <= 100; ++i) {
      const Color m = MapColor(i / 100.0);
      double squared = 0;
      for (size_t k = 0; k < 3; ++k) {
        const double d = std::sqrt(c[k]) - std::sqrt(m[k]);
        squared += d * d;
      }
      EXPECT_GT(std::sqrt(squared), 0.25) << std::hex << other << " " << i;
    }
  }
}

}  // namespace
}  // namespace orbox::picture
