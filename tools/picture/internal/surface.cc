// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "orbox/bvh/build/build.h"
#include "tools/picture/internal/creases.h"

namespace orbox::picture {
namespace {

struct Soup {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
};

// Bounding box of all corners of all posed meshes.
Aabb BoundsOf(std::span<const PosedTree* const> meshes) {
  Aabb box = BoundsOf(meshes[0]->triangle(0));
  for (const PosedTree* mesh : meshes) {
    const size_t count = mesh->tree().mesh().triangle_count();
    if (!mesh->is_moved()) {
      box = Union(box, mesh->tree().mesh().bounds());
      continue;
    }
    for (uint32_t id = 0; id < count; ++id) {
      box = Union(box, BoundsOf(mesh->triangle(id)));
    }
  }
  return box;
}

Soup InPictureSpace(const PosedTree& posed, const PictureSpace& space) {
  const Mesh& mesh = posed.tree().mesh();
  Soup soup;
  soup.vertices.reserve(mesh.vertex_count());
  std::vector<bool> used(mesh.vertex_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t vertex : t) used[vertex] = true;
  }
  for (size_t i = 0; i < mesh.vertex_count(); ++i) {
    // A vertex without a triangle may be anywhere, so it is moved to the
    // origin.
    const Vec3 v = used[i] ? mesh.vertices()[i] : space.origin;
    const bool moves = used[i] && posed.is_moved();
    soup.vertices.push_back(space.FromModel(moves ? posed.pose().Apply(v) : v));
  }
  soup.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return soup;
}

}  // namespace

PictureSpace PictureSpace::Around(const Aabb& box) {
  PictureSpace space;
  space.origin = box.Center();
  const double half = MaxCoordinate(box.HalfExtents());
  if (half > 0) {
    space.scale = std::ldexp(1.0, -std::ilogb(half) - 1);
  }
  return space;
}

absl::StatusOr<ShownSurface> ShownSurface::Of(
    std::span<const PosedTree* const> meshes, int threads) {
  const PictureSpace space =
      PictureSpace::Around(orbox::picture::BoundsOf(meshes));
  std::vector<size_t> first_faces;
  std::vector<std::array<Vec3f, 3>> normals;
  std::vector<Segment> creases;
  Soup all;
  for (const PosedTree* mesh : meshes) {
    const Soup soup = InPictureSpace(*mesh, space);
    first_faces.push_back(all.triangles.size());
    AddSmoothNormals(soup.vertices, soup.triangles, normals, creases);
    const auto first = static_cast<uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), soup.vertices.begin(),
                        soup.vertices.end());
    for (const TriangleIndices& t : soup.triangles) {
      all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  const absl::StatusOr<Mesh> joined =
      Mesh::Create(std::move(all.vertices), std::move(all.triangles));
  if (!joined.ok()) return joined.status();
  absl::StatusOr<Tree> tree = Build(*joined, {.threads = threads});
  if (!tree.ok()) return tree.status();
  return ShownSurface{.space = space,
                      .tree = *std::move(tree),
                      .first_faces = std::move(first_faces),
                      .normals = std::move(normals),
                      .creases = std::move(creases)};
}

}  // namespace orbox::picture
