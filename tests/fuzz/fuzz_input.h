// SPDX-License-Identifier: Apache-2.0

// Turns bytes into meshes, shapes, poses and options: mostly into valid ones,
// and close to where answers change. Meshes are of any size in the range of
// models (range.h), also at both of its ends, and are at times beyond it. All
// bytes are valid; zeros follow their end.
//
//   FuzzInput in(bytes);
//   const std::optional<Mesh> mesh = in.SmallMesh(60);
//   const Vec3 p = in.PointNear(*mesh);
//   const double r = in.LengthNear(*mesh, p);
#ifndef ORBOX_TESTS_FUZZ_FUZZ_INPUT_H_
#define ORBOX_TESTS_FUZZ_FUZZ_INPUT_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/fuzz/require.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {

class FuzzInput {
 public:
  // The first byte chooses a scale and a place, which all numbers then share,
  // and whether some are of any size, for which exact arithmetic takes long.
  explicit FuzzInput(std::string_view bytes);

  bool is_at_end() const { return bytes_.empty(); }
  bool is_wild() const { return is_wild_; }
  uint8_t Byte();
  uint64_t Bits();
  // Below `bound`, which is 1 to 256.
  size_t Below(size_t bound) { return Byte() % bound; }

  // Mostly a small whole number of units; at times any double.
  double Number();
  Vec3 Point() {
    const double x = Number(), y = Number(), z = Number();
    return {x, y, z};
  }
  // A number of this input's scale; in a wild input a finite double, with each
  // exponent as likely as another, most often of the range of models.
  double AnyFinite();
  // A small whole vector of any length, which may be zero.
  Vec3 Direction();

  // The point, most often moved into the range of models if it is beyond.
  // Coordinates that are read as 0 stay.
  Vec3 MostlyInRange(const Vec3& p);
  // A point that a mesh can have for a vertex.
  Vec3 Vertex();

  // Between 1 and `most` triangles, with shared corners, duplicates, needles,
  // segments, points, and detail far smaller than the rest; or a closed shape
  // with some corners moved. Returns nothing if it would have no triangles or a
  // vertex out of range, which `Mesh::Create` reports.
  std::optional<Mesh> SmallMesh(size_t most);
  BuildOptions Options();
  Pose AnyPose();

  // A corner, a point of a triangle, near, or far away; finite, as queries
  // require.
  Vec3 PointNear(const Mesh& mesh) {
    const Vec3 p = AnyPointNear(mesh);
    return IsFinite(p) ? p : Vec3{};
  }
  // Zero, a distance that just reaches, or just not, or any; may be infinite,
  // not negative, as queries require.
  double LengthNear(const Mesh& mesh, const Vec3& p) {
    const double length = AnyLengthNear(mesh, p);
    return length >= 0 ? length : 0;
  }
  Obb BoxNear(const Mesh& mesh);

  // The double above or below, or the same.
  double Nudged(double x);

 private:
  using Corners = std::vector<Vec3>;
  using Faces = std::vector<TriangleIndices>;

  Vec3 AnyPointNear(const Mesh& mesh);
  double AnyLengthNear(const Mesh& mesh, const Vec3& p);
  void AddTriangle(Corners& corners, Faces& faces);
  uint32_t AddCorner(Corners& corners);
  std::optional<Mesh> Soup(size_t most);
  Mesh ClosedShape();
  static std::optional<Mesh> Made(const Corners& corners, const Faces& faces);

  std::string_view bytes_;
  double unit_ = 1;
  double place_ = 0;
  bool is_wild_ = false;
};

// Implementation.

inline FuzzInput::FuzzInput(std::string_view bytes) : bytes_(bytes) {
  // With the last two, 8 units and an eighth of one are the range's ends.
  constexpr int kExponents[] = {0,  0,   0,   0,  0,    0,   0,    -10,
                                20, -20, -40, 60, -150, 150, -197, 197};
  static_assert(kLargestCoordinate == 0x1p197 * 8);
  static_assert(kSmallestCoordinate == 0x1p-197 / 8);
  const uint8_t choice = Byte();
  unit_ = std::ldexp(1.0, kExponents[choice % 16]);
  constexpr double kPlaces[] = {0, 0, 0, 1, 0x1p20, 0x1p40, 0, -0x1p20};
  if (choice % 16 != 15) place_ = kPlaces[choice / 16 % 8] * unit_;
  // Few are enough: they take ten times as long as the others together.
  is_wild_ = choice % 16 == 6;
}

inline uint8_t FuzzInput::Byte() {
  if (bytes_.empty()) return 0;
  const auto byte = static_cast<uint8_t>(bytes_.front());
  bytes_.remove_prefix(1);
  return byte;
}

inline uint64_t FuzzInput::Bits() {
  uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | Byte();
  return bits;
}

inline double FuzzInput::AnyFinite() {
  const uint64_t bits = Bits();
  if (!is_wild_) return std::ldexp(static_cast<double>(bits), -60) * unit_;
  auto x = std::bit_cast<double>(bits);
  if (!std::isfinite(x)) x = std::bit_cast<double>(bits >> 2);
  if (bits % 8 == 0) return x;
  // From just below 2^-200 to 2^200.
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(mantissa, exponent * 25 / 128);
}

inline Vec3 FuzzInput::MostlyInRange(const Vec3& p) {
  if (!IsBeyond(p) || Below(32) == 0) return p;
  Vec3 held;
  for (size_t i = 0; i < 3; ++i) {
    held[i] = std::isnan(p[i])
                  ? 0
                  : std::clamp(p[i], -kLargestCoordinate, kLargestCoordinate);
  }
  return held;
}

inline Vec3 FuzzInput::Vertex() {
  const Vec3 p = MostlyInRange(Point());
  return IsBeyond(p) ? Vec3{} : TinyAsZero(p);
}

inline double FuzzInput::Number() {
  const uint8_t byte = Byte();
  const int whole = static_cast<int>(byte % 16) - 8;
  switch (byte / 16) {
    case 15:
      return AnyFinite();
    case 14: {  // of float's precision
      const auto x = static_cast<double>(static_cast<int32_t>(Bits() >> 40));
      return place_ + x * 0x1p-20 * unit_;
    }
    case 13:
      return Nudged(place_ + whole * unit_);
    case 12:
      return place_ + whole / 7.0 * unit_;
    case 11:
      return place_ + whole * 0.125 * unit_;
    default:
      return place_ + whole * unit_;
  }
}

inline double FuzzInput::Nudged(double x) {
  switch (Below(3)) {
    case 0:
      return std::nextafter(x, -kInf);
    case 1:
      return std::nextafter(x, kInf);
    default:
      return x;
  }
}

inline Vec3 FuzzInput::Direction() {
  Vec3 d;
  for (size_t i = 0; i < 3; ++i) {
    d[i] = static_cast<double>(static_cast<int>(Below(9)) - 4);
  }
  switch (Below(4)) {
    case 0:
      return d * unit_;
    case 1:
      return d * 0x1p-30;
    case 2:
      return {Nudged(d.x), Nudged(d.y), Nudged(d.z)};
    default:
      return d;
  }
}

inline uint32_t FuzzInput::AddCorner(Corners& corners) {
  const auto any = [&] { return corners[Below(corners.size())]; };
  Vec3 p;
  switch (corners.empty() ? 0 : Below(9)) {
    case 5:
    case 6: {  // in line with two others, between them or beyond
      const Vec3 a = any();
      const Vec3 b = any();
      p = Below(2) == 0 ? a * 0.5 + b * 0.5 : b + (b - a);
      break;
    }
    case 7:
      p = any();
      p[Below(3)] = Number();
      break;
    case 4: {
      p = any();
      double& x = p[Below(3)];
      x = Nudged(x);
      break;
    }
    case 8:  // detail
      p = any() +
          Direction() * std::ldexp(unit_, -static_cast<int>(Below(100)));
      break;
    default:
      p = Point();
  }
  corners.push_back(MostlyInRange(p));
  return static_cast<uint32_t>(corners.size() - 1);
}

inline void FuzzInput::AddTriangle(Corners& corners, Faces& faces) {
  const auto corner = [&] {
    return corners.empty() ? AddCorner(corners)
                           : static_cast<uint32_t>(Below(corners.size()));
  };
  TriangleIndices t{};
  const size_t choice = Below(9);
  switch (choice) {
    case 0:
    case 1:
      for (uint32_t& i : t) i = AddCorner(corners);
      break;
    case 2:
    case 3:
    case 4: {  // a neighbour
      const size_t n = corners.size();
      if (n < 2) {
        for (uint32_t& i : t) i = AddCorner(corners);
        break;
      }
      const auto last = static_cast<uint32_t>(n - 1);
      t = {last, choice == 2 ? last - 1 : corner(), AddCorner(corners)};
      break;
    }
    case 5:
      for (uint32_t& i : t) i = corner();
      break;
    case 6:
    case 7:  // a duplicate, or its back
      if (!faces.empty()) t = faces[Below(faces.size())];
      if (faces.empty()) t[0] = t[1] = t[2] = corner();
      if (choice == 7) std::swap(t[0], t[2]);
      break;
    default:
      t[0] = t[1] = corner();
      t[2] = AddCorner(corners);
  }
  faces.push_back(t);
}

inline std::optional<Mesh> FuzzInput::Soup(size_t most) {
  Corners corners;
  Faces faces;
  for (size_t n = (Byte() + 1u) % (most + 1); n > 0; --n) {
    AddTriangle(corners, faces);
  }
  return Made(corners, faces);
}

inline std::optional<Mesh> FuzzInput::Made(const Corners& corners,
                                           const Faces& faces) {
  const bool is_beyond = std::any_of(corners.begin(), corners.end(),
                                     [](const Vec3& p) { return IsBeyond(p); });
  auto mesh = Mesh::Create(corners, faces);
  Require(mesh.ok() == (!faces.empty() && !is_beyond),
          "triangles in range make a mesh, and nothing else does");
  if (!mesh.ok()) return std::nullopt;
  for (size_t i = 0; i < corners.size(); ++i) {
    Require(mesh->vertices()[i] == TinyAsZero(corners[i]),
            "vertices are what was given, and 0 below the range");
  }
  return *std::move(mesh);
}

inline Mesh FuzzInput::ClosedShape() {
  switch (Below(5)) {
    case 0:
      return meshes::Tetrahedron({0, 0, 0}, 3);
    case 1:
      return meshes::Cube({-1, -1, -1}, 2);
    case 2:
      return meshes::Icosphere(0, {0, 0, 0}, 3);
    case 3:
      return meshes::Torus(5, 4, 4, 2);
    default:
      return meshes::Joined(meshes::Cube({-4, -4, -4}, 8),
                            meshes::Tetrahedron({-1, -1, -1}, 2));
  }
}

inline std::optional<Mesh> FuzzInput::SmallMesh(size_t most) {
  if (Below(3) != 0) return Soup(most);
  const Mesh shape = ClosedShape();
  Corners corners;
  for (const Vec3& v : shape.vertices()) {
    corners.push_back(Vec3{place_, place_, place_} + v * unit_);
  }
  for (size_t moved = Below(4); moved > 0; --moved) {
    const Vec3 p = MostlyInRange(Point());
    corners[Below(corners.size())] = p;
  }
  Faces faces(shape.triangles().begin(), shape.triangles().end());
  faces.resize(std::min(faces.size(), most));
  return Made(corners, faces);
}

inline BuildOptions FuzzInput::Options() {
  BuildOptions options;
  options.threads = 1;
  options.volumes = static_cast<Volumes>(Below(4));
  options.max_leaf_triangles = static_cast<int>(Below(8)) + 1;
  options.quality = static_cast<Quality>(Below(3));
  options.storage = static_cast<Storage>(Below(2));
  return options;
}

inline Pose FuzzInput::AnyPose() {
  Pose pose;
  switch (Below(8)) {
    case 0:
      break;
    case 1:
    case 2:
      break;  // a translation
    case 3:
      std::swap(pose.rows[0], pose.rows[Below(3)]);
      pose.rows[1] = -pose.rows[1];
      break;
    case 4: {
      const double angle = static_cast<double>(Byte()) / 32;
      const Vec3 axis{1 + static_cast<double>(Below(7)),
                      static_cast<double>(Below(7)),
                      static_cast<double>(Below(7))};
      pose = Pose::Rotation(Normalized(axis), angle);
      break;
    }
    case 5:  // stretched
      for (size_t i = 0; i < 3; ++i) {
        pose.rows[i][i] = std::ldexp(1.0, static_cast<int>(Below(9)) - 4);
      }
      break;
    case 6:  // any matrix, perhaps singular
      for (Vec3& row : pose.rows) {
        for (size_t i = 0; i < 3; ++i) row[i] = static_cast<int>(Below(9)) - 4;
      }
      break;
    default:
      for (Vec3& row : pose.rows) {
        for (size_t i = 0; i < 3; ++i) {
          row[i] = Below(8) == 0 ? AnyFinite() : static_cast<int>(Below(5)) - 2;
        }
      }
  }
  if (Below(4) != 0) {
    pose.translation = Point() - Vec3{place_, place_, place_};
    if (Below(16) == 0) {  // far away
      pose.translation *= std::ldexp(1.0, static_cast<int>(Below(100)));
    }
  }
  return pose;
}

inline Vec3 FuzzInput::AnyPointNear(const Mesh& mesh) {
  const auto triangle = [&] {
    return mesh.triangle(Byte() % mesh.triangle_count());
  };
  switch (Below(8)) {
    case 0:
      return triangle()[Below(3)];
    case 1: {
      Vec3 p = triangle()[Below(3)];
      double& x = p[Below(3)];
      x = Nudged(x);
      return p;
    }
    case 2: {
      const Triangle t = triangle();
      const double v = static_cast<double>(Below(5)) / 4;
      return t.a + v * (t.b - t.a);
    }
    case 3: {
      const Triangle t = triangle();
      const Triangle u = triangle();
      return t.b * 0.5 + u.c * 0.5;
    }
    case 4: {
      const Triangle t = triangle();
      return t.a * 0.5 + t.b * 0.25 + t.c * 0.25;
    }
    case 5: {
      const double x = AnyFinite(), y = AnyFinite();
      return {x, y, Below(16) == 0 ? std::bit_cast<double>(Bits()) : Number()};
    }
    case 6:  // far away
      return Point() * std::ldexp(1.0, static_cast<int>(Below(200)));
    default:
      return Point();
  }
}

inline double FuzzInput::AnyLengthNear(const Mesh& mesh, const Vec3& p) {
  switch (Below(8)) {
    case 0:
      return 0;
    case 1:
    case 2:
    case 3: {
      if (!IsFinite(p)) return 1;
      const Triangle t = mesh.triangle(Byte() % mesh.triangle_count());
      return Nudged(Distance(p, t).distance);
    }
    case 4:
      return static_cast<double>(Byte()) / 4 * unit_;
    case 5:
      return std::abs(AnyFinite());
    case 6:
      return std::numeric_limits<double>::infinity();
    default:
      return std::bit_cast<double>(Bits());
  }
}

inline Obb FuzzInput::BoxNear(const Mesh& mesh) {
  Obb box;
  const Vec3 p = PointNear(mesh);
  const Vec3 q = PointNear(mesh);
  box.center = p * 0.5 + q * 0.5;
  box.half_extents = Abs(p * 0.5 - q * 0.5);
  const Pose turned = AnyPose();
  if (turned.IsRigid()) box.axes = turned.rows;
  if (Below(4) == 0) box.half_extents[Below(3)] = LengthNear(mesh, p);
  return box;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_FUZZ_INPUT_H_
