// SPDX-License-Identifier: Apache-2.0

// Motions in which everything touches at once, turns in a bearing, or slides.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "orbox/orbox.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kSmallest = 500;

Mesh GridOf(size_t n, double height) {
  return meshes::Grid(static_cast<int>(std::sqrt(n / 2.0)), height);
}

Mesh SphereOf(size_t n) {
  int levels = 0;
  while (20u << (2 * (levels + 1)) <= 2 * n) ++levels;
  return meshes::Icosphere(levels);
}

std::vector<Vec3> Moved(const Mesh& mesh, const Vec3& by) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v += by;
  return vertices;
}

// Vertices that move along lines; of two meshes, or of one with itself.
struct Deformation {
  Mesh a;
  std::vector<Vec3> a_to;
  Mesh b;
  std::vector<Vec3> b_to;
  bool with_itself = false;
};

Deformation Falling(const Mesh& sheet) {
  const Mesh ground = GridOf(sheet.triangle_count(), 0);
  const Mesh above = meshes::Moved(sheet, Pose::Translation({0, 0, 1}));
  return {above, Moved(above, {0, 0, -2}), ground, Moved(ground, {}), false};
}

Deformation SheetOntoSheet(size_t n) { return Falling(GridOf(n, 0)); }
Deformation RoughOntoSheet(size_t n) { return Falling(GridOf(n, 0.3)); }

// The right half is folded onto the left one: all of it arrives at t = 1.
Deformation FoldedSheet(size_t n) {
  const Mesh sheet = GridOf(n, 0);
  std::vector<Vec3> to(sheet.vertices().begin(), sheet.vertices().end());
  for (Vec3& v : to) {
    if (v.x > 0.5) v = {1 - v.x, v.y, 1e-3};
  }
  return {sheet, to, sheet, to, true};
}

// Every point moves through the center. All meet there at one time, up to the
// rounding of the ends.
Deformation SphereTimes(size_t n, double factor) {
  const Mesh sphere = SphereOf(n);
  std::vector<Vec3> to(sphere.vertices().begin(), sphere.vertices().end());
  for (Vec3& v : to) v = v * factor;
  return {sphere, to, sphere, to, true};
}
Deformation SphereThroughItself(size_t n) { return SphereTimes(n, -1); }
// At 10/17, which no double holds.
Deformation SphereToMinusSeventy(size_t n) { return SphereTimes(n, -0.7); }

// One half moves through the other, of another shape.
Deformation DentedSphere(size_t n) {
  const Mesh sphere = SphereOf(n);
  std::vector<Vec3> to(sphere.vertices().begin(), sphere.vertices().end());
  for (Vec3& v : to) {
    if (v.x > 0) v = {v.x * -1.2, v.y * (1 - 0.1 * v.x), v.z * (1 - 0.2 * v.x)};
  }
  return {sphere, to, sphere, to, true};
}

DeformingMesh DeformingOf(const Mesh& mesh, const std::vector<Vec3>& to) {
  return DeformingMesh::Create(Build(mesh, {.threads = 1}).value(), to).value();
}

Side SideOf(const Deformation& d) {
  const auto a =
      std::make_shared<const DeformingMesh>(DeformingOf(d.a, d.a_to));
  if (d.with_itself) {
    return {1, [a](size_t) {
              const auto hit = FirstSelfContact(*a);
              return hit ? hit->latest : 2;
            }};
  }
  const auto b =
      std::make_shared<const DeformingMesh>(DeformingOf(d.b, d.b_to));
  return {1, [a, b](size_t) {
            const auto hit = FirstContact(*a, *b);
            return hit ? hit->latest : 2;
          }};
}

struct DeformingCase {
  const char* name;
  Deformation (*make)(size_t n);
  Deformation (*general)(size_t n);
};
constexpr DeformingCase kDeforming[] = {
    {"sheet_onto_sheet", SheetOntoSheet, RoughOntoSheet},
    {"sheet_folded", FoldedSheet, DentedSphere},
    {"sphere_through_itself", SphereThroughItself, DentedSphere},
    {"sphere_to_minus_0.7", SphereToMinusSeventy, DentedSphere}};

// A shaft in a hole. Both are tubes of flat faces that are `gap` away from
// where corners pass: they never touch. In general position, the gap is a
// tenth.
struct ShaftCase {
  const char* name;
  double gap;
  double turn;   // of the shaft, in radians
  double slide;  // of the shaft along its hole
  double turn_of_hole;
};
constexpr double kQuarter = std::numbers::pi / 2;
constexpr ShaftCase kShafts[] = {
    {"bearing_gap_0.01", 1e-2, kQuarter, 0, 0},
    {"bearing_gap_0.001", 1e-3, kQuarter, 0, 0},
    {"bearing_gap_0.0003", 3e-4, kQuarter, 0, 0},
    {"bearing_both_turn", 1e-3, kQuarter, 0, -0.25},
    {"slide_gap_0.001", 1e-3, 0, 0.5, 0},
    {"slide_both_turn", 1e-3, kQuarter, 0.5, kQuarter}};

Trial ShaftInHole(size_t n, const ShaftCase& row) {
  const double around = std::floor(std::max(8.0, std::sqrt(n)));
  // Faces that only slide stay side by side.
  const bool turns = row.turn != row.turn_of_hole;
  const double inner = turns ? std::cos(std::numbers::pi / around) : 1;
  const Tree shaft = Build(Tube(n, 1, 2)).value();
  RigidMotion motion;
  motion.translation = {0, 0, row.slide};
  motion.angle = row.turn;
  RigidMotion of_hole;
  of_hole.angle = row.turn_of_hole;
  const auto side = [&](double gap) {
    const Tree hole = Build(Tube(n, (1 + gap) / inner, 1)).value();
    const auto moving = std::make_shared<const MovingTree>(
        MovingTree::Create(shaft, motion).value());
    const auto around_it = std::make_shared<const MovingTree>(
        MovingTree::Create(hole, of_hole).value());
    return Side{1, [moving, around_it](size_t) {
                  return TimeOfContact(*moving, *around_it).earliest;
                }};
  };
  Trial trial;
  trial.n = shaft.mesh().triangle_count();
  trial.orbox = side(row.gap);
  trial.otherwise = trial.orbox;
  trial.references.push_back({.name = "general", .side = side(0.1)});
  return trial;
}

}  // namespace

void AppendMotionCliffs(std::vector<Cliff>* cliffs) {
  const std::vector<size_t> sizes = {kSmallest, 4 * kSmallest, 16 * kSmallest};
  for (const DeformingCase& row : kDeforming) {
    cliffs->push_back(
        {row.name, "deforming_contact", "generated", sizes, [&row](size_t n) {
           const Deformation hard = row.make(n);
           Trial trial;
           trial.n = hard.a.triangle_count();
           trial.orbox = SideOf(hard);
           trial.otherwise = trial.orbox;
           trial.references.push_back(
               {.name = "general", .side = SideOf(row.general(n))});
           return trial;
         }});
  }
  for (const ShaftCase& row : kShafts) {
    cliffs->push_back({row.name, "time_of_contact", "generated", sizes,
                       [&row](size_t n) { return ShaftInHole(n, row); }});
  }
}

}  // namespace orbox::cliffs
