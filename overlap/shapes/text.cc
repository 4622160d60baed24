// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ostream>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

template <typename T>
void Add(ShapeText& text, const BasicVec3<T>& v) {
  text.Add("(").Add(v.x).Add(", ").Add(v.y).Add(", ").Add(v.z).Add(")");
}

void Add(ShapeText& text, double number) { text.Add(number); }
void Add(ShapeText& text, float number) { text.Add(number); }
void Add(ShapeText& text, uint64_t number) { text.Add(number); }

template <typename T>
void Add(ShapeText& text, const std::array<BasicVec3<T>, 3>& rows) {
  text.Add("{");
  for (size_t i = 0; i < 3; ++i) {
    Add(text, rows[i]);
    text.Add(i < 2 ? ", " : "}");
  }
}

// Returns the name of a type, followed by its members.
template <typename First, typename... Rest>
ShapeText Listed(const char* name, const First& first, const Rest&... rest) {
  ShapeText text;
  text.Add(name).Add("{");
  Add(text, first);
  ((text.Add(", "), Add(text, rest)), ...);
  return text.Add("}");
}

}  // namespace

ShapeText& ShapeText::Add(const char* text) {
  const size_t size = std::min(std::strlen(text), kCapacity - size_);
  std::copy_n(text, size, chars_ + size_);
  size_ += size;
  return *this;
}

template <typename T>
ShapeText& ShapeText::AddNumber(T number) {
  // The longest text of a double has 24 characters.
  char buffer[32];
  *std::to_chars(buffer, buffer + sizeof buffer - 1, number).ptr = '\0';
  return Add(buffer);
}

ShapeText& ShapeText::Add(double number) { return AddNumber(number); }
ShapeText& ShapeText::Add(float number) { return AddNumber(number); }
ShapeText& ShapeText::Add(uint64_t number) { return AddNumber(number); }

std::ostream& operator<<(std::ostream& out, const ShapeText& text) {
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

ShapeText TextOf(const Vec3& v) {
  ShapeText text;
  Add(text, v);
  return text;
}
ShapeText TextOf(const Vec3f& v) {
  ShapeText text;
  Add(text, v);
  return text;
}

ShapeText TextOf(const Sphere& s) {
  return Listed("Sphere", s.center, s.radius);
}
ShapeText TextOf(const Spheref& s) {
  return Listed("Spheref", s.center, s.radius);
}
ShapeText TextOf(const Aabb& b) { return Listed("Aabb", b.lo, b.hi); }
ShapeText TextOf(const Aabbf& b) { return Listed("Aabbf", b.lo, b.hi); }
ShapeText TextOf(const Obb& b) {
  return Listed("Obb", b.center, b.axes, b.half_extents);
}
ShapeText TextOf(const Obbf& b) {
  return Listed("Obbf", b.center, b.axes, b.half_extents);
}
ShapeText TextOf(const Triangle& t) {
  return Listed("Triangle", t.a, t.b, t.c);
}
ShapeText TextOf(const Segment& s) { return Listed("Segment", s.a, s.b); }
ShapeText TextOf(const Ray& r) {
  const bool is_limited =
      r.min_t != 0 || r.max_t != Ray().max_t || r.skip != Ray::kSkipNothing;
  return is_limited
             ? Listed("Ray", r.origin, r.direction, r.min_t, r.max_t, r.skip)
             : Listed("Ray", r.origin, r.direction);
}
ShapeText TextOf(const Pose& p) {
  return Listed("Pose", p.rows, p.translation);
}

}  // namespace orbox
