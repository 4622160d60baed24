// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_parts.h"

#include <cstddef>
#include <vector>

#include "orbox/bvh/base/internal/disjoint_sets.h"
#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {

MeshParts MeshParts::Of(const Mesh& mesh) {
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  DisjointSets sets(welded.first.size());
  for (const TriangleIndices& t : mesh.triangles()) {
    sets.Join(welded.id[t[0]], welded.id[t[1]]);
    sets.Join(welded.id[t[0]], welded.id[t[2]]);
  }
  MeshParts parts;
  parts.is_closed_ = IsClosed(mesh);
  std::vector<bool> is_seen(welded.first.size(), false);
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const uint32_t set = sets.Find(welded.id[mesh.triangles()[i][0]]);
    if (!is_seen[set]) parts.first_triangles_.push_back(i);
    is_seen[set] = true;
  }
  return parts;
}

SurfaceFacts FactsOfSurface(const Mesh& mesh) {
  SurfaceFacts facts;
  facts.parts = MeshParts::Of(mesh).first_triangles().size();
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  // About the middle, where sums lose the least.
  const Vec3 middle = mesh.bounds().lo * 0.5 + mesh.bounds().hi * 0.5;
  double volume = 0;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    triangles.push_back({welded.id[t[0]], welded.id[t[1]], welded.id[t[2]]});
    const Triangle triangle = mesh.triangle(static_cast<uint32_t>(i));
    const Vec3 a = triangle.a - middle;
    const Vec3 normal = Cross(triangle.b - triangle.a, triangle.c - triangle.a);
    facts.area += Norm(normal) / 2;
    volume += Dot(a, normal) / 6;
  }
  DisjointSets ends(welded.first.size());
  std::vector<uint32_t> on_boundary;
  bool closed = true;
  mesh_internal::VisitEdges(triangles, welded.first.size(),
                            [&](uint32_t low, uint32_t high, size_t count) {
                              closed = closed && count % 2 == 0;
                              if (count > 2) ++facts.non_manifold_edges;
                              if (count == 1) {
                                ++facts.boundary_edges;
                                ends.Join(low, high);
                                on_boundary.push_back(low);
                              }
                              return true;
                            });
  std::vector<bool> is_seen(welded.first.size(), false);
  for (const uint32_t end : on_boundary) {
    const uint32_t loop = ends.Find(end);
    if (!is_seen[loop]) ++facts.boundary_loops;
    is_seen[loop] = true;
  }
  if (closed) facts.volume = volume;
  return facts;
}

}  // namespace orbox
