// SPDX-License-Identifier: Apache-2.0

// The shapes of generate.h, one function each. Private.
#ifndef ORBOX_BVH_IO_INTERNAL_SHAPES_H_
#define ORBOX_BVH_IO_INTERNAL_SHAPES_H_

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/internal/surface.h"

namespace orbox::mesh_internal {

// Closed shapes.
void TorusKnot(const GenerateOptions& options, Surface& out);
void LinkedKnot(const GenerateOptions& options, Surface& out);
void Torus(const GenerateOptions& options, Surface& out);
void Sphere(const GenerateOptions& options, Surface& out);
void Box(const GenerateOptions& options, Surface& out);
void Cylinder(const GenerateOptions& options, Surface& out);
void Gear(const GenerateOptions& options, Surface& out);

// Open shapes, and loose triangles.
void Plane(const GenerateOptions& options, Surface& out);
void Terrain(const GenerateOptions& options, Surface& out);
void Soup(const GenerateOptions& options, Surface& out);
void Needles(const GenerateOptions& options, Surface& out);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_SHAPES_H_
