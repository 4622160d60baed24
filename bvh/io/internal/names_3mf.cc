// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/names_3mf.h"

#include <cstddef>

namespace orbox::mesh_internal {
namespace {

constexpr std::string_view kCore3mf =
    "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
// Core specification 0.93, with the same elements.
constexpr std::string_view kDraftCore3mf =
    "http://schemas.microsoft.com/3dmanufacturing/2013/01";
constexpr std::string_view kKnownExtensions3mf[] = {
    kCore3mf,
    kSliceSpace3mf,
    kBeamSpace3mf,
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06",
    "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07",
};

struct ElementRow3mf {
  Element3mf element;
  Element3mf parent;
  std::string_view name;
};
constexpr ElementRow3mf kElements3mf[] = {
    {Element3mf::kVertex, Element3mf::kVertexList, "vertex"},
    {Element3mf::kTriangle, Element3mf::kTriangleList, "triangle"},
    {Element3mf::kModel, Element3mf::kNone, "model"},
    {Element3mf::kResources, Element3mf::kModel, "resources"},
    {Element3mf::kObject, Element3mf::kResources, "object"},
    {Element3mf::kMesh, Element3mf::kObject, "mesh"},
    {Element3mf::kVertexList, Element3mf::kMesh, "vertices"},
    {Element3mf::kTriangleList, Element3mf::kMesh, "triangles"},
    {Element3mf::kComponents, Element3mf::kObject, "components"},
    {Element3mf::kComponent, Element3mf::kComponents, "component"},
    {Element3mf::kBuild, Element3mf::kModel, "build"},
    {Element3mf::kItem, Element3mf::kBuild, "item"},
    {Element3mf::kMetadataGroup, Element3mf::kObject, "metadatagroup"},
    {Element3mf::kMetadataGroup, Element3mf::kItem, "metadatagroup"},
    {Element3mf::kMetadata, Element3mf::kMetadataGroup, "metadata"},
};

}  // namespace

Element3mf ElementOf3mf(std::string_view name, Element3mf parent) {
  const std::string_view space = name.substr(0, name.find(' '));
  if ((space != kCore3mf && space != kDraftCore3mf) ||
      space.size() == name.size()) {
    return Element3mf::kOther;
  }
  name.remove_prefix(space.size() + 1);
  for (const ElementRow3mf& row : kElements3mf) {
    if (row.parent == parent && row.name == name) return row.element;
  }
  return Element3mf::kOther;
}

bool IsKnownExtension3mf(std::string_view space) {
  for (const std::string_view known : kKnownExtensions3mf) {
    if (known == space) return true;
  }
  return false;
}

std::string_view NameOfExtension3mf(std::string_view space) {
  constexpr std::string_view kShared = "/3dmanufacturing/";
  const size_t at = space.find(kShared);
  return at == std::string_view::npos ? space
                                      : space.substr(at + kShared.size());
}

}  // namespace orbox::mesh_internal
