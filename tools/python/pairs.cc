// SPDX-License-Identifier: Apache-2.0

// Posed trees, and queries of two of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/bvh/query/pair_contacts.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/query/penetration.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/poses.h"

namespace orbox::python {

namespace {

bool IsLarge(const PosedTree& a, const PosedTree& b) {
  return a.tree().mesh().triangle_count() + b.tree().mesh().triangle_count() >
         kWatchedTriangles;
}

// What every query of pairs asks in the same way.
template <typename Ask>
auto Pairs(const PosedTree& a, const PosedTree& b, int threads,
           const nb::object& progress, TraversalStatistics* statistics,
           const Ask& ask) {
  return Run(
      {.progress = progress, .watched = IsLarge(a, b)}, [&](Control& control) {
        QueryOptions options{.statistics = statistics, .threads = threads};
        control.Steer(options);
        return ask(options);
      });
}

bool Overlap(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) {
  const nb::gil_scoped_release unlocked;
  return AnyOverlap(a, b, {.statistics = statistics});
}

bool Within(const PosedTree& a, const PosedTree& b, double distance,
            TraversalStatistics* statistics) {
  const nb::gil_scoped_release unlocked;
  return AnyWithin(a, b, distance, {.statistics = statistics});
}

nb::object OverlappingPairs(const PosedTree& a, const PosedTree& b, int threads,
                            const nb::object& progress,
                            TraversalStatistics* statistics) {
  return NumpyPairs(Pairs(
      a, b, threads, progress, statistics,
      [&](const QueryOptions& options) { return AllOverlaps(a, b, options); }));
}

size_t OverlapCount(const PosedTree& a, const PosedTree& b, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  return Pairs(a, b, threads, progress, statistics,
               [&](const QueryOptions& options) {
                 return CountOverlaps(a, b, options);
               });
}

nb::object PairsWithin(const PosedTree& a, const PosedTree& b, double distance,
                       int threads, const nb::object& progress,
                       TraversalStatistics* statistics) {
  return NumpyDistances(Pairs(a, b, threads, progress, statistics,
                              [&](const QueryOptions& options) {
                                return AllWithin(a, b, distance, options);
                              }));
}

size_t WithinCount(const PosedTree& a, const PosedTree& b, double distance,
                   int threads, const nb::object& progress,
                   TraversalStatistics* statistics) {
  return Pairs(a, b, threads, progress, statistics,
               [&](const QueryOptions& options) {
                 return CountWithin(a, b, distance, options);
               });
}

nb::object Contacts(const PosedTree& a, const PosedTree& b, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  const std::vector<PairContact> contacts = Pairs(
      a, b, threads, progress, statistics,
      [&](const QueryOptions& options) { return AllContacts(a, b, options); });
  size_t count = 0;
  for (const PairContact& c : contacts) count += c.contact.points().size();
  Column<int64_t> pairs(2 * contacts.size());
  Column<int64_t> offsets(contacts.size() + 1);
  Column<double> points(3 * count);
  count = 0;
  for (size_t i = 0; i < contacts.size(); ++i) {
    Put(pairs, i, contacts[i].triangles);
    offsets[i] = static_cast<int64_t>(count);
    for (const Vec3& p : contacts[i].contact.points()) Put(points, count++, p);
  }
  offsets[contacts.size()] = static_cast<int64_t>(count);
  return nb::make_tuple(Numpy(std::move(pairs), 2), Numpy(std::move(offsets)),
                        Numpy(std::move(points), 3));
}

// None where the meshes are further apart than max_distance.
nb::object Distance(const PosedTree& a, const PosedTree& b, double max_distance,
                    const std::optional<TrianglePair>& guess,
                    TraversalStatistics* statistics) {
  if (guess && (guess->a >= a.tree().mesh().triangle_count() ||
                guess->b >= b.tree().mesh().triangle_count())) {
    throw nb::value_error(
        "guess: there are no such faces; give those of an earlier answer");
  }
  const std::optional<Witness> gap =
      Run({.progress = nb::none(), .watched = IsLarge(a, b)},
          [&](Control& control) {
            ClosestPairOptions options{.guess = guess,
                                       .max_distance = max_distance,
                                       .statistics = statistics};
            control.Steer(options);
            return ClosestPair(a, b, options);
          });
  if (!gap) return nb::none();
  Column<double> on_a(3);
  Column<double> on_b(3);
  Put(on_a, 0, gap->on_a);
  Put(on_b, 0, gap->on_b);
  return nb::make_tuple(gap->distance,
                        nb::make_tuple(gap->triangles.a, gap->triangles.b),
                        Numpy(std::move(on_a)), Numpy(std::move(on_b)));
}

std::string Relation(const PosedTree& a, const PosedTree& b,
                     TraversalStatistics* statistics) {
  const MeshRelation relation = Run({.progress = nb::none()}, [&](Control&) {
    return RelationOfMeshes(a, b, {.statistics = statistics});
  });
  switch (relation) {
    case MeshRelation::kMeet:
      return "meet";
    case MeshRelation::kApart:
      return "apart";
    case MeshRelation::kFirstInSecond:
      return "inside";
    case MeshRelation::kSecondInFirst:
      return "contains";
    case MeshRelation::kSolidsOverlap:
      return "solids overlap";
    case MeshRelation::kUndefined:
      break;
  }
  return "undefined";
}

nb::object Penetration(const PosedTree& a, const PosedTree& b,
                       TraversalStatistics* statistics) {
  const Job job{.progress = nb::none(), .watched = IsLarge(a, b)};
  const auto way = Run(job, [&](Control& control) {
    QueryOptions options{.statistics = statistics};
    control.Steer(options);
    return EstimatePenetration(a, b, options);
  });
  if (!way) return nb::none();
  Column<double> translation(3);
  Put(translation, 0, way->translation);
  return nb::make_tuple(way->depth, Numpy(std::move(translation)));
}

nb::object PoseOf(const PosedTree& posed) {
  Column<double> matrix(16);
  const Pose& pose = posed.pose();
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) matrix[4 * i + k] = pose.rows[i][k];
    matrix[4 * i + 3] = pose.translation[i];
  }
  for (size_t k = 0; k < 4; ++k) matrix[12 + k] = k == 3 ? 1 : 0;
  return Numpy(std::move(matrix), 4);
}

nb::object Vertices(const PosedTree& posed) {
  const std::span<const Vec3> vertices = posed.tree().mesh().vertices();
  Column<double> moved(3 * vertices.size());
  for (size_t i = 0; i < vertices.size(); ++i) {
    Put(moved, i, posed.pose().Apply(vertices[i]));
  }
  return Numpy(std::move(moved), 3);
}

PosedTree At(const Tree& tree, const PoseRows& array) {
  const std::vector<Pose> poses = PosesOf(array);
  if (poses.size() != 1) throw nb::value_error("pose: one pose is asked for");
  return ValueOf(Run({.progress = nb::none()}, [&](Control&) {
    return PosedTree::Create(tree, poses[0]);
  }));
}

}  // namespace

void BindPairs(nb::module_& m) {
  nb::class_<PosedTree>(m, "PosedTree")
      .def(nb::init<const Tree&>())
      .def_prop_ro("tree", [](const PosedTree& p) { return p.tree(); })
      .def_prop_ro("pose", PoseOf)
      .def_prop_ro("vertices", Vertices);
  m.def("at", At);
  nb::class_<TrianglePair>(m, "TrianglePair")
      .def("__init__", [](TrianglePair* self, uint32_t a, uint32_t b) {
        new (self) TrianglePair{a, b};
      });
  const auto statistics = nb::arg("statistics").none();
  m.def("overlap", Overlap, nb::arg(), nb::arg(), statistics);
  m.def("within", Within, nb::arg(), nb::arg(), nb::arg(), statistics);
  m.def("overlapping_pairs", OverlappingPairs, nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("overlap_count", OverlapCount, nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("pairs_within", PairsWithin, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("within_count", WithinCount, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), statistics);
  m.def("contacts", Contacts, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
        statistics);
  m.def("distance", Distance, nb::arg(), nb::arg(), nb::arg(),
        nb::arg("guess").none(), statistics);
  m.def("relation", Relation, nb::arg(), nb::arg(), statistics);
  m.def("penetration", Penetration, nb::arg(), nb::arg(), statistics);
}

}  // namespace orbox::python
