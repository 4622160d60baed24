// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/text.h"

#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/base/config.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// Stand-in for the sink that Abseil passes to AbslStringify.
struct Sink {
  void Append(std::string_view s) { text += s; }
  std::string text;
};

template <typename T>
std::string Written(const T& value) {
  std::ostringstream out;
  out << value;
  Sink sink;
  AbslStringify(sink, value);
  EXPECT_EQ(sink.text, out.str());
#if ABSL_LTS_RELEASE_VERSION >= 20230125
  EXPECT_EQ(absl::StrCat(value), out.str());
#endif
  return out.str();
}

TEST(TextTest, ShapesAreWrittenAsTheyAreMade) {
  constexpr Vec3 kPoint{1, 2.5, -3};
  EXPECT_EQ(Written(kPoint), "(1, 2.5, -3)");
  EXPECT_EQ(Written(Vec3f{0.1f, 0, 1e30f}), "(0.1, 0, 1e+30)");
  EXPECT_EQ(Written(Sphere{kPoint, 0.1}), "Sphere{(1, 2.5, -3), 0.1}");
  EXPECT_EQ(Written(Spheref{{}, 2}), "Spheref{(0, 0, 0), 2}");
  EXPECT_EQ(Written(Aabb{{}, kPoint}), "Aabb{(0, 0, 0), (1, 2.5, -3)}");
  EXPECT_EQ(Written(Aabbf{}), "Aabbf{(0, 0, 0), (0, 0, 0)}");
  EXPECT_EQ(Written(Obb{.center = kPoint, .half_extents = {4, 5, 6}}),
            "Obb{(1, 2.5, -3), {(1, 0, 0), (0, 1, 0), (0, 0, 1)}, (4, 5, 6)}");
  EXPECT_EQ(Written(Obbf{}),
            "Obbf{(0, 0, 0), {(1, 0, 0), (0, 1, 0), (0, 0, 1)}, (0, 0, 0)}");
  EXPECT_EQ(Written(Triangle{{}, kPoint, {7, 8, 9}}),
            "Triangle{(0, 0, 0), (1, 2.5, -3), (7, 8, 9)}");
  EXPECT_EQ(Written(Segment{{}, kPoint}), "Segment{(0, 0, 0), (1, 2.5, -3)}");
  EXPECT_EQ(Written(Ray{kPoint, {0, 0, 1}}), "Ray{(1, 2.5, -3), (0, 0, 1)}");
  EXPECT_EQ(Written(Ray{kPoint, {0, 0, 1}, 0.5, 9, 7}),
            "Ray{(1, 2.5, -3), (0, 0, 1), 0.5, 9, 7}");
  EXPECT_EQ(Written(Pose::Translation({1, 2, 3})),
            "Pose{{(1, 0, 0), (0, 1, 0), (0, 0, 1)}, (1, 2, 3)}");
  EXPECT_EQ(Written(TrianglePair{7, 4294967295u}),
            "TrianglePair{7, 4294967295}");
}

TEST(TextTest, NumbersReadBackAsTheSameBits) {
  TriangleCases cases(TriangleKind::kRandom, 1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 v = cases.Gaussian() * std::ldexp(1.0, i * 2 - 1000);
    const std::string text = Written(v);
    const char* at = text.c_str();
    for (size_t k = 0; k < 3; ++k) {
      char* end = nullptr;
      EXPECT_EQ(std::strtod(at + 1, &end), v[k]) << text;
      at = end + 1;
    }
  }
}

TEST(TextTest, WhatIsNoNumberHasAName) {
  EXPECT_EQ(Written(Vec3{kInf, -kInf, -0.0}), "(inf, -inf, -0)");
  EXPECT_EQ(Written(Vec3{std::abs(std::nan("")), 0, 0}), "(nan, 0, 0)");
}

TEST(TextTest, TheLongestShapeFits) {
  constexpr double kLong = -1.2345678901234567e-300;
  constexpr Vec3 kAll{kLong, kLong, kLong};
  const std::string text = Written(Obb{kAll, {kAll, kAll, kAll}, kAll});
  EXPECT_EQ(text.back(), '}');
  EXPECT_LT(text.size(), ShapeText::kCapacity);
}

TEST(TextTest, WhatDoesNotFitIsLeftOut) {
  ShapeText text;
  for (int i = 0; i < 200; ++i) text.Add("12345");
  EXPECT_EQ(text.size(), ShapeText::kCapacity);
}

}  // namespace
}  // namespace orbox
