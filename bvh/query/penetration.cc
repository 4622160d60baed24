// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/penetration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {
namespace {

Vec3 UnitNormal(const Triangle& t) {
  return DirectionOf(Cross(DirectionOf(t.b - t.a), DirectionOf(t.c - t.a)));
}

struct ReachAlong {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();

  void Add(double value) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
};

// The moved vertices of a mesh. Those that no triangle uses are some others.
std::vector<Vec3> MovedVertices(const PosedTree& tree) {
  const Mesh& mesh = tree.tree().mesh();
  std::vector<bool> is_used(mesh.vertex_count(), false);
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t i : t) is_used[i] = true;
  }
  const Vec3& used = mesh.vertices()[mesh.triangles()[0][0]];
  std::vector<Vec3> moved;
  moved.reserve(is_used.size());
  for (size_t i = 0; i < is_used.size(); ++i) {
    moved.push_back(tree.pose().Apply(is_used[i] ? mesh.vertices()[i] : used));
  }
  return moved;
}

// How far points are along a direction.
struct Heights {
  Heights(const std::vector<Vec3>& points, const Vec3& direction) {
    of.reserve(points.size());
    for (const Vec3& p : points) {
      of.push_back(Dot(p, direction));
      all.Add(of.back());
    }
  }

  ReachAlong OfTriangle(const TriangleIndices& t) const {
    ReachAlong extent;
    for (const uint32_t i : t) extent.Add(of[i]);
    return extent;
  }

  std::vector<double> of;
  ReachAlong all;
};

// Each direction costs some queries; so many are enough for a ball.
constexpr size_t kMostFaces = 24;
// With the axes, and from centre to centre.
constexpr size_t kMostDirections = kMostFaces + 7;

// Directions that are not nearly the same, and not too many.
class Directions {
 public:
  // The cosine from which on two are the same.
  explicit Directions(double same) : same_(same) {}

  // Takes a unit vector, or zero, which is none.
  void Add(const Vec3& d) {
    if (SquaredNorm(d) == 0) return;
    for (const Vec3& other : all_) {
      if (Dot(d, other) > same_) return;
    }
    all_.push_back(d);
  }

  // Those in which the triangles of some pairs face: out of b, and against what
  // faces out of a. Only what is within the cosine `near` of `center`.
  void AddFaces(const PosedTree& a, const PosedTree& b,
                const std::vector<TrianglePair>& pairs, const Vec3& center,
                double near) {
    for (const TrianglePair& pair : pairs) {
      for (const Vec3& d :
           {UnitNormal(b.triangle(pair.b)), -UnitNormal(a.triangle(pair.a))}) {
        if (all_.size() < kMostFaces && Dot(d, center) >= near) Add(d);
      }
    }
  }

  const std::vector<Vec3>& all() const { return all_; }

 private:
  double same_;
  std::vector<Vec3> all_;
};

// About 10 degrees, a first look all around; and a tenth of one.
constexpr double kCoarse = 0.985;
constexpr double kFine = 0.9999985;

Directions DirectionsOf(const PosedTree& a, const PosedTree& b,
                        const std::vector<TrianglePair>& pairs) {
  Directions directions(kCoarse);
  // Faces come first: where one is nearly along an axis, it is the better one.
  directions.AddFaces(a, b, pairs, {}, 0);
  const Vec3 center_a = a.pose().Apply(a.tree().mesh().bounds().Center());
  const Vec3 center_b = b.pose().Apply(b.tree().mesh().bounds().Center());
  directions.Add(DirectionOf(center_a - center_b));
  for (size_t axis = 0; axis < 3; ++axis) {
    Vec3 d{};
    d[axis] = 1;
    directions.Add(d);
    directions.Add(-d);
  }
  return directions;
}

// The search for a way out along one direction after the other.
class WayOut {
 public:
  // Each direction that it tries is a unit of the progress.
  WayOut(const PosedTree& a, const PosedTree& b, const Execution& run,
         Progress& progress)
      : a_(a),
        b_(b),
        a_vertices_(MovedVertices(a)),
        b_vertices_(MovedVertices(b)),
        a_parts_(MeshParts::Of(a.tree().mesh())),
        b_parts_(MeshParts::Of(b.tree().mesh())),
        run_(run),
        progress_(progress) {}

  // The pairs that overlap; some of them where it is cancelled.
  std::vector<TrianglePair> OverlapsOf(const PosedTree& a) const {
    QueryOptions options = Options();
    options.threads = run_.threads();
    return AllOverlaps(a, b_, options);
  }

  // False where it is cancelled before that is known.
  bool IsApart(const PosedTree& a) const {
    return RelationOfApartMeshes(a, a_parts_, b_, b_parts_, Options()) ==
           MeshRelation::kApart;
  }

  // Tries the most promising first. `pairs` are those that meet.
  void Try(const std::vector<Vec3>& directions,
           const std::vector<TrianglePair>& pairs);

  const std::optional<PenetrationEstimate>& best() const { return best_; }

 private:
  // A direction, and how the two meshes lie along it.
  struct Course {
    Course(const WayOut& w, const Vec3& d)
        : direction(d), a(w.a_vertices_, d), b(w.b_vertices_, d) {
      margin = 0x1p-46 * std::max({std::abs(a.all.lo), std::abs(a.all.hi),
                                   std::abs(b.all.lo), std::abs(b.all.hi)}) +
               std::numeric_limits<double>::min();
      plane_between = b.all.hi - a.all.lo + margin;
    }

    Vec3 direction;
    Heights a;
    Heights b;
    // Touching is meeting: more than what coordinates round to.
    double margin;
    // From here on there is a plane between the meshes.
    double plane_between;
  };

  QueryOptions Options() const {
    return {.statistics = run_.statistics(), .cancelled = run_.cancelled()};
  }

  bool IsBest(double way) const {
    return !best_.has_value() || way < best_->depth;
  }
  // Moved by `way`, or nothing where that leaves the range of double.
  std::optional<PosedTree> MovedBy(const Vec3& translation) const;
  // From which way on all pairs are apart.
  double WayApart(const Course& course,
                  const std::vector<TrianglePair>& pairs) const;
  void TryPlane(const Course& course);
  void TrySteps(const Course& course, std::vector<TrianglePair> pairs);

  const PosedTree& a_;
  const PosedTree& b_;
  const std::vector<Vec3> a_vertices_;
  const std::vector<Vec3> b_vertices_;
  const MeshParts a_parts_;
  const MeshParts b_parts_;
  const Execution& run_;
  Progress& progress_;
  std::optional<PenetrationEstimate> best_;
};

std::optional<PosedTree> WayOut::MovedBy(const Vec3& translation) const {
  Pose pose = a_.pose();
  pose.translation += translation;
  absl::StatusOr<PosedTree> moved = PosedTree::Create(a_.tree(), pose);
  if (absl::IsResourceExhausted(moved.status())) throw std::bad_alloc();
  return moved.ok() ? std::optional<PosedTree>(*std::move(moved))
                    : std::nullopt;
}

double WayOut::WayApart(const Course& course,
                        const std::vector<TrianglePair>& pairs) const {
  const Mesh& a = a_.tree().mesh();
  const Mesh& b = b_.tree().mesh();
  double way = 0;
  for (const TrianglePair& pair : pairs) {
    way = std::max(way, course.b.OfTriangle(b.triangles()[pair.b]).hi -
                            course.a.OfTriangle(a.triangles()[pair.a]).lo);
  }
  return way + course.margin;
}

// With a plane between them, neither is inside the other.
void WayOut::TryPlane(const Course& course) {
  if (course.plane_between <= 0) {
    best_ = PenetrationEstimate{};
    return;
  }
  if (!IsBest(course.plane_between)) return;
  const Vec3 translation = course.direction * course.plane_between;
  const std::optional<PosedTree> moved = MovedBy(translation);
  // The rounding of the pose may undo it.
  if (!moved.has_value() || AnyOverlap(*moved, b_, Options())) return;
  best_ = {SafeNorm(translation), translation};
}

// Each step frees all pairs that meet, and runs into others.
void WayOut::TrySteps(const Course& course, std::vector<TrianglePair> pairs) {
  constexpr int kMostSteps = 16;
  double way = 0;
  for (int step = 0; step < kMostSteps && !pairs.empty(); ++step) {
    const double last = way;
    way = WayApart(course, pairs);
    if (!IsBest(way) || way <= last) return;
    const Vec3 translation = course.direction * way;
    const std::optional<PosedTree> moved = MovedBy(translation);
    if (!moved.has_value()) return;
    pairs = OverlapsOf(*moved);
    run_.CheckCancelled();
    if (pairs.empty() && IsApart(*moved)) {
      best_ = {SafeNorm(translation), translation};
    }
  }
}

void WayOut::Try(const std::vector<Vec3>& directions,
                 const std::vector<TrianglePair>& pairs) {
  struct Candidate {
    double first_way;
    Vec3 direction;
  };
  std::vector<Candidate> candidates;
  for (const Vec3& d : directions) {
    run_.CheckCancelled();
    const Course course(*this, d);
    TryPlane(course);
    candidates.push_back({WayApart(course, pairs), d});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& x, const Candidate& y) {
                     return x.first_way < y.first_way;
                   });
  for (const Candidate& c : candidates) {
    run_.CheckCancelled();
    if (!IsBest(c.first_way)) return;
    TrySteps(Course(*this, c.direction), pairs);
    progress_.Add(1);
  }
}

}  // namespace

std::optional<PenetrationEstimate> EstimatePenetration(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  run.CheckCancelled();
  // Mostly, few directions are tried.
  Progress progress(run.progress(), 2 * kMostDirections);
  WayOut way_out(a, b, run, progress);
  const std::vector<TrianglePair> pairs = way_out.OverlapsOf(a);
  if (pairs.empty() && way_out.IsApart(a)) {
    progress.Finish();
    return PenetrationEstimate{};
  }
  const Directions directions = DirectionsOf(a, b, pairs);
  way_out.Try(directions.all(), pairs);
  // Then more closely around the best of them.
  if (way_out.best().has_value()) {
    Directions faces(kFine);
    faces.AddFaces(a, b, pairs, DirectionOf(way_out.best()->translation),
                   kCoarse);
    way_out.Try(faces.all(), pairs);
  }
  progress.Finish();
  std::optional<PenetrationEstimate> best = way_out.best();
  if (best.has_value() && best->depth > run.max_distance()) best.reset();
  return best;
}

}  // namespace orbox
