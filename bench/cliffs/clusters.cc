// SPDX-License-Identifier: Apache-2.0

// Degenerate queries of any mesh: on its surface, slightly off it, far away,
// along its edges and through its vertices.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "bench/cliffs/mesh_questions.h"
#include "bench/peers/mesh_case.h"
#include "orbox/bvh/io/generate.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kProbes = 2'000;
constexpr size_t kSmallest = 4'000;

using peers::MeshCase;

// Point of triangle `t` at which a probe starts.
Vec3 OnFace(const Triangle& t, meshes::Random& random) {
  const double u = random.Uniform(0, 1);
  const double v = random.Uniform(0, 1 - u);
  return t.a + (t.b - t.a) * u + (t.c - t.a) * v;
}
Vec3 OnEdge(const Triangle& t, meshes::Random&) { return (t.a + t.b) * 0.5; }
Vec3 OnVertex(const Triangle& t, meshes::Random&) { return t.a; }

Vec3 UnitNormal(const Triangle& t) {
  const Vec3 n = Cross(t.b - t.a, t.c - t.a);
  const double length = Norm(n);
  return length > 0 ? n * (1 / length) : Vec3{0, 0, 1};
}

struct Cluster {
  const char* name;
  Vec3 (*on)(const Triangle& t, meshes::Random& random);
  // Off the surface along the normal, in diagonals of the mesh.
  double off;
};

constexpr Cluster kNearClusters[] = {
    {"on_face", OnFace, 0},        {"on_edge", OnEdge, 0},
    {"on_vertex", OnVertex, 0},    {"off_1e-15", OnFace, 1e-15},
    {"off_1e-12", OnFace, 1e-12},  {"off_1e-9", OnFace, 1e-9},
    {"off_1e-6", OnFace, 1e-6},    {"off_1e-3", OnFace, 1e-3},
    {"edge_1e-12", OnEdge, 1e-12}, {"vertex_1e-12", OnVertex, 1e-12}};

constexpr double kAway[] = {1, 1e3, 1e6, 1e9, 1e12, 1e15};

// Probes at the points of the mesh that `at` names, `off` it.
Probes ProbesAt(const Mesh& mesh, double diagonal, const Cluster& cluster) {
  meshes::Random random(21);
  Probes probes;
  for (size_t i = 0; i < kProbes; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    const Vec3 normal = UnitNormal(t);
    const Vec3 p = cluster.on(t, random) + normal * (cluster.off * diagonal);
    probes.points.push_back(p);
    // Along the surface: from next to the point through it.
    const Vec3 along = t.b - t.a;
    probes.rays.push_back({p - along * 3, along});
    probes.balls.push_back({p + normal * (0.01 * diagonal), 0.01 * diagonal});
    const Vec3 half = Vec3{1, 1, 1} * (0.01 * diagonal);
    probes.boxes.push_back({p, p + half});
  }
  return probes;
}

Probes ProbesAway(const Mesh& mesh, double diagonal, double diagonals) {
  meshes::Random random(22);
  const Vec3 center = mesh.bounds().Center();
  const double away = diagonal * diagonals;
  Probes probes;
  for (size_t i = 0; i < kProbes; ++i) {
    const Vec3 p = center + random.Direction() * away;
    probes.points.push_back(p);
    const Vec3 target = center + random.Point(-0.2, 0.2) * diagonal;
    probes.rays.push_back({p, target - p});
    // Its surface passes near the center.
    probes.balls.push_back({p, away * random.Uniform(0.999, 1)});
    probes.boxes.push_back({Min(p, target), Max(p, target)});
  }
  return probes;
}

// Probes in general position, for queries near a surface and far from it.
Probes GeneralProbes(const MeshCase& mesh, bool near) {
  Probes probes;
  probes.points = near ? mesh.near : mesh.far;
  probes.rays = mesh.rays;
  const double radius = (near ? 0.01 : 0.3) * mesh.diagonal;
  for (const Vec3& p : probes.points) {
    const Vec3 half = Vec3{1, 1, 1} * radius;
    probes.balls.push_back({p, radius});
    probes.boxes.push_back({p, p + half});
  }
  return probes;
}

// Queries at points; the others are about the mesh as a whole.
bool IsAboutClusters(const MeshQuestion& question) {
  return question.name != "self_overlap" && question.name != "build";
}

Mesh Generated(size_t n) {
  return GenerateMesh({.shape = "torus_knot", .triangles = n}).value();
}

struct Source {
  std::string name;
  std::vector<size_t> sizes;
  std::function<Mesh(size_t)> make;
};

void AppendAt(const Source& source, std::string_view name, bool near,
              const std::function<Probes(const Mesh&, double)>& probes_of,
              std::vector<Cliff>* cliffs) {
  for (const MeshQuestion& question : MeshQuestions()) {
    if (!IsAboutClusters(question)) continue;
    cliffs->push_back(
        {std::string(name), std::string(question.name), source.name,
         source.sizes,
         [&question, make = source.make, near, probes_of](size_t n) {
           const MeshCase general("", make(n));
           const double diagonal = general.diagonal;
           return MeshTrial(
               question,
               {general.mesh, probes_of(general.mesh, diagonal), diagonal},
               {general.mesh, GeneralProbes(general, near), diagonal});
         }});
  }
}

}  // namespace

void AppendClusterCliffs(const std::vector<NamedMesh>& meshes,
                         std::vector<Cliff>* cliffs) {
  std::vector<Source> sources = {
      {"generated", {kSmallest, 4 * kSmallest, 16 * kSmallest}, Generated}};
  for (const NamedMesh& named : meshes) {
    sources.push_back({named.name,
                       {named.mesh.triangle_count()},
                       [mesh = named.mesh](size_t) { return mesh; }});
  }
  for (const Source& source : sources) {
    for (const Cluster& cluster : kNearClusters) {
      AppendAt(
          source, cluster.name, /*near=*/true,
          [&cluster](const Mesh& mesh, double diagonal) {
            return ProbesAt(mesh, diagonal, cluster);
          },
          cliffs);
    }
    for (const double away : kAway) {
      char name[32];
      std::snprintf(name, sizeof(name), "away_%g", away);
      AppendAt(
          source, name, /*near=*/false,
          [away](const Mesh& mesh, double diagonal) {
            return ProbesAway(mesh, diagonal, away);
          },
          cliffs);
    }
  }
}

}  // namespace orbox::cliffs
