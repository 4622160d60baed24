// SPDX-License-Identifier: Apache-2.0

// Range selection: the triangles of a terrain in a ball, in a box, in a turned
// box, or in view of a camera.
//
//   range_selection data
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// The half-space of a plane through `p` along u and v, behind Cross(u, v).
// Normals may have any length.
orbox::HalfSpace Behind(const orbox::Vec3& p, const orbox::Vec3& u,
                        const orbox::Vec3& v) {
  const orbox::Vec3 normal = orbox::Cross(u, v);
  return {normal, orbox::Dot(normal, p)};
}

// The view of a camera that points along x and downwards: four sides, from
// corner to corner of the picture, and a far plane.
std::vector<orbox::HalfSpace> View(const orbox::Vec3& eye, double far_x) {
  const orbox::Vec3 a{1, -0.5, -0.25};
  const orbox::Vec3 b{1, 0.5, -0.25};
  const orbox::Vec3 c{1, 0.5, -1.25};
  const orbox::Vec3 d{1, -0.5, -1.25};
  return {Behind(eye, a, b), Behind(eye, b, c), Behind(eye, c, d),
          Behind(eye, d, a), orbox::HalfSpace{{1, 0, 0}, far_x}};
}

void Print(const char* name, const std::vector<uint32_t>& ids) {
  std::printf("%s: %zu triangles, the first is %u\n", name, ids.size(),
              ids.empty() ? 0 : ids.front());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree tree =
      OrExit(orbox::Build(OrExit(orbox::ReadMeshFile(data + "/terrain.obj"))));

  const orbox::Sphere ball{{0.5, 0.5, 0.125}, 0.125};
  Print("ball", orbox::AllOverlaps(tree, ball));

  const orbox::Aabb box{{0.25, 0.25, 0}, {0.5, 0.75, 1}};
  Print("box", orbox::AllOverlaps(tree, box));

  const orbox::Obb turned{.center = {0.5, 0.5, 0},
                          .axes = {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}},
                          .half_extents = {0.5, 0.0625, 1}};
  Print("turned box", orbox::AllOverlaps(tree, turned));

  const std::vector<orbox::HalfSpace> view = View({0, 0.5, 0.5}, 0.75);
  Print("view", orbox::AllOverlaps(tree, view));

  // Queries without a list: the count, whether there is any, and visits one by
  // one until enough are seen.
  std::printf("in the ball: %zu\n", orbox::CountOverlaps(tree, ball));
  const bool any = orbox::AnyOverlap(tree, orbox::Sphere{{0.5, 0.5, 2}, 1});
  std::printf("anything above: %s\n", any ? "yes" : "no");
  int seen = 0;
  orbox::VisitOverlaps(tree, box, [&](uint32_t /*triangle*/) {
    return ++seen < 3 ? orbox::Visit::kContinue : orbox::Visit::kStop;
  });
  std::printf("stopped after %d\n", seen);
}
