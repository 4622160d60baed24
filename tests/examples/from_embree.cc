// SPDX-License-Identifier: Apache-2.0

// From Embree's point queries: triangles near a point. Comments show the code
// for Embree; the code for Orbox is below each.
//
//   from_embree data
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";

  // Embree: device, scene, geometry of type RTC_GEOMETRY_TYPE_TRIANGLE;
  //         rtcSetSharedGeometryBuffer for vertices and for indices, in float;
  //         rtcCommitGeometry, rtcAttachGeometry, rtcCommitScene
  // No device and no handles to release: values, in double.
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const orbox::Vec3 p{0.5, 0.25, 1};

  // Embree: RTCPointQuery query; query.radius = infinity; rtcPointQuery(scene,
  //         &query, &context, callback, &best); the callback finds the closest
  //         point of triangle primID by itself, keeps the best, lowers
  //         query->radius to its distance, and returns true
  // The triangle's part is done, and correctly rounded.
  const auto closest = orbox::ClosestPoint(tree, p);
  std::printf("closest: triangle %u, distance %.4f\n", closest->triangle,
              closest->distance);

  // Embree: query.radius = 0.1 to begin with; best.primID stays invalid
  const bool near = orbox::ClosestPoint(tree, p, 0.1).has_value();
  std::printf("within 0.1: %s\n", near ? "yes" : "no");

  // Embree: a callback that keeps a heap of k, and lowers the radius to the
  //         k-th best distance
  const std::vector<orbox::SurfacePoint> three = orbox::KNearest(tree, p, 3);
  std::printf("three nearest: %u, %u, %u\n", three[0].triangle,
              three[1].triangle, three[2].triangle);

  // Embree: a callback that notes primID, leaves the radius alone, and returns
  //         false; query.radius = 1
  const orbox::Sphere ball{p, 1};
  const std::vector<uint32_t> ids = orbox::AllOverlaps(tree, ball);
  std::printf("in the ball: %zu\n", ids.size());

  // Embree: rtcPointQuery4, 8 and 16, or a loop of threads
  const std::vector<orbox::Vec3> points = {p, {0, 0, 0}, {1, 1, 1}};
  const auto answers = OrExit(orbox::ClosestPoint(tree, points));
  std::printf("of many: %u, %u, %u\n", answers[0]->triangle,
              answers[1]->triangle, answers[2]->triangle);

  // Embree: rtcIntersect1(scene, &context, &rayhit); rayhit.ray.tfar,
  // .hit.primID
  //         rtcOccluded1(scene, &context, &ray)
  const orbox::Ray ray{{2, 0.01, 0.02}, {-1, 0, 0}};
  const auto hit = orbox::ClosestHit(tree, ray);
  if (hit) std::printf("ray: triangle %u, t = %.4f\n", hit->triangle, hit->t);
  std::printf("occluded: %s\n", orbox::AnyHit(tree, ray) ? "yes" : "no");

  // Embree: new positions in the buffer, rtcUpdateGeometryBuffer,
  //         rtcCommitGeometry, rtcCommitScene
  // The old tree stays valid for code that uses it.
  const orbox::Mesh& mesh = tree.mesh();
  std::vector<orbox::Vec3> vertices(mesh.vertices().begin(),
                                    mesh.vertices().end());
  for (orbox::Vec3& v : vertices) v.z += 0.5;
  const orbox::Mesh moved = OrExit(orbox::Mesh::Create(
      vertices, {mesh.triangles().begin(), mesh.triangles().end()}));
  const orbox::Tree refitted = OrExit(orbox::Refit(tree, moved));
  std::printf("moved: distance %.4f\n",
              orbox::ClosestPoint(refitted, p)->distance);
}
