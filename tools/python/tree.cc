// SPDX-License-Identifier: Apache-2.0

// Trees: building, writing, reading and refitting; and the statistics of
// queries.
#include "orbox/bvh/tree/tree.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/deforming_tree.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

namespace {

Tree Built(const Mesh& mesh, Volumes volumes, Quality quality, Storage storage,
           const CallOptions& run) {
  return ValueOf(Run({.progress = run.progress,
                      .watched = mesh.triangle_count() > kWatchedTriangles},
                     [&](Control& control) {
                       BuildOptions options{.volumes = volumes,
                                            .quality = quality,
                                            .storage = storage,
                                            .threads = run.threads};
                       control.Steer(options);
                       return Build(mesh, options);
                     }));
}

nb::bytes Encoded(const Tree& tree) {
  const std::string bytes = ValueOf(Run(
      {.progress = nb::none()}, [&](Control&) { return EncodeTree(tree); }));
  return nb::bytes(bytes.data(), bytes.size());
}

Tree Decoded(const nb::bytes& bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  return ValueOf(Run({.progress = nb::none()}, [&](Control&) {
    return DecodeTree(view, "the pickled tree");
  }));
}

Tree Load(const std::string& path, bool map) {
  return ValueOf(
      Run({.progress = nb::none()},
          [&](Control&) { return map ? MapTree(path) : ReadTree(path); }),
      Subject::kFile);
}

void Save(const Tree& tree, const std::string& path) {
  ThrowIfBad(Run({.progress = nb::none()},
                 [&](Control&) { return WriteTree(tree, path); }),
             Subject::kFile);
}

Tree Refitted(const Tree& tree, const Mesh& moved, int threads) {
  return ValueOf(Run({.progress = nb::none()}, [&](Control&) {
    return Refit(tree, moved, {.threads = threads});
  }));
}

void BindEnums(nb::module_& m) {
  nb::enum_<Volumes>(m, "Volumes")
      .value("mixed", Volumes::kMixed)
      .value("sphere", Volumes::kSphere)
      .value("aabb", Volumes::kAabb)
      .value("obb", Volumes::kObb);
  nb::enum_<Quality>(m, "Quality")
      .value("fast", Quality::kFast)
      .value("balanced", Quality::kBalanced)
      .value("best", Quality::kBest);
  nb::enum_<Storage>(m, "Storage")
      .value("wide", Storage::kWide)
      .value("compact", Storage::kCompact);
}

void BindStatistics(nb::module_& m) {
  using S = TraversalStatistics;
  nb::class_<S>(m, "Statistics",
                "What queries have cost: counts that they add to.\n\n"
                ">>> import orbox\n"
                ">>> box = orbox.Tree(orbox.generate('box', 12))\n"
                ">>> cost = orbox.Statistics()\n"
                ">>> near = box.closest((0, 0, 3), statistics=cost)\n"
                ">>> cost.triangle_tests > 0\n"
                "True\n")
      .def(nb::init<>())
      .def_prop_ro("nodes_visited",
                   [](const S& s) { return s.Total().nodes_visited; })
      .def_prop_ro("volume_tests",
                   [](const S& s) { return s.Total().volume_tests; })
      .def_prop_ro("accepted", [](const S& s) { return s.Total().accepted; })
      .def_prop_ro("test_false_positives",
                   [](const S& s) { return s.Total().test_false_positives; })
      .def_prop_ro("subtree_false_positives",
                   [](const S& s) { return s.Total().subtree_false_positives; })
      .def_ro("leaf_box_tests", &S::leaf_box_tests)
      .def_ro("leaves_visited", &S::leaves_visited)
      .def_ro("triangle_tests", &S::triangle_tests)
      .def_ro("settled_by_float", &S::settled_by_float)
      .def_ro("settled_by_double", &S::settled_by_double)
      .def_ro("settled_by_expansion", &S::settled_by_expansion)
      .def_ro("settled_by_exact", &S::settled_by_exact)
      .def("of_kind",
           [](const S& s, int kind) {
             const VolumeStatistics v =
                 s.TotalOfKind(static_cast<VolumeKind>(kind % kVolumeKinds));
             return nb::make_tuple(v.nodes_visited, v.volume_tests, v.accepted);
           })
      .def("add", [](S& s, const S& other) { s += other; })
      .def("reset", [](S& s) { s = S(); });
}

// Returns a copy, which the next Move does not change.
Tree TreeOf(const DeformingTree& tree) { return tree.tree(); }

void Move(DeformingTree& tree, const DoubleRows<3>& vertices) {
  const ArrayRows<Vec3> rows(vertices);
  CheckFinite({vertices.data(), 3 * rows.size()}, 3, "vertices");
  // Keeps the lock, so that moves do not run concurrently.
  ThrowIfBad(tree.Move(rows.span()));
}

}  // namespace

void BindTree(nb::module_& m) {
  BindEnums(m);
  BindStatistics(m);
  nb::class_<Tree>(m, "Tree")
      .def_prop_ro("mesh", [](const Tree& t) { return t.mesh(); })
      .def_prop_ro("depth", &Tree::depth)
      .def_prop_ro("node_count", &Tree::node_count)
      .def_prop_ro("leaf_count", &Tree::leaf_count)
      .def_prop_ro("size_bytes", &Tree::size_bytes)
      .def_prop_ro("volumes", &Tree::volumes)
      .def_prop_ro("storage", &Tree::storage);
  m.def("build", Built);
  m.def("encode_tree", Encoded);
  m.def("decode_tree", Decoded);
  m.def("is_tree_file", IsTreeFileAt);
  m.def("load_tree", Load);
  m.def("save_tree", Save);
  m.def("refit", Refitted);
  m.def("expected_visits", ExpectedVisits);
  nb::class_<DeformingTree>(m, "DeformingTree")
      .def_prop_ro("tree", TreeOf)
      .def_prop_ro("growth", &DeformingTree::growth)
      .def_prop_ro("builds", &DeformingTree::builds)
      .def("move", Move);
  m.def("deforming_tree", [](const Mesh& mesh, double most_growth) {
    return ValueOf(DeformingTree::Create(mesh, {.most_growth = most_growth}));
  });
}

}  // namespace orbox::python
