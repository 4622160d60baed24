// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/way_out.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// A translation up to this many times as long as the best one is worth
// shortening.
constexpr double kWorthwhile = 1.5;

struct ReachAlong {
  double lo = kInfinity;
  double hi = -kInfinity;

  void Add(double value) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
};

// Returns the moved vertices of a mesh. Each unused vertex is replaced by a
// used one.
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

// Coordinates of points along a direction.
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

// Returns the largest absolute value of a coordinate.
double MagnitudeOf(const std::vector<Vec3>& points) {
  double magnitude = 0;
  for (const Vec3& p : points) {
    magnitude = std::max(magnitude, MaxCoordinate(Abs(p)));
  }
  return magnitude;
}

}  // namespace

Vec3 UnitNormal(const Triangle& t) {
  return DirectionOf(Cross(DirectionOf(t.b - t.a), DirectionOf(t.c - t.a)));
}

// A direction, and the extents of the two meshes along it.
struct WayOut::Course {
  Course(const WayOut& w, const Vec3& d)
      : direction(d), a(w.a_vertices_, d), b(w.b_vertices_, d) {
    plane_between = b.all.hi - a.all.lo + w.margin_;
  }

  Vec3 direction;
  Heights a;
  Heights b;
  // From this distance on, a plane separates the meshes.
  double plane_between;
};

namespace {

MeshComponents PartsOf(const PosedTree& of, const Execution& run) {
  return mesh_internal::MeshAccess::ComponentsOf(of.tree().mesh(),
                                                 Workers(1, PollOf(run)));
}

}  // namespace

WayOut::WayOut(const PosedTree& a, const PosedTree& b, const Execution& run,
               InsideRule rule, Progress& progress)
    : a_(a),
      b_(b),
      a_vertices_(MovedVertices(a)),
      b_vertices_(MovedVertices(b)),
      a_components_(PartsOf(a, run)),
      b_components_(PartsOf(b, run)),
      run_(run),
      rule_(rule),
      progress_(progress),
      margin_(0x1p-46 *
                  std::max(MagnitudeOf(a_vertices_), MagnitudeOf(b_vertices_)) +
              std::numeric_limits<double>::min()) {}

QueryOptions WayOut::Options() const {
  QueryOptions options = run_.Alone();
  options.inside = rule_;
  return options;
}

std::vector<TrianglePair> WayOut::OverlapsOf(const PosedTree& a) const {
  QueryOptions options = Options();
  options.threads = run_.threads();
  return OverlapSearch(options).All({a, b_});
}

bool WayOut::IsApart(const PosedTree& a) const {
  return RelationOfApartMeshes(a, a_components_, b_, b_components_,
                               Options()) == MeshRelation::kApart;
}

std::optional<PosedTree> WayOut::MovedBy(const Vec3& translation) const {
  Pose pose = a_.pose();
  pose.translation += translation;
  absl::StatusOr<PosedTree> moved = PosedTree::Create(a_.tree(), pose);
  if (absl::IsResourceExhausted(moved.status())) throw std::bad_alloc();
  return moved.ok() ? std::optional<PosedTree>(*std::move(moved))
                    : std::nullopt;
}

double WayOut::BestLength() const {
  return best_.has_value() ? SafeNorm(*best_) : kInfinity;
}

void WayOut::Accept(const Vec3& translation) {
  if (SafeNorm(translation) < BestLength()) best_ = translation;
  ways_.push_back(translation);
}

double WayOut::WayApart(const Course& course,
                        std::span<const TrianglePair> pairs) const {
  const Mesh& a = a_.tree().mesh();
  const Mesh& b = b_.tree().mesh();
  double way = 0;
  for (const TrianglePair& pair : pairs) {
    way = std::max(way, course.b.OfTriangle(b.triangles()[pair.b]).hi -
                            course.a.OfTriangle(a.triangles()[pair.a]).lo);
  }
  return way + margin_;
}

void WayOut::TryPlane(const Vec3& direction) {
  TryPlane(Course(*this, direction));
}

// If a plane separates the meshes, neither is inside the other.
void WayOut::TryPlane(const Course& course) {
  if (course.plane_between <= 0) {
    Accept({});
    return;
  }
  if (!(course.plane_between < kWorthwhile * BestLength())) return;
  const Vec3 translation = course.direction * course.plane_between;
  const std::optional<PosedTree> moved = MovedBy(translation);
  // The rounding of the pose may bring the meshes back into contact.
  if (!moved.has_value() || OverlapSearch(Options()).Any({*moved, b_})) return;
  run_.CheckCancelled();
  Accept(translation);
}

// Each step frees all pairs that overlap, and may reach others.
void WayOut::TrySteps(const Course& course, std::vector<TrianglePair> pairs) {
  constexpr int kMostSteps = 16;
  double way = 0;
  for (int step = 0; step < kMostSteps && !pairs.empty(); ++step) {
    const double last = way;
    way = WayApart(course, pairs);
    if (!(way < kWorthwhile * BestLength()) || way <= last) return;
    const Vec3 translation = course.direction * way;
    const std::optional<PosedTree> moved = MovedBy(translation);
    if (!moved.has_value()) return;
    pairs = OverlapsOf(*moved);
    run_.CheckCancelled();
    if (pairs.empty() && IsApart(*moved)) Accept(translation);
  }
}

void WayOut::TryDirections(std::span<const Vec3> directions,
                           std::span<const TrianglePair> pairs) {
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
    if (!(c.first_way < BestLength())) return;
    TrySteps(Course(*this, c.direction), {pairs.begin(), pairs.end()});
    progress_.Add(1);
  }
}

namespace {

// Best linear bound for two triangles: along the axis that separates them best
// if the first is moved by `at`.
class PairBound {
 public:
  PairBound(const Triangle& a, const Triangle& b, const Vec3& at)
      : origin_(b.a), at_(at) {
    for (size_t i = 0; i < 3; ++i) {
      a_[i] = a[i] - origin_;
      b_[i] = b[i] - origin_;
    }
  }

  // Adds a unit vector. Ignores zero.
  void Add(const Vec3& n) {
    if (n == Vec3{}) return;
    const double offset =
        std::max({Dot(n, b_[0]), Dot(n, b_[1]), Dot(n, b_[2])}) -
        std::min({Dot(n, a_[0]), Dot(n, a_[1]), Dot(n, a_[2])});
    const double gap = Dot(n, at_) - offset;
    if (gap <= gap_) return;
    gap_ = gap;
    bound_ = {n, offset};
  }
  void AddBothWays(const Vec3& n) {
    Add(n);
    Add(-n);
  }
  void AddEdges() {
    for (size_t i = 0; i < 3; ++i) {
      const Vec3 u = DirectionOf(a_[(i + 1) % 3] - a_[i]);
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 cross = Cross(u, DirectionOf(b_[(k + 1) % 3] - b_[k]));
        // The cross product of nearly parallel edges has no accurate direction.
        if (MaxCoordinate(Abs(cross)) > 1e-6) AddBothWays(Normalized(cross));
      }
    }
  }

  bool has_bound() const { return bound_.n != Vec3{}; }
  const TranslationBound& bound() const { return bound_; }

 private:
  Vec3 origin_;
  Vec3 at_;
  Vec3 a_[3];
  Vec3 b_[3];
  double gap_ = -kInfinity;
  TranslationBound bound_;
};

}  // namespace

void WayOut::AddBounds(std::span<const TrianglePair> pairs, const Vec3& at,
                       Axes axes, std::vector<TranslationBound>* bounds) const {
  // More pairs do not make a translation shorter than some of them do.
  constexpr size_t kMostPairs = 250;
  const size_t stride = 1 + pairs.size() / kMostPairs;
  for (size_t i = 0; i < pairs.size(); i += stride) {
    const Triangle a = a_.triangle(pairs[i].a);
    const Triangle b = b_.triangle(pairs[i].b);
    PairBound best(a, b, at);
    const Vec3 a_normal = UnitNormal(a);
    const Vec3 b_normal = UnitNormal(b);
    if (axes == Axes::kFaces) {
      best.Add(b_normal);
      best.Add(-a_normal);
    } else {
      best.AddBothWays(b_normal);
      best.AddBothWays(a_normal);
      best.AddEdges();
      // For coplanar triangles, and for corners.
      const Triangle moved{a.a + at, a.b + at, a.c + at};
      const TrianglePairDistance d = Distance(moved, b);
      if (d.distance > margin_) best.Add(DirectionOf(d.on_first - d.on_second));
    }
    if (!best.has_bound()) continue;
    bounds->push_back(best.bound());
    bounds->back().offset += margin_;
  }
}

void WayOut::PushOut(std::span<const TrianglePair> pairs) {
  for (const Axes axes : {Axes::kFaces, Axes::kAll}) {
    run_.CheckCancelled();
    PushOut({pairs.begin(), pairs.end()}, axes);
    progress_.Add(1);
  }
}

void WayOut::PushOut(std::vector<TrianglePair> pairs, Axes axes) {
  constexpr int kMostSteps = 8;
  std::vector<TranslationBound> bounds;
  Vec3 at;
  for (int step = 0; step < kMostSteps && !pairs.empty(); ++step) {
    AddBounds(pairs, at, axes, &bounds);
    at = ShortestTranslation(bounds);
    if (!(SafeNorm(at) < kWorthwhile * BestLength())) return;
    const std::optional<PosedTree> moved = MovedBy(at);
    if (!moved.has_value()) return;
    pairs = OverlapsOf(*moved);
    run_.CheckCancelled();
    if (pairs.empty() && IsApart(*moved)) Accept(at);
  }
}

void WayOut::Shorten() {
  // Starts from the shortest translation of each direction.
  constexpr size_t kMostStarts = 6;
  constexpr double kSame = 0.98;
  std::stable_sort(
      ways_.begin(), ways_.end(),
      [](const Vec3& x, const Vec3& y) { return SafeNorm(x) < SafeNorm(y); });
  std::vector<Vec3> starts;
  for (const Vec3& way : ways_) {
    if (way == Vec3{}) return;
    const Vec3 d = DirectionOf(way);
    const bool is_new = std::none_of(
        starts.begin(), starts.end(),
        [&](const Vec3& other) { return Dot(d, DirectionOf(other)) > kSame; });
    if (is_new && starts.size() < kMostStarts) starts.push_back(way);
  }
  for (const Vec3& start : starts) {
    run_.CheckCancelled();
    if (SafeNorm(start) < kWorthwhile * BestLength()) ShortenFrom(start);
    progress_.Add(1);
  }
}

void WayOut::ShortenFrom(Vec3 from) {
  constexpr int kMostRounds = 8;
  constexpr int kMostSteps = 10;
  // Smallest relative gain that counts.
  constexpr double kLeastGain = 0x1p-20;
  for (int round = 0; round < kMostRounds; ++round) {
    const double length = SafeNorm(from);
    const std::optional<PosedTree> start = MovedBy(from);
    if (!start.has_value()) return;
    std::vector<TrianglePair> near;
    const QueryOptions options = Options();
    for (const PairDistance& pair :
         WithinSearch(4 * margin_ + kLeastGain * length, options)
             .All({*start, b_})) {
      near.push_back(pair.triangles);
    }
    std::vector<TranslationBound> bounds;
    AddBounds(near, from, Axes::kAll, &bounds);
    bool is_shorter = false;
    for (int step = 0; step < kMostSteps && !is_shorter; ++step) {
      const Vec3 to = ShortestTranslation(bounds);
      if (!(SafeNorm(to) < length * (1 - kLeastGain))) return;
      const std::optional<PosedTree> moved = MovedBy(to);
      if (!moved.has_value()) return;
      const std::vector<TrianglePair> pairs = OverlapsOf(*moved);
      run_.CheckCancelled();
      if (!pairs.empty()) {
        AddBounds(pairs, from, Axes::kAll, &bounds);
        continue;
      }
      // Stops after passing through the surface into the inside.
      if (!IsApart(*moved)) return;
      Accept(to);
      from = to;
      is_shorter = true;
    }
    if (!is_shorter) return;
  }
}

}  // namespace orbox
