// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh_components.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/disjoint_sets.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

struct Labels {
  std::vector<uint32_t> of_triangle;  // the component of each triangle
  std::vector<uint32_t> first;        // the lowest triangle of each component
};

Labels LabelComponents(const Mesh& mesh, const Workers& workers) {
  const mesh_internal::Welded welded =
      mesh_internal::Weld(mesh.vertices(), workers);
  DisjointSets sets(welded.first.size());
  for (size_t i = 0; i < mesh.triangle_count();) {
    for (const size_t end = workers.EndOfBlock(i, mesh.triangle_count());
         i < end; ++i) {
      const TriangleIndices& t = mesh.triangles()[i];
      sets.Join(welded.id[t[0]], welded.id[t[1]]);
      sets.Join(welded.id[t[0]], welded.id[t[2]]);
    }
  }
  constexpr uint32_t kUnseen = UINT32_MAX;
  std::vector<uint32_t> component_of_set(welded.first.size(), kUnseen);
  Labels labels;
  labels.of_triangle.reserve(mesh.triangle_count());
  const auto count = static_cast<uint32_t>(mesh.triangle_count());
  for (uint32_t i = 0; i < count;) {
    for (const uint32_t end = workers.EndOfBlock(i, count); i < end; ++i) {
      uint32_t& component =
          component_of_set[sets.Find(welded.id[mesh.triangles()[i][0]])];
      if (component == kUnseen) {
        component = static_cast<uint32_t>(labels.first.size());
        labels.first.push_back(i);
      }
      labels.of_triangle.push_back(component);
    }
  }
  return labels;
}

}  // namespace

MeshComponents MeshComponents::Of(const Mesh& mesh) {
  return mesh_internal::MeshAccess::ComponentsOf(mesh, Workers(1));
}

MeshComponents mesh_internal::MeshAccess::ComponentsOf(const Mesh& mesh,
                                                       const Workers& workers) {
  MeshComponents components;
  components.is_closed_ = BoundaryOf(mesh, workers).is_empty();
  components.first_triangles_ = FirstTriangles(mesh).Or(
      [&] { return LabelComponents(mesh, workers).first; });
  return components;
}

std::vector<Mesh> SplitIntoComponents(const Mesh& mesh) {
  const Labels labels = LabelComponents(mesh, Workers(1));
  if (labels.first.size() < 2) return {mesh};
  // A vertex is in one component only, because all triangles that use it are.
  constexpr uint32_t kUnused = UINT32_MAX;
  std::vector<uint32_t> component_of_vertex(mesh.vertex_count(), kUnused);
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    for (const uint32_t v : mesh.triangles()[i]) {
      component_of_vertex[v] = labels.of_triangle[i];
    }
  }
  std::vector<std::vector<Vec3>> vertices(labels.first.size());
  std::vector<uint32_t> new_id(mesh.vertex_count());
  for (size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (component_of_vertex[v] == kUnused) continue;
    std::vector<Vec3>& component = vertices[component_of_vertex[v]];
    new_id[v] = static_cast<uint32_t>(component.size());
    component.push_back(mesh.vertices()[v]);
  }
  std::vector<std::vector<TriangleIndices>> triangles(labels.first.size());
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    triangles[labels.of_triangle[i]].push_back(
        {new_id[t[0]], new_id[t[1]], new_id[t[2]]});
  }
  std::vector<Mesh> components;
  components.reserve(labels.first.size());
  for (size_t component = 0; component < labels.first.size(); ++component) {
    // Each component is valid, because the whole mesh is.
    components.push_back(Mesh::Create(std::move(vertices[component]),
                                      std::move(triangles[component]))
                             .value());
  }
  return components;
}

SurfaceFacts FactsOfSurface(const Mesh& mesh) {
  SurfaceFacts facts;
  facts.components = MeshComponents::Of(mesh).first_triangles().size();
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  // Relative to the middle of the mesh, where rounding errors of sums are
  // smallest.
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
  facts.do_faces_agree = true;
  mesh_internal::VisitEdges(triangles, welded.first.size(),
                            [&](const mesh_internal::EdgeSides& edge) {
                              facts.do_faces_agree =
                                  facts.do_faces_agree && edge.balance == 0;
                              if (edge.count > 2) ++facts.non_manifold_edges;
                              if (edge.count == 1) {
                                ++facts.boundary_edges;
                                ends.Join(edge.low, edge.high);
                                on_boundary.push_back(edge.low);
                              }
                              return true;
                            });
  std::vector<bool> is_seen(welded.first.size(), false);
  for (const uint32_t end : on_boundary) {
    const uint32_t loop = ends.Find(end);
    if (!is_seen[loop]) ++facts.boundary_loops;
    is_seen[loop] = true;
  }
  if (facts.do_faces_agree) facts.volume = volume;
  return facts;
}

}  // namespace orbox
