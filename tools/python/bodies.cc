// SPDX-License-Identifier: Apache-2.0

// Bodies of files, with their meshes, poses, names and properties.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/poses.h"

namespace orbox::python {

namespace {

// Returns (name, mesh, pose, properties) of each body, then the names of
// elements that are not bodies. Bodies that share a mesh get the same mesh
// object.
Answer ReadBodyRows(const std::string& path, const nb::object& progress) {
  std::vector<std::string> left_out;
  const std::vector<NamedBody> bodies =
      ValueOf(Run({.progress = progress, .watched = true},
                  [&](Control& control) {
                    ReadOptions options;
                    options.left_out = &left_out;
                    control.Steer(options);
                    return ReadBodiesFile(path, options);
                  }),
              Subject::kFile);
  // Copies of a mesh share their data.
  std::map<std::pair<const void*, const void*>, nb::object> meshes;
  nb::list rows;
  for (const NamedBody& body : bodies) {
    nb::object& mesh =
        meshes[{body.mesh.vertices().data(), body.mesh.triangles().data()}];
    if (!mesh.is_valid()) mesh = nb::cast(body.mesh);
    rows.append(
        nb::make_tuple(body.name, mesh, NumpyPose(body.pose), body.properties));
  }
  nb::list names;
  for (const std::string& name : left_out) names.append(name);
  return nb::make_tuple(rows, names);
}

// Writes rows in the form of `ReadBodyRows`, with poses of shape (1, 16).
void WriteBodyRows(const nb::list& rows, const std::string& path,
                   const DoubleRows<4>& rgba) {
  std::vector<NamedBody> bodies;
  for (const nb::handle row : rows) {
    bodies.push_back({.name = nb::cast<std::string>(row[0]),
                      .mesh = nb::cast<const Mesh&>(row[1]),
                      .pose = OnePose(nb::cast<PoseRows>(row[2])),
                      .properties = nb::cast<BodyProperties>(row[3])});
  }
  const ArrayRows<std::array<double, 4>> all(rgba);
  std::vector<BodyColor> colors;
  for (const std::array<double, 4>& c : all.span()) {
    colors.push_back({.red = static_cast<float>(c[0]),
                      .green = static_cast<float>(c[1]),
                      .blue = static_cast<float>(c[2]),
                      .alpha = static_cast<float>(c[3])});
  }
  ThrowIfBad(
      Run({.progress = nb::none()},
          [&](Control&) { return WriteBodiesFile(bodies, path, colors); }),
      Subject::kFile);
}

}  // namespace

void BindBodies(nb::module_& m) {
  m.def("read_bodies", ReadBodyRows, nb::arg(), nb::arg().none());
  m.def("write_bodies", WriteBodyRows);
}

}  // namespace orbox::python
