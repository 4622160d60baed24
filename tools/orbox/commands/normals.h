// SPDX-License-Identifier: Apache-2.0

// --normals of `nearest` and `ray`: barycentric weights and normals of results.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_NORMALS_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_NORMALS_H_

#include <cstdint>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/points/surface_normal.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

inline constexpr Option kNormalsOption = {
    "--normals", "",
    "add the barycentric weights of the point, the unit normal of its "
    "triangle, and the normal of the vertex, edge or face that contains it: "
    "the mean of its triangles, weighted by their angles"};

// A point of the surface: a triangle and the weights of its corners.
struct SurfacePlace {
  uint32_t triangle;
  Vec3 weights;
};

// Adds the fields of --normals. `place_of` maps a const T& to a SurfacePlace.
// The tree must outlive the schema, and may be null if only the type is needed.
template <typename T, typename PlaceOf>
void AddNormals(const PosedTree* tree, PlaceOf place_of, Schema<T>* schema) {
  schema
      ->Add({"barycentric", "u,v,w", ", weights {}"},
            [place_of](const T& at) { return place_of(at).weights; })
      .Add({"normal", "nx,ny,nz", ", normal {}"},
           [tree, place_of](const T& at) {
             return TriangleNormal(*tree, place_of(at).triangle);
           })
      .Add({"feature_normal", "fx,fy,fz", ", of the feature {}"},
           [tree, place_of](const T& at) {
             const SurfacePlace place = place_of(at);
             return FeatureNormal(*tree, place.triangle, place.weights);
           });
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_NORMALS_H_
