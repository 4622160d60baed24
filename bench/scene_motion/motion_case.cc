// SPDX-License-Identifier: Apache-2.0

#include "bench/scene_motion/motion_case.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "tests/support/meshes.h"

namespace orbox::scene_motion {
namespace {

Mesh MeshOf(const std::string& path) {
  auto mesh = path.empty()
                  ? GenerateMesh({.shape = "torus_knot", .triangles = 100'000})
                  : ReadMeshFile(path);
  if (!mesh.ok()) {
    std::fprintf(stderr, "scene_motion: %s\n",
                 mesh.status().ToString().c_str());
    std::exit(3);
  }
  return *std::move(mesh);
}

// Around the origin, with a diagonal of 1.
Mesh Normalized(const Mesh& mesh) {
  const Aabb box = mesh.bounds();
  const double scale = 1 / Norm(box.hi - box.lo);
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v = (v - box.Center()) * scale;
  return Mesh::Create(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()})
      .value();
}

std::vector<Pose> Path(const CaseOptions& options, meshes::Random& random) {
  const double side = static_cast<double>(options.side - 1) * options.spacing;
  std::vector<Pose> poses;
  Vec3 from = random.Point(0, side);
  double angle = 0;
  while (poses.size() < options.poses) {
    const Vec3 to = random.Point(0, side);
    const Vec3 axis = random.Direction();
    const auto steps =
        static_cast<size_t>(std::ceil(Norm(to - from) / options.step));
    for (size_t i = 0; i < steps && poses.size() < options.poses; ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(steps);
      angle += options.step;
      poses.push_back(Pose::Rotation(axis, angle, from + (to - from) * t));
    }
    from = to;
  }
  return poses;
}

}  // namespace

MotionCase MakeCase(const CaseOptions& options) {
  meshes::Random random(1);
  MotionCase made{options.mesh.empty()
                      ? "torus_knot"
                      : std::filesystem::path(options.mesh).stem().string(),
                  Normalized(MeshOf(options.mesh)),
                  {},
                  {}};
  for (size_t i = 0; i < options.side * options.side * options.side; ++i) {
    const Vec3 cell{static_cast<double>(i % options.side),
                    static_cast<double>(i / options.side % options.side),
                    static_cast<double>(i / options.side / options.side)};
    const Vec3 at = cell * options.spacing + random.Point(-0.2, 0.2);
    made.bodies.push_back(
        Pose::Rotation(random.Direction(), random.Uniform(-3, 3), at));
  }
  made.poses = Path(options, random);
  return made;
}

}  // namespace orbox::scene_motion
