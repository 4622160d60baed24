// SPDX-License-Identifier: Apache-2.0

// Hausdorff distances and deviations of two surfaces; self-intersections.
#include "tools/python/surfaces.h"

#include <nanobind/nanobind.h>

#include <limits>
#include <string_view>

#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/overlap/triangles/contact_kind.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

namespace {

Answer Hausdorff(const PosedTree& a, const PosedTree& b, double tolerance,
                 double relative_tolerance, const CallOptions& run) {
  const HausdorffLimits limits = AccuracyOf(tolerance, relative_tolerance);
  return NumpyRow(
      ValueOf(RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return HausdorffDistance(a, b, limits, options);
      })));
}

Answer Deviation(const PosedTree& a, const PosedTree& b, double tolerance,
                 double relative_tolerance, const CallOptions& run) {
  const HausdorffLimits limits = AccuracyOf(tolerance, relative_tolerance);
  return NumpyColumns(
      ValueOf(RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return DeviationField(a, b, limits, options);
      })));
}

// Returns the fields of Python's DeviationSummary. Numbers without a meaning
// are NaN.
Answer SummaryOfDeviation(const PosedTree& a, const PosedTree& b, double within,
                          double max_distance, const CallOptions& run) {
  const DeviationSummary s =
      ValueOf(RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return SummarizeDeviation(a, b, LimitsOf(within, max_distance),
                                  options);
      }));
  const auto number = [&s](double value) {
    return s.points > 0 ? value : std::numeric_limits<double>::quiet_NaN();
  };
  return nb::make_tuple(
      s.points, s.beyond, number(s.smallest), number(s.largest), number(s.mean),
      number(s.root_mean_square), number(s.standard_deviation),
      number(s.median), number(s.percentile_90), number(s.percentile_95),
      number(s.percentile_99),
      s.share_within ? nb::object(nb::float_(*s.share_within))
                     : nb::object(nb::none()));
}

// Returns (from a to b, from b to a).
Answer SymmetricHausdorff(const PosedTree& a, const PosedTree& b,
                          double tolerance, double relative_tolerance,
                          const CallOptions& run) {
  const HausdorffLimits limits = AccuracyOf(tolerance, relative_tolerance);
  const SymmetricHausdorffResult both =
      ValueOf(RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return SymmetricHausdorffDistance(a, b, limits, options);
      }));
  return nb::make_tuple(NumpyRow(both.a_to_b), NumpyRow(both.b_to_a));
}

SharedCorners SharedBy(bool index) {
  return index ? SharedCorners::kByIndex : SharedCorners::kByPosition;
}

template <typename Question>
auto RunOnSelf(const Tree& tree, const CallOptions& run, const Question& call) {
  return ValueOf(RunQuery(run, tree.mesh().triangle_count() > kWatchedTriangles,
                          RunOptions(), call));
}

Answer SelfOverlaps(const Tree& tree, bool by_index, const CallOptions& run) {
  return NumpyColumns(RunOnSelf(tree, run, [&](const RunOptions& options) {
    return AllSelfOverlaps(tree, SharedBy(by_index), options);
  }));
}

Answer SelfContacts(const Tree& tree, bool by_index, const CallOptions& run) {
  return NumpyColumns(RunOnSelf(tree, run, [&](const RunOptions& options) {
    return AllSelfContacts(tree, SharedBy(by_index), options);
  }));
}

// Returns the names of the kinds of contacts, by their numbers.
nb::tuple ContactKinds() {
  nb::list names;
  for (const std::string_view name : kContactKindNames) {
    names.append(nb::str(name.data(), name.size()));
  }
  return nb::tuple(names);
}

bool SelfOverlap(const Tree& tree, bool by_index, const CallOptions& run) {
  return RunOnSelf(tree, run, [&](const RunOptions& options) {
    return AnySelfOverlap(tree, SharedBy(by_index), options);
  });
}

Answer SelfWithin(const Tree& tree, bool by_index, double distance,
                  const CallOptions& run) {
  return NumpyColumns(RunOnSelf(tree, run, [&](const RunOptions& options) {
    return AllSelfWithin(tree, distance, SharedBy(by_index), options);
  }));
}

}  // namespace

void BindSurfaces(nb::module_& m) {
  m.def("hausdorff", Hausdorff);
  m.def("symmetric_hausdorff", SymmetricHausdorff);
  m.def("deviation", Deviation);
  m.def("deviation_summary", SummaryOfDeviation);
  m.def("self_overlap", SelfOverlap);
  m.def("self_overlaps", SelfOverlaps);
  m.def("self_contacts", SelfContacts);
  m.def("contact_kinds", ContactKinds);
  m.def("self_within", SelfWithin);
}

}  // namespace orbox::python
