// SPDX-License-Identifier: Apache-2.0

// The calls of the page "Coming from another library"
// (tools/docs/migration.md): each call that the page names is here.
//
//   migration data
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

using orbox::AllHits;
using orbox::AllOverlaps;
using orbox::AnyHit;
using orbox::AnyOverlap;
using orbox::Build;
using orbox::ClosestHit;
using orbox::ClosestPoint;
using orbox::CountOverlaps;
using orbox::KNearest;
using orbox::Ray;
using orbox::Tree;
using orbox::Vec3;

void Print(const char* what, double value) {
  std::printf("%s: %.4g\n", what, value);
}

Tree TreeOfFile(const std::string& path) {
  const orbox::Mesh mesh = OrExit(orbox::ReadMeshFile(path));
  const std::vector<Vec3> vertices(mesh.vertices().begin(),
                                   mesh.vertices().end());
  const std::vector<orbox::TriangleIndices> triangles(mesh.triangles().begin(),
                                                      mesh.triangles().end());
  const orbox::Mesh same = OrExit(orbox::Mesh::Create(vertices, triangles));
  return OrExit(Build(same));
}

// Queries of two meshes, as in FCL and Coal.
void TwoMeshes(const Tree& tree, const Tree& other) {
  const orbox::Pose pose = orbox::Pose::Translation({0.3125, 0, 0});
  const orbox::PosedTree a = OrExit(orbox::PosedTree::Create(tree, pose));
  const orbox::PosedTree& b = other;
  Print("meet", orbox::AnyOverlap(a, b));
  Print("pairs", AllOverlaps(a, b).size());
  Print("contacts", AllContacts(a, b).size());
  const auto way = PenetrationOf(a, b);
  Print("depth", way ? way->depth.upper : -1);
  Print("related", RelationOfMeshes(a, b) == orbox::MeshRelation::kMeet);

  const orbox::PosedTree far = OrExit(
      orbox::PosedTree::Create(tree, orbox::Pose::Translation({4, 0, 0})));
  const orbox::Witness last = *ClosestPair(far, b);
  Print("distance", last.distance);
  Print("again", ClosestPair(far, b, {.guess = last.triangles})->distance);
  Print("roughly", ClosestPairWithError(far, b, {.relative = 0.1})->lower > 0);
  const double d = 2.5;
  Print("within", AnyWithin(far, b, d));
  Print("pairs within", AllWithin(far, b, d).size() > 0);
  const std::vector<orbox::Pose> poses = {pose, far.pose()};
  Print("at poses", OrExit(AnyOverlap(tree, poses, b))[1]);
  Print("distances", OrExit(ClosestPair(tree, poses, b)).size());
  const orbox::SweptSphere ball{
      .from = {3, 0, 0}, .to = {0, 0, 0}, .radius = 0.25};
  const auto contact = ClosestHit(other, ball);
  Print("touches", contact.has_value());
}

// Queries of points, rays and ranges, as in CGAL, libigl and trimesh.
void OneMesh(const Tree& tree) {
  const Vec3 p{0.5, 0.25, 1};
  const double r = 0.9;
  const size_t k = 3;
  Print("closest", ClosestPoint(tree, p)->distance);
  Print("within r", ClosestPoint(tree, p, r).has_value());
  Print("k nearest", KNearest(tree, p, k).size());

  const Ray ray{{2, 0.01, 0.02}, {-1, 0, 0}};
  Print("any", AnyHit(tree, ray));
  Print("first", ClosestHit(tree, ray)->t);
  Print("all", AllHits(tree, ray).size());
  const Vec3 q{0, 0, 0};
  Print("segment", AnyHit(tree, Ray{p, q - p, 0, 1}));

  const orbox::Aabb box{{0.25, 0, -0.25}, {1, 0.75, 0.25}};
  const orbox::Sphere ball{p, r};
  const std::vector<orbox::HalfSpace> plane = {{{0, 0, 1}, 0.125},
                                               {{0, 0, -1}, -0.125}};
  Print("box", AllOverlaps(tree, box).size());
  Print("ball", AllOverlaps(tree, ball).size());
  Print("plane", AllOverlaps(tree, plane).size());
  Print("counted", CountOverlaps(tree, box));
  Print("anything", AnyOverlap(tree, box));

  const auto field = OrExit(orbox::SignedDistanceField::Create(tree));
  Print("signed", field.Distance(p));
  Print("inside", field.IsInside(p));
  const auto winding = orbox::WindingNumberField::Of(tree);
  Print("winding", winding.IsInside(p));
  Print("number", winding.At(p) < 0.5);
  Print("self-intersections", AllSelfOverlaps(tree).size());
  Print("hausdorff", OrExit(SymmetricHausdorffDistance(tree, tree)).upper());
}

// Bodies that move: from pose to pose, and from frame to frame.
void Motions(const Tree& tree, const Tree& other) {
  const orbox::RigidMotion fall = {.start = orbox::Pose::Translation({0, 0, 8}),
                                   .translation = {0, 0, -8}};
  const auto body = OrExit(orbox::MovingTree::Create(tree, fall));
  const auto wall = OrExit(orbox::MovingTree::Create(other, {}));
  const orbox::TimeOfContactResult r = TimeOfContact(body, wall);
  Print("contact", r.outcome != orbox::MotionOutcome::kApart);
}

// Many at once, and a mesh that changes.
void Batches(const Tree& tree) {
  const std::vector<Vec3> points = {{2, 0, 0}, {0, 0, 0}, {0, 0, 2}};
  const std::vector<Ray> rays = {{{2, 0.01, 0.02}, {-1, 0, 0}}};
  Print("points", OrExit(ClosestPoint(tree, points)).size());
  const auto field = OrExit(orbox::SignedDistanceField::Create(tree));
  Print("signed", OrExit(field.ClosestPoint(points)).size());
  const auto winding = orbox::WindingNumberField::Of(tree);
  Print("numbers", OrExit(winding.At(points)).size());
  Print("lists", OrExit(KNearest(tree, points, 3)).size());
  Print("rays", OrExit(ClosestHit(tree, rays)).size());
  Print("all rays", OrExit(AllHits(tree, rays)).size());
  const orbox::Mesh& mesh = tree.mesh();
  const orbox::Mesh& moved = mesh;
  Print("refitted", OrExit(Refit(tree, moved)).depth() > 0);
  auto cloth = OrExit(orbox::DeformingTree::Create(mesh));
  const std::vector<Vec3> vertices(mesh.vertices().begin(),
                                   mesh.vertices().end());
  Print("moved", cloth.Move(vertices).ok());
  Print("bounds", tree.mesh().bounds().hi.x);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const Tree tree = TreeOfFile(data + "/linked_knot.ply");
  const Tree other = TreeOfFile(data + "/torus_knot.ply");
  TwoMeshes(tree, other);
  OneMesh(other);
  Motions(tree, other);
  Batches(other);
}
