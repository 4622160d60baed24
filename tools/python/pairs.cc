// SPDX-License-Identifier: Apache-2.0

// Posed trees, and queries of two of them.
#include "tools/python/pairs.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/clash.h"
#include "tools/python/columns.h"
#include "tools/python/poses.h"

namespace orbox::python {

template <>
struct FieldsOf<BoundedDistance> {
  static auto Of(const BoundedDistance& d) {
    return std::tuple_cat(std::tuple(d.lower),
                          FieldsOf<Witness>::Of(d.nearest));
  }
};

namespace {

// Number of triangles above which a query for the smallest distance is watched.
// The query usually takes microseconds. It takes a third of a second for meshes
// of this size that are about equally near everywhere.
constexpr size_t kWatchedDistance = 500'000;

// Runs a query of pairs that takes the common options.
template <typename Question>
auto RunOnPair(const PosedTree& a, const PosedTree& b, const CallOptions& run,
               const Question& call) {
  return RunOnPair(a, b, run, QueryOptions(), call);
}

// Not watched, because the query is too short.
bool Overlap(const PosedTree& a, const PosedTree& b, const CallOptions& run) {
  return ValueOf([&] {
    const nb::gil_scoped_release unlocked;
    return AnyOverlap(a, b, {.statistics = run.statistics});
  }());
}

bool Within(const PosedTree& a, const PosedTree& b, double distance,
            const CallOptions& run) {
  return ValueOf([&] {
    const nb::gil_scoped_release unlocked;
    return AnyWithin(a, b, distance, {.statistics = run.statistics});
  }());
}

Answer OverlappingPairs(const PosedTree& a, const PosedTree& b,
                        const CallOptions& run) {
  return NumpyColumns(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return AllOverlaps(a, b, options);
  }));
}

size_t OverlapCount(const PosedTree& a, const PosedTree& b,
                    const CallOptions& run) {
  return ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return CountOverlaps(a, b, options);
  });
}

Answer PairsWithin(const PosedTree& a, const PosedTree& b, double distance,
                   const CallOptions& run) {
  return NumpyColumns(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return AllWithin(a, b, distance, options);
  }));
}

size_t WithinCount(const PosedTree& a, const PosedTree& b, double distance,
                   const CallOptions& run) {
  return ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return CountWithin(a, b, distance, options);
  });
}

Answer PlacesWithin(const PosedTree& a, const PosedTree& b, double distance,
                    const CallOptions& run) {
  return NumpyColumns(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return AllClustersWithin(a, b, distance, options);
  }));
}

Answer Contacts(const PosedTree& a, const PosedTree& b,
                const CallOptions& run) {
  const std::vector<PairContact> contacts = ValueOnPair(
      a, b, run,
      [&](const RunOptions& options) { return AllContacts(a, b, options); });
  std::vector<TrianglePair> pairs;
  Lists<Vec3> points;
  for (const PairContact& c : contacts) {
    pairs.push_back(c.triangles);
    const auto corners = c.contact.points();
    points.values.insert(points.values.end(), corners.begin(), corners.end());
    points.offsets.push_back(points.values.size());
  }
  const nb::object lists = NumpyLists(points);
  return nb::make_tuple(NumpyColumns(pairs), lists[0], lists[1]);
}

Answer Distance(const PosedTree& a, const PosedTree& b, double max_distance,
                const std::optional<TrianglePair>& guess,
                const CallOptions& run) {
  return NumpyRowOrMissing(ValueOnPair(
      a, b, run,
      [&](const RunOptions& options) {
        return ClosestPair(a, b, {.max_distance = max_distance, .guess = guess},
                           options);
      },
      kWatchedDistance));
}

// Returns bounds of the distance, either within an error or as two neighbouring
// doubles. The upper bound replaces the distance of the witness.
Answer DistanceBounds(const PosedTree& a, const PosedTree& b,
                      double max_distance, double relative, double absolute,
                      const CallOptions& run) {
  using Found = absl::StatusOr<std::optional<BoundedDistance>>;
  const ClosestPairQuery query{.max_distance = max_distance};
  return NumpyRowOrMissing(ValueOnPair(
      a, b, run,
      [&](const RunOptions& options) -> Found {
        if (relative > 0 || absolute > 0) {
          return ClosestPairWithError(
              a, b, {.relative = relative, .absolute = absolute}, query,
              options);
        }
        const absl::StatusOr<std::optional<Witness>> closest =
            ClosestPair(a, b, query, options);
        if (!closest.ok()) return closest.status();
        if (!closest->has_value()) return std::nullopt;
        const absl::StatusOr<DistanceInterval> exact =
            BoundsOfDistance(a, b, **closest, options);
        if (!exact.ok()) return exact.status();
        BoundedDistance found{.nearest = **closest, .lower = exact->lower};
        found.nearest.distance = exact->upper;
        return found;
      },
      kWatchedDistance));
}

Answer ClosestPairs(const PosedTree& a, const PosedTree& b,
                    const CallOptions& run) {
  return NumpyColumns(ValueOnPair(
      a, b, run,
      [&](const RunOptions& options) {
        return AllClosestPairs(a, b, {}, options);
      },
      kWatchedDistance));
}

std::string Relation(const PosedTree& a, const PosedTree& b, bool by_parity,
                     const CallOptions& run) {
  return NameOf(RunOnPair(a, b, run, QueryOptions(), [&](QueryOptions options) {
    options.inside = RuleOf(by_parity);
    return RelationOfMeshes(a, b, options);
  }));
}

Answer Penetrates(const PosedTree& a, const PosedTree& b, bool by_parity,
                  const CallOptions& run) {
  return NumpyRow(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return PenetrationOf(a, b, RuleOf(by_parity), options);
  }));
}

Answer Vertices(const PosedTree& posed) {
  const std::span<const Vec3> vertices = posed.tree().mesh().vertices();
  Column<double> moved(3 * vertices.size());
  for (size_t i = 0; i < vertices.size(); ++i) {
    Put(moved, i, posed.pose().Apply(vertices[i]));
  }
  return Numpy(std::move(moved), 3);
}

PosedTree At(const Tree& tree, const PoseRows& array) {
  const Pose pose = OnePose(array);
  return ValueOf(Run({.progress = nb::none()},
                     [&](Control&) { return PosedTree::Create(tree, pose); }));
}

}  // namespace

void BindPairs(nb::module_& m) {
  nb::class_<PosedTree>(m, "PosedTree")
      .def(nb::init<const Tree&>())
      .def_prop_ro("tree", [](const PosedTree& p) { return p.tree(); })
      .def_prop_ro("is_moved", &PosedTree::is_moved)
      .def_prop_ro(
          "face_count",
          [](const PosedTree& p) { return p.tree().mesh().triangle_count(); })
      .def_prop_ro("pose",
                   [](const PosedTree& p) { return NumpyPose(p.pose()); })
      .def_prop_ro("vertices", Vertices);
  m.def("at", At);
  nb::class_<TrianglePair>(m, "TrianglePair")
      .def("__init__", [](TrianglePair* self, uint32_t a, uint32_t b) {
        new (self) TrianglePair{a, b};
      });
  m.def("overlap", Overlap);
  m.def("within", Within);
  m.def("overlapping_pairs", OverlappingPairs);
  m.def("overlap_count", OverlapCount);
  m.def("pairs_within", PairsWithin);
  m.def("within_count", WithinCount);
  m.def("places_within", PlacesWithin);
  m.def("contacts", Contacts);
  m.def("distance", Distance, nb::arg(), nb::arg(), nb::arg(),
        nb::arg("guess").none(), nb::arg("run"));
  m.def("distance_bounds", DistanceBounds);
  m.def("closest_pairs", ClosestPairs);
  m.def("relation", Relation);
  m.def("penetration", Penetrates);
}

}  // namespace orbox::python
