// SPDX-License-Identifier: Apache-2.0

// One model part of a 3MF file: its objects, and the items of its build.
//
//   absl::StatusOr<Model3mf> model = ReadModel3mf(source, zip, "/3D/a.model");
#ifndef ORBOX_BVH_IO_INTERNAL_MODEL_3MF_H_
#define ORBOX_BVH_IO_INTERNAL_MODEL_3MF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/zip_archive.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::mesh_internal {

// An object at a pose: a component of another object, or an item of the build.
struct Placed3mf {
  std::string path;  // of the part that has the object; empty for this part
  uint32_t object = 0;
  Pose pose;
  BodyProperties properties;
};

struct Object3mf {
  std::string name;
  BodyProperties properties;
  // Either a mesh or components. Neither if the mesh has no triangles.
  std::optional<Mesh> mesh;
  std::vector<Placed3mf> components;
};

struct Model3mf {
  double unit = 1;  // in millimetres
  std::unordered_map<uint32_t, Object3mf> objects;
  std::vector<Placed3mf> build;
};

// Reads a model part. A component refers to an object of another part or to an
// earlier object of this part. So there are no cycles within a part.
absl::StatusOr<Model3mf> ReadModel3mf(const MeshSource& source,
                                      const ZipArchive& zip,
                                      std::string_view path);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_MODEL_3MF_H_
