// SPDX-License-Identifier: Apache-2.0

// Meshes: made from arrays, files and formulas, and converted back.
#include "orbox/bvh/mesh/mesh.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/mesh/weld_vertices.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

namespace {

// Returns the first row with an index that is not below `vertices`, or -1.
int64_t BadFace(std::span<const int64_t> faces, size_t vertices) {
  for (size_t i = 0; i < faces.size(); ++i) {
    if (faces[i] < 0 || static_cast<size_t>(faces[i]) >= vertices) {
      return static_cast<int64_t>(i / 3);
    }
  }
  return -1;
}

Mesh MeshOf(const DoubleRows<3>& vertices, const IndexRows<3>& faces) {
  const ArrayRows<Vec3> points(vertices);
  const std::span<const int64_t> corners(faces.data(), 3 * faces.shape(0));
  CheckFinite({vertices.data(), 3 * points.size()}, 3, "vertices");
  if (const int64_t row = BadFace(corners, points.size()); row >= 0) {
    const std::string message =
        "faces: row " + std::to_string(row) + " is (" +
        std::to_string(corners[3 * row]) + ", " +
        std::to_string(corners[3 * row + 1]) + ", " +
        std::to_string(corners[3 * row + 2]) + "), and there are " +
        std::to_string(points.size()) +
        " vertices; indices count from 0 and have to be below that";
    throw nb::value_error(message.c_str());
  }
  std::vector<TriangleIndices> triangles(faces.shape(0));
  for (size_t i = 0; i < triangles.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      triangles[i][k] = static_cast<uint32_t>(corners[3 * i + k]);
    }
  }
  const std::span<const Vec3> all = points.span();
  return ValueOf(Mesh::Create(std::vector<Vec3>(all.begin(), all.end()),
                              std::move(triangles)));
}

// Returns a view of the mesh's vertices. The view keeps them in memory.
Answer Vertices(const Mesh& mesh) {
  const auto* kept = new Mesh(mesh);
  const nb::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<const Mesh*>(p); });
  const size_t shape[2] = {mesh.vertex_count(), 3};
  return nb::cast(nb::ndarray<nb::numpy, const double>(
      kept->vertices().data(), 2, static_cast<const size_t*>(shape), owner));
}

Answer Faces(const Mesh& mesh) {
  Column<int64_t> faces(3 * mesh.triangle_count());
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    for (size_t k = 0; k < 3; ++k) faces[3 * i + k] = mesh.triangles()[i][k];
  }
  return Numpy(std::move(faces), 3);
}

Answer Bounds(const Mesh& mesh) {
  Column<double> bounds(6);
  Put(bounds, 0, mesh.bounds().lo);
  Put(bounds, 1, mesh.bounds().hi);
  return Numpy(std::move(bounds), 3);
}

nb::tuple TextsOf(std::span<const ReadNote> notes) {
  nb::list texts;
  for (const ReadNote& note : notes) texts.append(TextOf(note));
  return nb::tuple(texts);
}

// Returns the welded mesh, and notes as texts.
Answer Welded(const Mesh& mesh, double distance) {
  const WeldedMesh welded =
      ValueOf(Run({.progress = nb::none()},
                  [&](Control&) { return WeldVertices(mesh, distance); }));
  return nb::make_tuple(welded.mesh, TextsOf(NotesOn(welded)));
}

// Returns the mesh of a file, and the notes on the file as texts.
Answer Read(const std::string& path, bool skip_invalid,
            std::optional<double> weld, const nb::object& progress) {
  std::vector<ReadNote> notes;
  Mesh mesh = ValueOf(Run({.progress = progress, .watched = true},
                          [&](Control& control) {
                            ReadOptions options;
                            options.notes = &notes;
                            options.skip_invalid = skip_invalid;
                            options.weld = weld;
                            control.Steer(options);
                            return ReadMeshFile(path, options);
                          }),
                      Subject::kFile);
  return nb::make_tuple(std::move(mesh), TextsOf(notes));
}

// Returns the mesh of a PLY file in memory, and the notes on it as texts.
Answer ReadPly(const nb::bytes& file) {
  const std::string_view bytes(file.c_str(), file.size());
  std::vector<ReadNote> notes;
  Mesh mesh = ValueOf(Run({.progress = nb::none()}, [&](Control&) {
    return ReadMesh(bytes, MeshFormat::kPly, "mesh", {.notes = &notes});
  }));
  return nb::make_tuple(std::move(mesh), TextsOf(notes));
}

void Write(const Mesh& mesh, const std::string& path) {
  ThrowIfBad(Run({.progress = nb::none()},
                 [&](Control&) { return WriteMeshFile(mesh, path); }),
             Subject::kFile);
}

std::vector<std::tuple<std::string, std::string>> Shapes() {
  std::vector<std::tuple<std::string, std::string>> shapes;
  for (const GeneratedShape& shape : GeneratedShapes()) {
    shapes.emplace_back(std::string(shape.name), std::string(shape.what));
  }
  return shapes;
}

std::vector<Mesh> Split(const Mesh& mesh) {
  return Run({.progress = nb::none()},
             [&](Control&) { return SplitIntoComponents(mesh); });
}

Answer Facts(const Mesh& mesh) {
  const SurfaceFacts facts = Run(
      {.progress = nb::none()}, [&](Control&) { return FactsOfSurface(mesh); });
  return nb::make_tuple(facts.components, facts.boundary_edges,
                        facts.boundary_loops, facts.non_manifold_edges,
                        facts.area, facts.volume);
}

}  // namespace

void BindMesh(nb::module_& m) {
  nb::class_<Mesh>(m, "Mesh")
      .def_prop_ro("vertices", Vertices)
      .def_prop_ro("faces", Faces)
      .def_prop_ro("bounds", Bounds)
      .def_prop_ro("vertex_count", &Mesh::vertex_count)
      .def_prop_ro("face_count", &Mesh::triangle_count)
      .def_prop_ro("degenerate_count", &Mesh::degenerate_count);
  m.def("mesh", MeshOf);
  m.def(
      "do_faces_agree", [](const Mesh& mesh) { return DoFacesAgree(mesh); },
      nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "is_closed", [](const Mesh& mesh) { return IsClosed(mesh); },
      nb::call_guard<nb::gil_scoped_release>());
  m.def("parts", [](const Mesh& mesh) {
    const MeshComponents parts = Run({.progress = nb::none()}, [&](Control&) {
      return MeshComponents::Of(mesh);
    });
    return NumpyColumns(parts.first_triangles());
  });
  m.def("split", Split);
  m.def("surface_facts", Facts);
  m.def("read_mesh", Read, nb::arg(), nb::arg(), nb::arg().none(),
        nb::arg().none());
  m.def("read_ply", ReadPly);
  m.def("weld", Welded);
  m.def("write_mesh", Write);
  m.def("generate", [](const std::string& shape, size_t faces, uint64_t seed) {
    return ValueOf(
        GenerateMesh({.shape = shape, .triangles = faces, .seed = seed}));
  });
  m.def("shapes", Shapes);
}

}  // namespace orbox::python
