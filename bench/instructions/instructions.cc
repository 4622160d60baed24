// SPDX-License-Identifier: Apache-2.0

// Runs one query a number of times and prints the sum of the results. count.py
// counts its instructions: those of n queries are a run with n less a run with
// none. The count is equal on every machine of the architecture, busy or not.
//
//   instructions TREE QUESTION COUNT
//
// TREE is a tree file, which is mapped: a start takes few instructions then.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "orbox/orbox.h"

namespace orbox {
namespace {

// Positions of the queries: around the mesh, from the same seed everywhere, by
// integers alone, since distributions differ between standard libraries.
class Places {
 public:
  explicit Places(const Mesh& mesh)
      : mesh_(mesh),
        bounds_(mesh.bounds()),
        size_(Norm(bounds_.hi - bounds_.lo)) {}

  double size() const { return size_; }

  // In [-1, 1).
  double Unit() {
    return std::ldexp(static_cast<double>(generator_() >> 11), -52) - 1;
  }
  Vec3 UnitCube() {
    const double x = Unit();
    const double y = Unit();
    return {x, y, Unit()};
  }
  Vec3 Within() {
    const Vec3 u = UnitCube();
    const Vec3 half = bounds_.HalfExtents();
    return bounds_.Center() + Vec3{u.x * half.x, u.y * half.y, u.z * half.z};
  }
  Vec3 Near() {
    const Triangle t = mesh_.triangle(
        static_cast<uint32_t>(generator_() % mesh_.triangle_count()));
    const Vec3 aside = (0.01 * size_) * UnitCube();
    return t[0] + aside;
  }
  Vec3 Far() { return bounds_.Center() + size_ * (UnitCube() + Vec3{3, 0, 0}); }
  Ray Through() {
    const Vec3 origin = bounds_.Center() + size_ * UnitCube();
    const Vec3 direction = Within() - origin;
    return {origin, direction};
  }
  // The mesh, shifted by `share` of its size and turned.
  PosedTree Posed(const Tree& tree, double share) {
    // One after the other: compilers evaluate arguments in orders of their own.
    const double angle = 1 + Unit();
    const Vec3 shift = {share * size_, 0.01 * size_ * Unit(), 0};
    return PosedTree::Create(tree, Pose::Rotation({0, 0.6, 0.8}, angle, shift))
        .value();
  }

 private:
  const Mesh& mesh_;
  Aabb bounds_;
  double size_;
  std::mt19937_64 generator_{1};
};

using Question = std::function<double(const Tree&, Places&)>;

double Count(size_t n) { return static_cast<double>(n); }

// A row is a query; the number that it returns keeps compilers from removing
// it.
const std::map<std::string, Question>& Questions() {
  static const std::map<std::string, Question> questions = {
      {"closest_point_near",
       [](const Tree& t, Places& at) {
         return ClosestPoint(t, at.Near())->distance;
       }},
      {"closest_point_far",
       [](const Tree& t, Places& at) {
         return ClosestPoint(t, at.Far())->distance;
       }},
      {"k_nearest_10",
       [](const Tree& t, Places& at) {
         return KNearest(t, at.Near(), 10).back().distance;
       }},
      {"ball_1_percent",
       [](const Tree& t, Places& at) {
         return Count(
             AllOverlaps(t, Sphere{at.Near(), 0.01 * at.size()}).size());
       }},
      {"inside",
       [](const Tree& t, Places& at) {
         return IsInside(t, at.Within()) ? 1.0 : 0.0;
       }},
      {"any_hit",
       [](const Tree& t, Places& at) {
         return AnyHit(t, at.Through()) ? 1.0 : 0.0;
       }},
      {"closest_hit",
       [](const Tree& t, Places& at) {
         const auto hit = ClosestHit(t, at.Through());
         return hit ? hit->t : 0.0;
       }},
      {"meet",
       [](const Tree& t, Places& at) {
         return AnyOverlap(at.Posed(t, 0.5), t) ? 1.0 : 0.0;
       }},
      {"all_overlaps",
       [](const Tree& t, Places& at) {
         return Count(AllOverlaps(at.Posed(t, 0.5), t).size());
       }},
      {"closest_pair",
       [](const Tree& t, Places& at) {
         return ClosestPair(at.Posed(t, 1.5), t)->distance;
       }},
  };
  return questions;
}

int Main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string("--list")) {
    for (const auto& [name, question] : Questions()) std::puts(name.c_str());
    return 0;
  }
  const auto question =
      argc == 4 ? Questions().find(argv[2]) : Questions().end();
  if (question == Questions().end()) {
    std::fputs("use: instructions TREE QUESTION COUNT, or --list\n", stderr);
    return 2;
  }
  const auto tree = MapTree(argv[1]);
  if (!tree.ok()) {
    std::fprintf(stderr, "%s\n", tree.status().ToString().c_str());
    return 2;
  }
  Places places(tree->mesh());
  double sum = 0;
  for (int i = std::atoi(argv[3]); i > 0; --i) {
    sum += question->second(*tree, places);
  }
  std::printf("%a\n", sum);
  return 0;
}

}  // namespace
}  // namespace orbox

int main(int argc, char** argv) { return orbox::Main(argc, argv); }
