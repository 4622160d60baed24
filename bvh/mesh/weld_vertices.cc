// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/weld_vertices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

constexpr uint32_t kUnused = std::numeric_limits<uint32_t>::max();

// The vertices that triangles use, in their order.
struct UsedVertices {
  std::vector<Vec3> points;
  std::vector<uint32_t> id;  // by vertex: its position in `points`, or kUnused
};

UsedVertices UsedOf(const Mesh& mesh) {
  UsedVertices used;
  used.id.assign(mesh.vertex_count(), kUnused);
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t corner : t) used.id[corner] = 0;
  }
  for (size_t i = 0; i < used.id.size(); ++i) {
    if (used.id[i] == kUnused) continue;
    used.id[i] = static_cast<uint32_t>(used.points.size());
    used.points.push_back(mesh.vertices()[i]);
  }
  return used;
}

// Returns true if all three corners are distinct.
template <typename Corner>
bool AreDistinct(const Corner& a, const Corner& b, const Corner& c) {
  return a != b && b != c && c != a;
}

absl::StatusOr<WeldedMesh> WeldUsed(const Mesh& mesh, double distance) {
  const UsedVertices used = UsedOf(mesh);
  const std::vector<Vec3>& points = used.points;
  const mesh_internal::Welded welded =
      mesh_internal::Weld(points, Workers(1), distance);

  std::vector<Vec3> vertices;
  vertices.reserve(welded.first.size());
  for (const uint32_t first : welded.first) vertices.push_back(points[first]);

  size_t moved = 0;
  double largest_move = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3& to = vertices[welded.id[i]];
    if (points[i] == to) continue;
    ++moved;
    largest_move = std::max(largest_move, Norm(points[i] - to));
  }

  size_t first_moved = mesh.triangle_count();
  size_t collapsed = 0;
  size_t first_collapsed = mesh.triangle_count();
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    TriangleIndices t = mesh.triangles()[i];
    const Triangle before = mesh_internal::TriangleAt(mesh, i);
    for (uint32_t& corner : t) corner = welded.id[used.id[corner]];
    const bool is_unmoved = vertices[t[0]] == before.a &&
                            vertices[t[1]] == before.b &&
                            vertices[t[2]] == before.c;
    if (!is_unmoved) first_moved = std::min(first_moved, i);
    if (!AreDistinct(t[0], t[1], t[2]) &&
        AreDistinct(before.a, before.b, before.c)) {
      first_collapsed = std::min(first_collapsed, i);
      ++collapsed;
    }
    triangles.push_back(t);
  }

  absl::StatusOr<Mesh> result =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!result.ok()) return result.status();
  return WeldedMesh{.mesh = *std::move(result),
                    .moved = moved,
                    .first_moved = moved > 0 ? first_moved : 0,
                    .largest_move = largest_move,
                    .collapsed = collapsed,
                    .first_collapsed = collapsed > 0 ? first_collapsed : 0};
}

bool Closes(const absl::StatusOr<WeldedMesh>& welded) {
  return welded.ok() && IsClosed(welded->mesh);
}

// Returns a number of two digits that is at least x, for an x above 0 and not
// extreme.
double RoundedUp(double x) {
  const int digits = static_cast<int>(std::floor(std::log10(x))) - 1;
  const double unit = std::pow(10, std::abs(digits));
  // Divided by a whole number, the nearest double is the decimal number.
  return digits < 0 ? std::ceil(x * unit) / unit : std::ceil(x / unit) * unit;
}

}  // namespace

absl::StatusOr<WeldedMesh> WeldVertices(const Mesh& mesh, double distance) {
  if (!(distance >= 0) || !std::isfinite(distance)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the distance to weld within is ", distance,
                     "; give a finite number of at least 0"));
  }
  return GuardMemory("to weld the vertices",
                     [&] { return WeldUsed(mesh, distance); });
}

std::optional<double> DistanceThatCloses(const Mesh& mesh) {
  if (IsClosed(mesh)) return std::nullopt;
  const double diagonal = Norm(mesh.bounds().hi - mesh.bounds().lo);
  for (const double share : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
    const double distance = share * diagonal;
    const absl::StatusOr<WeldedMesh> welded = WeldVertices(mesh, distance);
    // A mesh that shrinks to edges and points has no inside.
    if (!Closes(welded) ||
        welded->mesh.degenerate_count() == mesh.triangle_count()) {
      continue;
    }
    for (const double shown :
         {RoundedUp(welded->largest_move), RoundedUp(distance)}) {
      if (Closes(WeldVertices(mesh, shown))) return shown;
    }
    return distance;
  }
  return std::nullopt;
}

}  // namespace orbox
