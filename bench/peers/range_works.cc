// SPDX-License-Identifier: Apache-2.0

// Triangles in a ball, or in a box, near the surface.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "bench/peers/measure.h"
#include "bench/peers/works.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::peers {
namespace {

constexpr size_t kCompared = 200;

struct Share {
  double of_diagonal;
  const char* name;
};
constexpr Share kShares[] = {{0.01, "1%"}, {0.05, "5%"}};

Sphere BallAround(const Vec3& p, double r) { return {p, r}; }
Aabb BoxAround(const Vec3& p, double r) {
  return {p - Vec3{r, r, r}, p + Vec3{r, r, r}};
}

// Returns true if rounding decides whether a triangle overlaps the shape.
bool IsBorderline(const Sphere& ball, const Triangle& t, double error) {
  return std::abs(Distance(ball.center, t).distance - ball.radius) <= error;
}
bool IsBorderline(const Aabb& box, const Triangle& t, double error) {
  const Vec3 e{error, error, error};
  return Overlaps(Aabb{box.lo - e, box.hi + e}, t) &&
         !Overlaps(Aabb{box.lo + e, box.hi - e}, t);
}

// Returns true if two results differ in borderline triangles only. Sorts them;
// a triangle reported twice is a difference.
template <typename Shape>
bool Agree(const Shape& shape, const Mesh& mesh, double error, Ids* x, Ids* y) {
  std::sort(x->begin(), x->end());
  std::sort(y->begin(), y->end());
  if (std::adjacent_find(x->begin(), x->end()) != x->end()) return false;
  Ids difference;
  std::set_symmetric_difference(x->begin(), x->end(), y->begin(), y->end(),
                                std::back_inserter(difference));
  return std::all_of(difference.begin(), difference.end(), [&](uint32_t id) {
    return IsBorderline(shape, mesh.triangle(id), error);
  });
}

// Compares the query `Call` of a `Question` for shapes that `Around` makes of a
// point and a radius or half a side.
template <typename Question, auto Call, auto Around>
void RunRange(std::string_view work, const char* measure, const MeshCase& mesh,
              const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<Question*>(built.theirs);
  auto* ours = dynamic_cast<Question*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const double error =
      built.peer.tolerance * std::max(mesh.diagonal, mesh.largest);
  Ids x;
  Ids y;
  for (const Share& share : kShares) {
    const double r = share.of_diagonal * mesh.diagonal;
    const auto call = [&](Question* question, size_t i, Ids* ids) {
      ids->clear();
      (question->*Call)(Around(mesh.near[i], r), ids);
    };
    const Times times = MeasureSideBySide(
        mesh.near.size(), [&](size_t i) { call(theirs, i, &x); },
        [&](size_t i) { call(ours, i, &y); }, kSecondsPerRow);
    const bool agree = AgreeThroughout(
        std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
          call(theirs, i, &x);
          call(ours, i, &y);
          return Agree(Around(mesh.near[i], r), mesh.mesh, error, &x, &y);
        });
    emit({work, mesh.name, std::string(measure) + "=" + share.name,
          built.peer.name, times, agree});
  }
}

void RunSphere(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  RunRange<SphereQuestion, &SphereQuestion::InSphere, BallAround>(
      "range_sphere", "r", mesh, built, emit);
}

void RunBox(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  RunRange<BoxQuestion, &BoxQuestion::InBox, BoxAround>("range_box", "half",
                                                        mesh, built, emit);
}

constexpr MeshWork kWorks[] = {{"range_sphere", RunSphere},
                               {"range_box", RunBox}};

}  // namespace

std::span<const MeshWork> RangeWorks() { return kWorks; }

}  // namespace orbox::peers
