// SPDX-License-Identifier: Apache-2.0

// Meshes whose vertices move along lines, and their first contact, by testing
// every pair of triangles.
#ifndef ORBOX_TESTS_SUPPORT_DEFORMING_MOTIONS_H_
#define ORBOX_TESTS_SUPPORT_DEFORMING_MOTIONS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/motion/deforming_contact.h"
#include "tests/support/brute_contact.h"
#include "tests/support/meshes.h"

namespace orbox::brute_force {

// A mesh and where its vertices go.
struct Motion {
  Mesh from;
  std::vector<Vec3> to;
};

inline Mesh WithVertices(const Mesh& mesh, std::vector<Vec3> vertices) {
  return *Mesh::Create(std::move(vertices),
                       {mesh.triangles().begin(), mesh.triangles().end()});
}

template <typename Map>
std::vector<Vec3> Mapped(std::span<const Vec3> points, Map map) {
  std::vector<Vec3> mapped;
  for (const Vec3& p : points) mapped.push_back(map(p));
  return mapped;
}

// To multiples of 2^-16, so that what is at times of few bits is a double.
inline Vec3 Snapped(const Vec3& p) {
  return {std::ldexp(std::round(std::ldexp(p.x, 16)), -16),
          std::ldexp(std::round(std::ldexp(p.y, 16)), -16),
          std::ldexp(std::round(std::ldexp(p.z, 16)), -16)};
}

// Every vertex moves by `way`, and strays from that by up to `stray`.
inline Motion RandomMotion(const Mesh& mesh, const Vec3& start, const Vec3& way,
                           double stray, meshes::Random& random) {
  Motion motion{mesh, {}};
  std::vector<Vec3> from;
  for (const Vec3& v : mesh.vertices()) {
    from.push_back(Snapped(v + start));
    motion.to.push_back(
        Snapped(from.back() + way + random.Point(-stray, stray)));
  }
  motion.from = WithVertices(mesh, from);
  return motion;
}

inline DeformingMesh Deforming(const Motion& motion) {
  return *DeformingMesh::Create(*Build(motion.from), motion.to);
}

inline MovingTriangle TriangleOf(const Motion& m, uint32_t id) {
  const TriangleIndices& t = m.from.triangles()[id];
  return {m.from.triangle(id), {m.to[t[0]], m.to[t[1]], m.to[t[2]]}};
}

// All pairs.
inline std::optional<DeformingContact> ByForce(const Motion& a,
                                               const Motion& b) {
  std::optional<DeformingContact> best;
  for (uint32_t i = 0; i < a.from.triangle_count(); ++i) {
    for (uint32_t j = 0; j < b.from.triangle_count(); ++j) {
      KeepFirst({i, j}, FirstContact(TriangleOf(a, i), TriangleOf(b, j)),
                &best);
    }
  }
  return best;
}

inline std::vector<SharedCorner> SharedCornersOf(const Motion& m, uint32_t i,
                                                 uint32_t j) {
  std::vector<SharedCorner> shared;
  for (size_t k = 0; k < 3; ++k) {
    for (size_t l = 0; l < 3; ++l) {
      if (m.from.triangles()[i][k] == m.from.triangles()[j][l]) {
        shared.push_back({k, l});
      }
    }
  }
  return shared;
}

inline std::optional<DeformingContact> ByForce(const Motion& m) {
  std::optional<DeformingContact> best;
  for (uint32_t i = 0; i < m.from.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < m.from.triangle_count(); ++j) {
      KeepFirst({i, j},
                FirstContactBeyond(TriangleOf(m, i), TriangleOf(m, j),
                                   SharedCornersOf(m, i, j)),
                &best);
    }
  }
  return best;
}

inline void ExpectSame(const std::optional<DeformingContact>& contact,
                       const std::optional<DeformingContact>& expected) {
  ASSERT_EQ(contact.has_value(), expected.has_value());
  if (!contact) return;
  EXPECT_EQ(contact->earliest, expected->earliest);
  EXPECT_EQ(contact->latest, expected->latest);
  EXPECT_EQ(contact->triangles, expected->triangles);
}

}  // namespace orbox::brute_force

#endif  // ORBOX_TESTS_SUPPORT_DEFORMING_MOTIONS_H_
