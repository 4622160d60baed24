#include "orbox/bvh/query/penetration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/overlap/pose.h"

namespace orbox {
namespace {

// Without squares that might leave the range; zero where there is no direction.
Vec3 Unit(const Vec3& v) {
  const double largest = MaxCoordinate(Abs(v));
  if (!(largest > 0) || std::isinf(largest)) return {};
  return Normalized(Vec3{v.x / largest, v.y / largest, v.z / largest});
}

double Length(const Vec3& v) { return std::hypot(v.x, v.y, v.z); }

Vec3 UnitNormal(const Triangle& t) {
  return Unit(Cross(Unit(t.b - t.a), Unit(t.c - t.a)));
}

struct Extent {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();

  void Add(double value) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
};

Extent ExtentOf(const Triangle& t, const Vec3& direction) {
  Extent extent;
  for (size_t i = 0; i < 3; ++i) extent.Add(Dot(t[i], direction));
  return extent;
}

// The moved corners of a mesh, each once.
std::vector<Vec3> CornersOf(const PosedTree& tree) {
  const Mesh& mesh = tree.tree().mesh();
  std::vector<bool> is_used(mesh.vertex_count(), false);
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t i : t) is_used[i] = true;
  }
  std::vector<Vec3> corners;
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) corners.push_back(tree.pose().Apply(mesh.vertices()[i]));
  }
  return corners;
}

Extent ExtentOf(const std::vector<Vec3>& points, const Vec3& direction) {
  Extent extent;
  for (const Vec3& p : points) extent.Add(Dot(p, direction));
  return extent;
}

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
    // Each costs some queries; so many are enough for a ball.
    constexpr size_t kMost = 24;
    for (const TrianglePair& pair : pairs) {
      for (const Vec3& d :
           {UnitNormal(b.triangle(pair.b)), -UnitNormal(a.triangle(pair.a))}) {
        if (all_.size() < kMost && Dot(d, center) >= near) Add(d);
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
  directions.Add(Unit(center_a - center_b));
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
  WayOut(const PosedTree& a, const PosedTree& b,
         TraversalStatistics* statistics)
      : a_(a),
        b_(b),
        a_corners_(CornersOf(a)),
        b_corners_(CornersOf(b)),
        a_parts_(MeshParts::Of(a.tree().mesh())),
        b_parts_(MeshParts::Of(b.tree().mesh())),
        statistics_(statistics) {}

  bool IsApart(const PosedTree& a) const {
    return RelationOfApartMeshes(a, a_parts_, b_, b_parts_, statistics_) ==
           MeshRelation::kApart;
  }

  void Try(const Vec3& direction, const std::vector<TrianglePair>& pairs);

  const std::optional<PenetrationEstimate>& best() const { return best_; }

 private:
  absl::StatusOr<PosedTree> MovedBy(const Vec3& translation) const {
    Pose pose = a_.pose();
    pose.translation += translation;
    return PosedTree::Create(a_.tree(), pose);
  }

  // How much further along the direction all pairs are apart.
  double StepOf(const PosedTree& a, const std::vector<TrianglePair>& pairs,
                const Vec3& direction) const;

  const PosedTree& a_;
  const PosedTree& b_;
  const std::vector<Vec3> a_corners_;
  const std::vector<Vec3> b_corners_;
  const MeshParts a_parts_;
  const MeshParts b_parts_;
  TraversalStatistics* statistics_;
  std::optional<PenetrationEstimate> best_;
};

double WayOut::StepOf(const PosedTree& a,
                      const std::vector<TrianglePair>& pairs,
                      const Vec3& direction) const {
  double step = 0;
  for (const TrianglePair& pair : pairs) {
    step = std::max(step, ExtentOf(b_.triangle(pair.b), direction).hi -
                              ExtentOf(a.triangle(pair.a), direction).lo);
  }
  return step;
}

void WayOut::Try(const Vec3& direction,
                 const std::vector<TrianglePair>& first_pairs) {
  const Extent of_a = ExtentOf(a_corners_, direction);
  const Extent of_b = ExtentOf(b_corners_, direction);
  // Touching is meeting: beyond that by more than what coordinates round to.
  const double margin =
      0x1p-46 * std::max({std::abs(of_a.lo), std::abs(of_a.hi),
                          std::abs(of_b.lo), std::abs(of_b.hi)}) +
      std::numeric_limits<double>::min();
  const double plane_between = of_b.hi - of_a.lo + margin;
  if (plane_between <= 0) {
    best_ = PenetrationEstimate{};  // there is a plane between them already
    return;
  }
  std::vector<TrianglePair> pairs = first_pairs;
  double way = 0;
  std::optional<PosedTree> moved = a_;
  // Each step frees all pairs that meet and runs into others. What takes longer
  // than that is left to the plane.
  constexpr int kMostSteps = 16;
  for (int step = 0; step < kMostSteps; ++step) {
    const double more = StepOf(*moved, pairs, direction);
    // Inside without meeting, or nothing left that helps.
    way = more > 0 ? way + more + margin : plane_between;
    if (step + 1 == kMostSteps) way = plane_between;
    way = std::min(way, plane_between);
    if (best_.has_value() && way >= best_->depth) return;
    const Vec3 translation = direction * way;
    const absl::StatusOr<PosedTree> there = MovedBy(translation);
    if (!there.ok()) return;
    moved = *there;
    pairs = OverlappingPairs(*moved, b_, statistics_);
    // With a plane between them, neither is inside the other.
    if (pairs.empty() && (way == plane_between || IsApart(*moved))) {
      best_ = {Length(translation), translation};
      return;
    }
    if (way == plane_between) return;  // the rounding of the pose undid it
  }
}

}  // namespace

std::optional<PenetrationEstimate> EstimatePenetration(
    const PosedTree& a, const PosedTree& b, TraversalStatistics* statistics) {
  const std::vector<TrianglePair> pairs = OverlappingPairs(a, b, statistics);
  WayOut way_out(a, b, statistics);
  if (pairs.empty() && way_out.IsApart(a)) return PenetrationEstimate{};
  const Directions directions = DirectionsOf(a, b, pairs);
  for (const Vec3& d : directions.all()) way_out.Try(d, pairs);
  // Then more closely around the best of them.
  if (way_out.best().has_value()) {
    Directions faces(kFine);
    faces.AddFaces(a, b, pairs, Unit(way_out.best()->translation), kCoarse);
    for (const Vec3& d : faces.all()) way_out.Try(d, pairs);
  }
  return way_out.best();
}

}  // namespace orbox
