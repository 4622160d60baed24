// SPDX-License-Identifier: Apache-2.0

// Time at which meshes that move or deform first touch.
#include <nanobind/nanobind.h>

#include <tuple>

#include "orbox/bvh/motion/deforming_contact.h"
#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"
#include "tools/python/poses.h"

namespace orbox::python {

template <>
struct FieldsOf<DeformingContact> {
  static auto Of(const DeformingContact& c) {
    return std::tuple(c.earliest, c.latest, c.triangles, c.point);
  }
};

namespace {

// Returns a motion from the first pose to the second, about the point `center`
// of the mesh.
MovingTree Moving(const Tree& tree, const PoseRows& array,
                  const DoubleRows<3>& center) {
  const std::vector<Pose> poses = PosesOf(array);
  if (poses.size() != 2 || center.shape(0) != 1) {
    throw nb::value_error("poses: a motion has a first and a last pose");
  }
  CheckFinite({center.data(), 3}, 3, "center");
  const ArrayRows<Vec3> about(center);
  return ValueOf(MovingTree::Create(
      tree, RigidMotion::Between(poses[0], poses[1], about[0])));
}

const char* NameOfOutcome(MotionOutcome outcome) {
  switch (outcome) {
    case MotionOutcome::kApart:
      return "apart";
    case MotionOutcome::kContact:
      return "contact";
    case MotionOutcome::kNear:
      return "near";
    case MotionOutcome::kUndecided:
      break;
  }
  return "undecided";
}

// Returns the value of call(options). Large meshes may take long.
template <typename Call>
auto OfMotion(const Tree& a, const Tree& b, const Call& call) {
  const bool is_large =
      a.mesh().triangle_count() + b.mesh().triangle_count() > kWatchedTriangles;
  return ValueOf(
      RunQuery({.progress = nb::none()}, is_large, RunOptions(), call));
}

Answer Contact(const MovingTree& a, const MovingTree& b, double tolerance,
               int max_steps) {
  const TimeOfContactResult r =
      OfMotion(a.tree(), b.tree(), [&](const RunOptions& run) {
        return TimeOfContact(
            a, b, {.tolerance = tolerance, .max_steps = max_steps}, run);
      });
  return nb::make_tuple(NameOfOutcome(r.outcome), r.earliest, r.latest) +
         NumpyRow(Witness{r.triangles, r.distance, r.on_a, r.on_b});
}

// Returns the mesh of a tree with moving vertices.
DeformingMesh Deforming(const Tree& tree, const DoubleRows<3>& vertices) {
  const ArrayRows<Vec3> to(vertices);
  CheckFinite({vertices.data(), 3 * to.size()}, 3, "vertices");
  return ValueOf(Run({.progress = nb::none()}, [&](Control&) {
    return DeformingMesh::Create(tree, to.span());
  }));
}

Answer First(const DeformingMesh& a, const DeformingMesh& b, double max_t,
             double tolerance) {
  return NumpyRow(OfMotion(a.tree(), b.tree(), [&](const RunOptions& run) {
    return FirstContact(a, b, {.tolerance = tolerance, .max_t = max_t}, run);
  }));
}

Answer FirstSelf(const DeformingMesh& mesh, double max_t, double tolerance) {
  const MotionContactOptions options{.tolerance = tolerance, .max_t = max_t};
  return NumpyRow(
      OfMotion(mesh.tree(), mesh.tree(), [&](const RunOptions& run) {
        return FirstSelfContact(mesh, options, run);
      }));
}

}  // namespace

void BindMotion(nb::module_& m) {
  nb::class_<MovingTree>(m, "MovingTree");
  m.def("moving", Moving);
  m.def("time_of_contact", Contact);
  nb::class_<DeformingMesh>(m, "DeformingMesh");
  m.def("deforming", Deforming);
  m.def("first_contact", First);
  m.def("first_self_contact", FirstSelf);
}

}  // namespace orbox::python
