// SPDX-License-Identifier: Apache-2.0

// Names in models of 3MF: elements, attributes and extensions. Expat writes a
// name as its namespace, a space and the local name.
#ifndef ORBOX_BVH_IO_INTERNAL_NAMES_3MF_H_
#define ORBOX_BVH_IO_INTERNAL_NAMES_3MF_H_

#include <string_view>

namespace orbox::mesh_internal {

// Elements that are read. Each one is read only inside its proper parent.
enum class Element3mf {
  kNone,
  kModel,
  kResources,
  kObject,
  kMesh,
  kVertexList,
  kVertex,
  kTriangleList,
  kTriangle,
  kComponents,
  kComponent,
  kBuild,
  kItem,
  kMetadataGroup,
  kMetadata,
  kOther,
};
Element3mf ElementOf3mf(std::string_view name, Element3mf parent);

// An attribute of components.
inline constexpr std::string_view kPath3mf =
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06 path";
// The extension of slices, and its attribute of objects.
inline constexpr std::string_view kSliceSpace3mf =
    "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07";
inline constexpr std::string_view kResolution3mf =
    "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07 meshresolution";
// The extension of beams, and its element in a mesh.
inline constexpr std::string_view kBeamSpace3mf =
    "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02";
inline constexpr std::string_view kBeams3mf =
    "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02 "
    "beamlattice";

// Returns true for extensions that a model may require. Those of slices and
// beams change the shapes of some objects, which are errors. The others do not
// change shapes.
bool IsKnownExtension3mf(std::string_view space);
// Returns the name of an extension, without the address that most share.
std::string_view NameOfExtension3mf(std::string_view space);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_NAMES_3MF_H_
