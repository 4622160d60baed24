// SPDX-License-Identifier: Apache-2.0

// Texts about meshes in reports, for tables of a name and a value.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_MESH_ROWS_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_MESH_ROWS_H_

#include <string>
#include <string_view>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/report/internal/html.h"

namespace orbox::report {

void AddRow(std::string_view name, std::string_view value, Html& html);

// Returns "12 triangles, 8 vertices, closed; from (0, 0, 0) to (1, 1, 1)".
std::string MeshText(const Mesh& mesh);

// Returns the numbers of [R | t], row by row.
std::string PoseText(const Pose& pose);

// Returns "0.5 mm"; only the number if there is no unit.
std::string WithUnit(std::string_view number, std::string_view unit);

// Returns "in mm", or "in the unit of the meshes".
std::string UnitNote(std::string_view unit);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_MESH_ROWS_H_
