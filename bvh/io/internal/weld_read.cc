// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/weld_read.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/weld_vertices.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {
namespace {

// Returns the factor by which the pose scales lengths; for poses that scale
// directions differently, that of one of them.
double ScaleOf(const Pose& pose) {
  double longest = 0;
  for (const Vec3& row : pose.rows) longest = std::max(longest, SafeNorm(row));
  return longest > 0 ? longest : 1;
}

}  // namespace

absl::StatusOr<Mesh> WeldMesh(const MeshSource& source, const Mesh& mesh) {
  if (!source.options.weld.has_value()) return mesh;
  const absl::StatusOr<WeldedMesh> welded =
      WeldVertices(mesh, *source.options.weld);
  if (!welded.ok()) return welded.status();
  if (source.options.notes != nullptr) {
    for (ReadNote& note : NotesOn(*welded)) {
      source.options.notes->push_back(std::move(note));
    }
  }
  return welded->mesh;
}

absl::Status WeldBodies(const MeshSource& source,
                        std::vector<NamedBody>& bodies) {
  if (!source.options.weld.has_value()) return absl::OkStatus();
  const double distance = *source.options.weld;
  // By the address of a mesh's triangles, which `original` keeps, and by scale.
  struct Known {
    Mesh original;
    Mesh mesh;
  };
  std::map<std::pair<const TriangleIndices*, double>, Known> known;
  WeldedMesh all = {.mesh = bodies.front().mesh};
  for (NamedBody& body : bodies) {
    const double scale = ScaleOf(body.pose);
    const std::pair key = {body.mesh.triangles().data(), scale};
    auto found = known.find(key);
    if (found == known.end()) {
      const absl::StatusOr<WeldedMesh> welded = WeldVertices(
          body.mesh,
          std::min(distance / scale, std::numeric_limits<double>::max()));
      if (!welded.ok()) return welded.status();
      all.moved += welded->moved;
      all.collapsed += welded->collapsed;
      all.largest_move =
          std::max(all.largest_move, welded->largest_move * scale);
      found = known.emplace(key, Known{body.mesh, welded->mesh}).first;
    }
    body.mesh = found->second.mesh;
  }
  for (const ReadNote& note : NotesOn(all)) {
    AddNote(source, note.what, {}, note.count);
  }
  return absl::OkStatus();
}

}  // namespace orbox::mesh_internal

namespace orbox {

std::vector<ReadNote> NotesOn(const WeldedMesh& welded) {
  std::vector<ReadNote> notes;
  if (welded.moved > 0) {
    notes.push_back({absl::StrCat("vertices welded, moved by at most ",
                                  welded.largest_move),
                     welded.moved,
                     absl::StrCat("triangle ", welded.first_moved)});
  }
  if (welded.collapsed > 0) {
    notes.push_back({"triangles that welding left without area",
                     welded.collapsed,
                     absl::StrCat("triangle ", welded.first_collapsed)});
  }
  return notes;
}

}  // namespace orbox
