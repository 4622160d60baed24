// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of what moves: first contacts of triangles against
// samples in rational arithmetic, of deforming meshes against all pairs of
// triangles, and of rigid bodies against the poses on the way. A violation
// aborts.
#ifndef ORBOX_TESTS_FUZZ_MOTIONS_FUZZ_H_
#define ORBOX_TESTS_FUZZ_MOTIONS_FUZZ_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orbox/bvh/motion/deforming_contact.h"
#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_contact.h"
#include "tests/support/exact_triangles.h"

namespace orbox {

void FuzzMotions(std::string_view bytes);

// Two triangles that move, made of corners of each other, so that contacts are
// hard to decide.
void FuzzMovingTriangles(FuzzInput& in);
void FuzzDeforming(FuzzInput& in);
void FuzzRigid(FuzzInput& in);

// Implementation.

struct MovingPair {
  MovingTriangle s;
  MovingTriangle t;
};

inline oracle::Corners CornersAt(const MovingTriangle& moving,
                                 const oracle::Rational& t) {
  const oracle::Corners from = oracle::Lift(moving.from);
  const oracle::Corners to = oracle::Lift(moving.to);
  return {oracle::Between(from[0], to[0], t),
          oracle::Between(from[1], to[1], t),
          oracle::Between(from[2], to[2], t)};
}

inline bool TouchAt(const MovingPair& p, const oracle::Rational& t) {
  return oracle::SquaredDistance(CornersAt(p.s, t), CornersAt(p.t, t)) == 0;
}

inline MovingPair AnyMovingPair(FuzzInput& in) {
  MovingPair p;
  std::vector<Vec3> known;
  const auto point = [&] {
    Vec3 v = known.empty() || in.Below(4) != 0 ? in.Vertex()
                                               : known[in.Below(known.size())];
    if (in.Below(8) == 0 && known.size() > 1) {
      v = TinyAsZero(known[in.Below(known.size())] * 0.5 +
                     known[in.Below(known.size())] * 0.5);
    }
    known.push_back(v);
    return v;
  };
  for (MovingTriangle* m : {&p.s, &p.t}) {
    for (size_t i = 0; i < 3; ++i) m->from[i] = point();
    const Vec3 way = in.Direction();
    const bool is_rigid = in.Below(3) == 0;
    for (size_t i = 0; i < 3; ++i) {
      m->to[i] = is_rigid ? m->from[i] + way : point();
      if (!IsVertex(m->to[i])) m->to[i] = m->from[i];
    }
  }
  return p;
}

inline void FuzzMovingTriangles(FuzzInput& in) {
  const MovingPair p = AnyMovingPair(in);
  const auto contact = FirstContact(p.s, p.t);
  if (contact) {
    Require(0 <= contact->earliest && contact->earliest <= contact->latest &&
                contact->latest <= 1,
            "times are in order");
    Require(contact->latest - contact->earliest <= 0x1p-40, "and close");
  }
  // One law for each input: each costs as much as the contact.
  switch (in.Below(6)) {
    case 0:
      Require(FirstContact(p.t, p.s) == contact, "either may be the first");
      return;
    case 1: {
      const MovingTriangle turned{{p.s.from.b, p.s.from.c, p.s.from.a},
                                  {p.s.to.b, p.s.to.c, p.s.to.a}};
      Require(FirstContact(turned, p.t) == contact, "so may any corner");
      return;
    }
    case 2: {
      const auto back =
          FirstContact({p.s.to, p.s.from}, MovingTriangle{p.t.to, p.t.from});
      Require(back.has_value() == contact.has_value(),
              "time may run backwards");
      return;
    }
    case 3: {
      if (!contact || contact->earliest == 0) return;
      Require(FirstContact(p.s, p.t, {.max_t = contact->latest}).has_value(),
              "what is within the limit is told");
      Require(!FirstContact(p.s, p.t, {.max_t = contact->earliest * 0.5}),
              "what is beyond it is not");
      return;
    }
    default: {
      const oracle::Rational time(static_cast<int>(in.Below(9)), 8);
      Require(!TouchAt(p, time) || (contact && contact->earliest <= time),
              "no contact is missed");
    }
  }
}

// A mesh and where its corners go, which may be out of range.
inline std::vector<Vec3> AnyWay(FuzzInput& in, const Mesh& mesh) {
  std::vector<Vec3> to(mesh.vertices().begin(), mesh.vertices().end());
  const Vec3 way = in.Direction();
  for (Vec3& v : to) v += way;
  for (size_t n = in.Below(4); n > 0; --n) {
    to[in.Byte() % to.size()] = in.PointNear(mesh);
  }
  return to;
}

inline std::vector<SharedCorner> CornersShared(const Mesh& mesh, uint32_t i,
                                               uint32_t j) {
  std::vector<SharedCorner> shared;
  const TriangleIndices& s = mesh.triangles()[i];
  const TriangleIndices& t = mesh.triangles()[j];
  for (size_t k = 0; k < 3; ++k) {
    // Each vertex once, also where a triangle has it twice.
    if (std::find(s.begin(), s.begin() + k, s[k]) != s.begin() + k) continue;
    const auto at = std::find(t.begin(), t.end(), s[k]);
    if (at == t.end()) continue;
    shared.push_back({k, static_cast<size_t>(at - t.begin())});
  }
  return shared;
}

inline void RequireSame(const std::optional<DeformingContact>& found,
                        const std::optional<DeformingContact>& expected) {
  Require(found.has_value() == expected.has_value(), "whether meshes touch");
  if (!found) return;
  Require(found->earliest == expected->earliest, "when they do not yet");
  Require(found->latest == expected->latest, "when they have");
  Require(found->triangles == expected->triangles, "which triangles do");
}

inline void RequireContact(const DeformingMesh& a, const DeformingMesh& b) {
  const auto count_a = static_cast<uint32_t>(a.tree().mesh().triangle_count());
  const auto count_b = static_cast<uint32_t>(b.tree().mesh().triangle_count());
  std::optional<DeformingContact> expected;
  for (uint32_t i = 0; i < count_a; ++i) {
    for (uint32_t j = 0; j < count_b; ++j) {
      brute_force::KeepFirst({i, j}, FirstContact(a.triangle(i), b.triangle(j)),
                             &expected);
    }
  }
  RequireSame(FirstContact(a, b), expected);
}

inline void RequireSelfContact(const DeformingMesh& a) {
  const Mesh& mesh = a.tree().mesh();
  const auto count_a = static_cast<uint32_t>(mesh.triangle_count());
  std::optional<DeformingContact> with_itself;
  for (uint32_t i = 0; i < count_a; ++i) {
    for (uint32_t j = i + 1; j < count_a; ++j) {
      const std::vector<SharedCorner> shared = CornersShared(mesh, i, j);
      brute_force::KeepFirst(
          {i, j}, FirstContactBeyond(a.triangle(i), a.triangle(j), shared),
          &with_itself);
    }
  }
  RequireSame(FirstSelfContact(a), with_itself);
}

inline void FuzzDeforming(FuzzInput& in) {
  const size_t most = in.is_wild() ? 2 : 3;
  const int count = static_cast<int>(in.Below(2)) + 1;
  std::vector<DeformingMesh> meshes;
  for (int i = 0; i < count; ++i) {
    const std::optional<Mesh> mesh = in.SmallMesh(most);
    if (!mesh) return;
    const auto tree = Build(*mesh, in.Options());
    RequireOk(tree.status(), "every mesh has a tree");
    const std::vector<Vec3> to = AnyWay(in, *mesh);
    const bool is_beyond = std::any_of(
        to.begin(), to.end(), [](const Vec3& v) { return IsBeyond(v); });
    const auto deforming = DeformingMesh::Create(*tree, to);
    Require(deforming.ok() != is_beyond,
            "vertices out of range are refused, and no others");
    if (!deforming.ok()) return;
    meshes.push_back(*deforming);
  }
  if (meshes.size() == 2) {
    RequireContact(meshes[0], meshes[1]);
  } else {
    RequireSelfContact(meshes[0]);
  }
}

inline std::optional<MovingTree> AnyMovingTree(FuzzInput& in) {
  const std::optional<Mesh> mesh = in.SmallMesh(in.is_wild() ? 2 : 4);
  if (!mesh) return std::nullopt;
  const auto tree = Build(*mesh, in.Options());
  RequireOk(tree.status(), "every mesh has a tree");
  RigidMotion motion;
  if (in.Below(2) == 0) motion.start = in.AnyPose();
  motion.translation = in.Direction() * 2.0;
  motion.axis = in.Direction();
  if (in.Below(2) == 0) {
    motion.angle = static_cast<double>(in.Byte()) / 16 - 8;
  }
  if (in.Below(2) == 0) motion.center = in.Point();
  const auto moving = MovingTree::Create(*tree, motion);
  if (!moving.ok()) return std::nullopt;
  return *moving;
}

inline void FuzzRigid(FuzzInput& in) {
  const auto a = AnyMovingTree(in);
  if (!a) return;
  const auto b = AnyMovingTree(in);
  if (!b) return;
  TimeOfContactOptions options;
  options.max_steps = 30;
  const Aabb& box = a->tree().mesh().bounds();
  options.tolerance = 0x1p-6 * MaxCoordinate(Abs(box.hi - box.lo));
  const TimeOfContactResult r = TimeOfContact(*a, *b, options);
  Require(0 <= r.earliest && r.earliest <= r.latest && r.latest <= 1,
          "times are in order");
  Require(r.steps <= options.max_steps, "no more steps than allowed");
  const bool is_apart = r.outcome == MotionOutcome::kApart;
  Require(!is_apart || r.earliest == 1, "what is apart is so to the end");
  // They are apart by more than what poses are off.
  for (int i = 0; i < 4; ++i) {
    const double t = static_cast<double>(in.Byte()) / 256;
    if (t >= r.earliest) continue;
    Require(!AnyOverlap(a->At(t), b->At(t)), "nothing is touched before");
  }
  if (r.outcome == MotionOutcome::kContact) {
    Require(AnyOverlap(a->At(r.latest), b->At(r.latest)), "contact is contact");
  }
  if (is_apart || r.outcome == MotionOutcome::kUndecided) return;
  Require(
      ClosestPair(a->At(r.earliest), b->At(r.earliest))->distance == r.distance,
      "the distance told is that at the time told");
}

inline void FuzzMotions(std::string_view bytes) {
  FuzzInput in(bytes);
  switch (in.Below(4)) {
    case 0:
    case 1:
      return FuzzMovingTriangles(in);
    case 2:
      return FuzzDeforming(in);
    default:
      return FuzzRigid(in);
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_MOTIONS_FUZZ_H_
