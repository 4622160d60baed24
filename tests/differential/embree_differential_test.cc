// SPDX-License-Identifier: Apache-2.0

// Compares Orbox with Embree, which calculates in float. Rays from inside a
// closed mesh at its vertices and edges may not get out. The other query is the
// distance of points far from the origin. All inputs are floats, so that both
// libraries have equal ones. Prints how often Embree is wrong; fails if Orbox
// is.
#include <embree3/rtcore.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

Vec3 InFloat(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y),
          static_cast<float>(p.z)};
}

Mesh InFloat(const Mesh& mesh) {
  std::vector<Vec3> vertices;
  for (const Vec3& p : mesh.vertices()) vertices.push_back(InFloat(p));
  return Mesh::Create(vertices,
                      {mesh.triangles().begin(), mesh.triangles().end()})
      .value();
}

class EmbreeScene {
 public:
  EmbreeScene(const Mesh& mesh, RTCSceneFlags flags)
      : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, flags);
    const RTCGeometry geometry =
        rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* const points = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
        3 * sizeof(float), mesh.vertex_count()));
    for (size_t i = 0; i < mesh.vertex_count(); ++i) {
      for (size_t k = 0; k < 3; ++k) {
        points[3 * i + k] = static_cast<float>(mesh.vertices()[i][k]);
      }
    }
    auto* const ids = static_cast<uint32_t*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
        3 * sizeof(uint32_t), mesh.triangle_count()));
    for (size_t i = 0; i < mesh.triangle_count(); ++i) {
      for (size_t k = 0; k < 3; ++k) ids[3 * i + k] = mesh.triangles()[i][k];
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  bool IsHit(const Ray& ray) const {
    RTCRayHit query{};
    query.ray.org_x = static_cast<float>(ray.origin.x);
    query.ray.org_y = static_cast<float>(ray.origin.y);
    query.ray.org_z = static_cast<float>(ray.origin.z);
    query.ray.dir_x = static_cast<float>(ray.direction.x);
    query.ray.dir_y = static_cast<float>(ray.direction.y);
    query.ray.dir_z = static_cast<float>(ray.direction.z);
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene_, &context, &query);
    return query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

// Rays from within a ball at its vertices, and at points of its edges.
TEST(EmbreeDifferential, RaysFromInsideAClosedMesh) {
  for (const double size : {1.0, 1e-3}) {
    const Mesh ball = InFloat(meshes::Scaled(meshes::Icosphere(5), size));
    const Tree tree = Build(ball).value();
    const EmbreeScene fast(ball, RTC_SCENE_FLAG_NONE);
    const EmbreeScene robust(ball, RTC_SCENE_FLAG_ROBUST);
    meshes::Random random(1);
    constexpr int kRays = 40'000;
    int lost = 0;
    int lost_robust = 0;
    for (int i = 0; i < kRays; ++i) {
      const Vec3 from = InFloat(random.Point(-0.4, 0.4) * size);
      const Triangle t = ball.triangle(random.Below(ball.triangle_count()));
      const Vec3 to =
          i % 2 == 0 ? t.a : t.a + (t.b - t.a) * random.Uniform(0, 1);
      const Ray ray{from, InFloat(to - from)};
      EXPECT_TRUE(AnyHit(tree, ray)) << i;
      EXPECT_TRUE(ClosestHit(tree, ray).has_value()) << i;
      lost += fast.IsHit(ray) ? 0 : 1;
      lost_robust += robust.IsHit(ray) ? 0 : 1;
    }
    std::printf(
        "%d rays from inside a closed mesh of size %g: Embree loses %d, in its "
        "robust mode %d\n",
        kRays, size, lost, lost_robust);
  }
}

// A mesh moved far away, vertices and points on whole numbers of 1/64 so that
// floats hold them: does a ray through the middle of a face hit it?
TEST(EmbreeDifferential, RaysFarFromTheOrigin) {
  meshes::Random random(2);
  for (const double offset : {0.0, 0x1p10, 0x1p14}) {
    std::vector<Vec3> vertices;
    for (const Vec3& p : meshes::Icosphere(3).vertices()) {
      Vec3 q;
      for (size_t k = 0; k < 3; ++k) {
        q[k] = std::round(p[k] * 64) / 64 + offset;
      }
      vertices.push_back(q);
    }
    const Mesh source = meshes::Icosphere(3);
    const Mesh ball = Mesh::Create(vertices, {source.triangles().begin(),
                                              source.triangles().end()})
                          .value();
    const Tree tree = Build(ball).value();
    const EmbreeScene scene(ball, RTC_SCENE_FLAG_ROBUST);
    constexpr int kRays = 4'000;
    int differ = 0;
    for (int i = 0; i < kRays; ++i) {
      // Past the ball's rim and through it, whole numbers all of them.
      Vec3 from;
      Vec3 way;
      for (size_t k = 0; k < 3; ++k) {
        from[k] = std::round(random.Uniform(-2, 2) * 64) / 64 + offset;
        way[k] = std::round(random.Uniform(-2, 2) * 64) / 64;
      }
      if (way == Vec3{}) continue;
      const Ray ray{from, way};
      bool hit = false;
      for (uint32_t id = 0; id < ball.triangle_count() && !hit; ++id) {
        hit = Overlaps(ray, ball.triangle(id));
      }
      EXPECT_EQ(AnyHit(tree, ray), hit) << i;
      differ += scene.IsHit(ray) != hit ? 1 : 0;
    }
    std::printf(
        "%d rays %g away from the origin: Embree (robust) differs in "
        "%d\n",
        kRays, offset, differ);
  }
}

}  // namespace
}  // namespace orbox
