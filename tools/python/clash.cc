// SPDX-License-Identifier: Apache-2.0

// Clashes of two solids, and their shared region.
#include "tools/python/clash.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/close_holes.h"
#include "orbox/bvh/solids/inside_facts.h"
#include "orbox/bvh/solids/interior_overlap.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"
#include "tools/python/pairs.h"

namespace orbox::python {

template <>
struct FieldsOf<MeasureBounds> {
  static auto Of(const MeasureBounds& b) {
    return std::tuple(b.lower, b.upper);
  }
};
template <>
struct FieldsOf<SharedThickness> {
  static auto Of(const SharedThickness& s) {
    return std::tuple(s.thickness.lower, s.thickness.upper, s.center);
  }
};

namespace {

Answer ClashOfPair(const PosedTree& a, const PosedTree& b,
                   const ClashOptions& wanted, const CallOptions& run) {
  return NumpyRow(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return ClashOf(a, b, wanted, options);
  }));
}

bool InteriorsOverlap(const PosedTree& a, const PosedTree& b, bool by_parity,
                      const CallOptions& run) {
  return ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return AnyInteriorOverlap(a, b, RuleOf(by_parity), options);
  });
}

Answer Thickness(const PosedTree& a, const PosedTree& b, double relative,
                 double absolute, bool by_parity, const CallOptions& run) {
  return NumpyRow(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return ThicknessOfShared(a, b, {.relative = relative, .absolute = absolute},
                             RuleOf(by_parity), options);
  }));
}

Answer Volume(const PosedTree& a, const PosedTree& b, double relative,
              double absolute, bool by_parity, const CallOptions& run) {
  return NumpyRow(ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return VolumeOfShared(a, b, {.relative = relative, .absolute = absolute},
                          RuleOf(by_parity), options);
  }));
}

bool IsThicker(const PosedTree& a, const PosedTree& b, double thickness,
               bool by_parity, const CallOptions& run) {
  return ValueOnPair(a, b, run, [&](const RunOptions& options) {
    return IsSharedThicker(a, b, thickness, RuleOf(by_parity), options);
  });
}

Answer FactsOnInside(const PosedTree& target, double relative, double absolute,
                     const CallOptions& run) {
  const InsideFacts facts =
      ValueOf(RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return FactsOfInside(target.tree(),
                             {.relative = relative, .absolute = absolute},
                             options);
      }));
  std::optional<std::tuple<double, double>> volume;
  if (facts.volume) volume = FieldsOf<MeasureBounds>::Of(*facts.volume);
  return nb::make_tuple(facts.is_closed, facts.do_faces_agree,
                        facts.looks_inward, facts.meets_itself, facts.has_walls,
                        volume);
}

// Returns a mesh with closed holes, and the number of closed holes.
nb::tuple HolesClosed(const PosedTree& body, double longest) {
  const ClosedHoles closed =
      ValueOf(CloseHoles(body.tree().mesh(), longest, body.pose()));
  return nb::make_tuple(closed.holes, IsClosed(closed.mesh),
                        DoFacesAgree(closed.mesh));
}

// Returns all kinds, indexed by their numbers: the name, and true if clashes of
// the kind need attention.
Answer Kinds() {
  nb::list kinds;
  for (int i = 0; i <= static_cast<int>(ClashKind::kClash); ++i) {
    const auto kind = static_cast<ClashKind>(i);
    kinds.append(nb::make_tuple(NameOf(kind), IsClash(kind)));
  }
  return kinds;
}

}  // namespace

void BindClash(nb::module_& m) {
  nb::class_<ClashOptions>(m, "ClashOptions")
      .def("__init__", [](ClashOptions* self, double tolerance,
                          double clearance, bool exact, bool by_parity,
                          double close_holes, bool thickness, bool volume,
                          bool gap, bool depth, double relative,
                          double absolute) {
        new (self)
            ClashOptions{.tolerance = tolerance,
                         .clearance = clearance,
                         .exact = exact,
                         .inside = RuleOf(by_parity),
                         .close_holes = close_holes,
                         .thickness = thickness,
                         .volume = volume,
                         .gap = gap,
                         .depth = depth,
                         .error = {.relative = relative, .absolute = absolute}};
      });
  m.def("interiors_overlap", InteriorsOverlap);
  m.def("clash", ClashOfPair);
  m.def("clash_kinds", Kinds);
  m.def("closed_holes", HolesClosed);
  m.def("inside_facts", FactsOnInside);
  m.def("shared_thickness", Thickness);
  m.def("shared_volume", Volume);
  m.def("is_shared_thicker", IsThicker);
}

}  // namespace orbox::python
