// SPDX-License-Identifier: Apache-2.0

// When meshes that move rigidly first touch.
#include <nanobind/nanobind.h>

#include <string>

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/poses.h"

namespace orbox::python {

namespace {

// From the first pose to the second, about `center` of the mesh's coordinates.
MovingTree Moving(const Tree& tree, const PoseRows& array,
                  const DoubleRows<3>& center) {
  const std::vector<Pose> poses = PosesOf(array);
  if (poses.size() != 2 || center.shape(0) != 1) {
    throw nb::value_error("poses: a motion has a first and a last pose");
  }
  CheckFinite({center.data(), 3}, 3, "center");
  const Rows<Vec3> about(center);
  return ValueOf(MovingTree::Create(
      tree, RigidMotion::Between(poses[0], poses[1], about[0])));
}

const char* NameOf(MotionOutcome outcome) {
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

nb::tuple Contact(const MovingTree& a, const MovingTree& b, double tolerance,
                  int max_steps) {
  const TimeOfContactResult r = Run({.progress = nb::none()}, [&](Control&) {
    return TimeOfContact(a, b,
                         {.tolerance = tolerance, .max_steps = max_steps});
  });
  Column<double> on_a(3);
  Column<double> on_b(3);
  Put(on_a, 0, r.on_a);
  Put(on_b, 0, r.on_b);
  return nb::make_tuple(NameOf(r.outcome), r.earliest, r.latest, r.distance,
                        nb::make_tuple(r.triangles.a, r.triangles.b),
                        Numpy(std::move(on_a)), Numpy(std::move(on_b)));
}

}  // namespace

void BindMotion(nb::module_& m) {
  nb::class_<MovingTree>(m, "MovingTree");
  m.def("moving", Moving);
  m.def("time_of_contact", Contact);
}

}  // namespace orbox::python
