// SPDX-License-Identifier: Apache-2.0

// A scan compared with its CAD model: the deviation of each of the scan's
// triangles, and those out of tolerance. Also as a coloured PLY, which MeshLab,
// Blender and ParaView show.
//
//   scan_deviation deviation.ply
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

constexpr double kTolerance = 0.02;

// In place of a scanner's file: the part, with a dent of depth 0.1.
orbox::Mesh Scan() {
  const orbox::Mesh part =
      OrExit(orbox::GenerateMesh({.shape = "sphere", .triangles = 5000}));
  std::vector<orbox::Vec3> vertices(part.vertices().begin(),
                                    part.vertices().end());
  for (orbox::Vec3& v : vertices) {
    const double near = 1 - 4 * orbox::SquaredNorm(v - orbox::Vec3{1, 0, 0});
    v = v * (1 - 0.1 * std::max(0.0, near));
  }
  return OrExit(orbox::Mesh::Create(
      vertices, {part.triangles().begin(), part.triangles().end()}));
}

// Text PLY with a colour for each face: green on the model, red from the
// tolerance on.
void WriteColours(const orbox::Mesh& mesh,
                  const std::vector<orbox::TriangleDeviation>& deviations,
                  std::ostream& out) {
  out << "ply\nformat ascii 1.0\nelement vertex " << mesh.vertex_count()
      << "\nproperty double x\nproperty double y\nproperty double z"
      << "\nelement face " << mesh.triangle_count()
      << "\nproperty list uchar uint vertex_indices\nproperty uchar red"
      << "\nproperty uchar green\nproperty uchar blue\nend_header\n";
  out.precision(17);
  for (const orbox::Vec3& v : mesh.vertices()) {
    out << v.x << ' ' << v.y << ' ' << v.z << '\n';
  }
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto& [a, b, c] = mesh.triangles()[id];
    const double share = deviations[id].farthest_upper / kTolerance;
    const int red = static_cast<int>(255 * std::min(1.0, share));
    out << "3 " << a << ' ' << b << ' ' << c << ' ' << red << ' ' << 255 - red
        << " 0\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const orbox::Mesh scan = Scan();
  const orbox::Tree model = OrExit(orbox::Build(
      OrExit(orbox::GenerateMesh({.shape = "sphere", .triangles = 20'000}))));

  // For each triangle its nearest and its farthest point, to within 0.001.
  const std::vector<orbox::TriangleDeviation> deviations =
      OrExit(orbox::DeviationField(OrExit(orbox::Build(scan)), model,
                                   {.tolerance = 1e-3}));
  size_t bad = 0;
  double worst = 0;
  for (const orbox::TriangleDeviation& d : deviations) {
    if (d.farthest_upper > kTolerance) ++bad;
    worst = std::max(worst, d.farthest_upper);
  }
  std::printf("%zu of %zu triangles out of tolerance, the worst by %.2f\n", bad,
              deviations.size(), worst - kTolerance);

  std::ofstream file(argc > 1 ? argv[1] : "deviation.ply");
  WriteColours(scan, deviations, file);
  return file.flush() ? 0 : 1;
}
