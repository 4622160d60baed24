// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/mesh_rows.h"

#include "tools/base/text.h"

namespace orbox::report {

using tools::Cat;
using tools::FormatPoint;
using tools::Grouped;

void AddRow(std::string_view name, std::string_view value, Html& html) {
  html.Open("tr");
  html.Leaf("th", {{"scope", "row"}}, name);
  html.Leaf("td", {{"class", "exact"}}, value);
  html.Close();
}

std::string MeshText(const Mesh& mesh) {
  return Cat(Grouped(mesh.triangle_count()), " triangles, ",
             Grouped(mesh.vertex_count()), " vertices, ",
             IsClosed(mesh) ? "closed" : "open", "; from ",
             FormatPoint(mesh.bounds().lo), " to ",
             FormatPoint(mesh.bounds().hi));
}

std::string PoseText(const Pose& pose) {
  std::string text;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Vec3& r = pose.rows[axis];
    text += Cat(axis > 0 ? "; " : "", r.x, ", ", r.y, ", ", r.z, ", ",
                pose.translation[axis]);
  }
  return text;
}

std::string WithUnit(std::string_view number, std::string_view unit) {
  return unit.empty() ? std::string(number) : Cat(number, " ", unit);
}

std::string UnitNote(std::string_view unit) {
  return unit.empty() ? "in the unit of the meshes" : Cat("in ", unit);
}

}  // namespace orbox::report
