// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/generate.h"

#include <array>
#include <iterator>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/shapes.h"
#include "orbox/bvh/io/internal/surface.h"

namespace orbox {
namespace {

using mesh_internal::Surface;

struct ShapeRow {
  GeneratedShape shape;
  void (*make)(const GenerateOptions&, Surface&);
};

constexpr ShapeRow kShapes[] = {
    {{"torus_knot", "a tube along a trefoil knot; closed"},
     mesh_internal::TorusKnot},
    {{"linked_knot",
      "a knot that is linked with torus_knot like the next link of a chain; "
      "moved by 0.25 along +x, it touches torus_knot; closed"},
     mesh_internal::LinkedKnot},
    {{"torus", "a ring of radius 1 and thickness 1/4; closed"},
     mesh_internal::Torus},
    {{"sphere", "the unit sphere; closed"}, mesh_internal::Sphere},
    {{"box", "the unit cube, a grid on each face; closed"}, mesh_internal::Box},
    {{"cylinder", "of radius 1/2 and height 1; closed"},
     mesh_internal::Cylinder},
    {{"gear", "a spur gear of 12 teeth with a bore; closed"},
     mesh_internal::Gear},
    {{"plane", "a flat grid over the unit square"}, mesh_internal::Plane},
    {{"terrain", "random hills over the unit square, by seed"},
     mesh_internal::Terrain},
    {{"soup", "random triangles in the unit cube, by seed"},
     mesh_internal::Soup},
    {{"needles", "random thin triangles in the unit cube, by seed"},
     mesh_internal::Needles},
};

constexpr auto kPublicShapes = [] {
  std::array<GeneratedShape, std::size(kShapes)> shapes{};
  for (size_t i = 0; i < shapes.size(); ++i) shapes[i] = kShapes[i].shape;
  return shapes;
}();

absl::Status UnknownShape(const std::string& name) {
  std::string known;
  for (const GeneratedShape& shape : kPublicShapes) {
    absl::StrAppend(&known, known.empty() ? "" : ", ", std::string(shape.name));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the shape '", name, "' is not known; use one of ", known));
}

}  // namespace

std::span<const GeneratedShape> GeneratedShapes() { return kPublicShapes; }

absl::StatusOr<Mesh> GenerateMesh(const GenerateOptions& options) try {
  if (options.triangles < 1 || options.triangles > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(
        absl::StrCat("the number of triangles is ", options.triangles,
                     "; it has to be 1 to ", Mesh::kMaxTriangles));
  }
  for (const ShapeRow& row : kShapes) {
    if (row.shape.name != options.shape) continue;
    Surface surface;
    row.make(options, surface);
    return Mesh::Create(std::move(surface.vertices),
                        std::move(surface.triangles));
  }
  return UnknownShape(options.shape);
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat("not enough memory for ", options.triangles,
                   " triangles; request fewer"));
}

}  // namespace orbox
