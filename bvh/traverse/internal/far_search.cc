// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/far_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Half of what a float volume near the end of the tree's space is off by, or
// the loop over two trees by its slack, is then 2^-14 of the meshes' sizes.
constexpr double kFarApart = 64;

// Squares of lengths, and their sums, stay in the middle of double's range.
constexpr double kLeast = 0x1p-400;
constexpr double kMost = 0x1p400;

// Keys and bounds take fewer than 64 operations on numbers of at most 4 units.
constexpr double kKeyError = 0x1p-44;

// A child's volume contains what is below it in floats that are rounded
// outward; its frame is orthonormal to within kFrameError only, so that what
// its transpose takes back is off by less than this, in tree space.
constexpr double kFrameSlack = 0x1p-19;

double Largest(const Vec3& v) { return MaxCoordinate(Abs(v)); }

Vec3 Linear(const Pose& pose, const Vec3& v) {
  return {Dot(pose.rows[0], v), Dot(pose.rows[1], v), Dot(pose.rows[2], v)};
}

}  // namespace

// A pair of parts, by what it is certainly no nearer than.
struct FarSearch::Entry {
  double key;
  Part a;
  Part b;

  bool operator<(const Entry& other) const { return key > other.key; }
};

struct FarSearch::Candidate {
  double key;  // a lower bound
  TrianglePair triangles;

  friend bool operator<(const Candidate& x, const Candidate& y) {
    return x.key != y.key ? x.key < y.key : x.triangles < y.triangles;
  }
};

// The least upper bound so far, and the pairs that may be below it.
struct FarSearch::Nearness {
  double upper = std::numeric_limits<double>::infinity();
  std::vector<Candidate> candidates;
  uint64_t tested = 0;
};

FarSearch::Side FarSearch::SideOf(const PosedTree& tree) {
  const Aabb& box = tree.tree().mesh().bounds();
  const Vec3 half = box.HalfExtents();
  Side side;
  side.tree = tree;
  side.center = tree.pose().Apply(tree.tree().space().origin);
  const double most = tree.scale() * tree.stretch() * (1 + 4 * tree.skew());
  // Twice as much as the corners are away, for what poses and halves round.
  side.radius = 2 * most * Norm(half);
  if (tree.is_moved()) {
    side.slack = 0x1p-48 * (most * (Largest(box.Center()) + Largest(half)) +
                            Largest(tree.pose().translation));
  }
  side.slack += kFrameSlack * most * tree.tree().space().unscale;
  return side;
}

std::optional<FarSearch> FarSearch::Between(const PosedTree& a,
                                            const PosedTree& b) {
  const Side of_a = SideOf(a);
  const Side of_b = SideOf(b);
  const double sizes = of_a.radius + of_b.radius;
  const double away = Largest(of_a.center - of_b.center);
  if (!(away > kFarApart * sizes) || !(sizes > kLeast) || !(away < kMost)) {
    return std::nullopt;
  }
  return FarSearch(of_a, of_b);
}

std::optional<FarSearch> FarSearch::Between(const PosedTree& a, const Vec3& p) {
  const Side of_a = SideOf(a);
  const double away = Largest(of_a.center - p);
  if (!(away > kFarApart * of_a.radius) || !(of_a.radius > kLeast) ||
      !(away < kMost)) {
    return std::nullopt;
  }
  Side of_p;
  of_p.center = p;
  return FarSearch(of_a, of_p);
}

FarSearch::FarSearch(const Side& a, const Side& b) : a_(a), b_(b) {
  int exponent = 0;
  std::frexp(a.radius + b.radius, &exponent);
  unit_ = std::ldexp(1.0, exponent);
  inverse_unit_ = std::ldexp(1.0, -exponent);
  for (Side* side : {&a_, &b_}) {
    side->radius *= inverse_unit_;
    side->slack *= inverse_unit_;
  }
  // D and L as pairs of doubles, from differences without error.
  DoubleDouble square;
  Vec3 difference;
  for (size_t k = 0; k < 3; ++k) {
    DoubleDouble d = TwoDifference(a.center[k], b.center[k]);
    difference[k] = d.hi;
    square = Sum(square, Product(d, d));
  }
  const double root = std::sqrt(square.hi);
  // One step of Newton's.
  const DoubleDouble rest = Sum(square, Negated(TwoProduct(root, root)));
  length_ = FastTwoSum(root, rest.hi / (2 * root));
  direction_ = difference * (1 / root);
  length_in_units_ = root * inverse_unit_;
  error_ = kKeyError;
}

FarSearch::Part FarSearch::Whole(const Side& side) const {
  Part part;
  part.radius = part.reach = side.radius;
  part.is_leaf = !side.tree;
  part.index = Tree::kRoot;
  return part;
}

double FarSearch::KeyFor(double along, double square_aside) const {
  const double total = length_in_units_ + along;
  return (2 * length_in_units_ * along + along * along + square_aside) /
         (std::sqrt(total * total + square_aside) + length_in_units_);
}

double FarSearch::KeyOf(const Vec3& difference) const {
  const double along = Dot(direction_, difference);
  const Vec3 aside = difference - direction_ * along;
  return KeyFor(along, SquaredNorm(aside));
}

double FarSearch::LowerKey(const Part& a, const Part& b) const {
  const Vec3 between = a.center - b.center;
  const double along = Dot(direction_, between);
  const double aside = Norm(between - direction_ * along);
  const double gap = std::max(0.0, aside - a.radius - b.radius - error_);
  return KeyFor(along - a.reach - b.reach, gap * gap) - error_;
}

std::vector<FarSearch::Part> FarSearch::Children(const Side& side,
                                                 const Part& part) const {
  const Tree& tree = side.tree->tree();
  const Pose& pose = side.tree->pose();
  const Node node = tree.node(part.index);
  const double to_units = tree.space().unscale * inverse_unit_;
  const double most = side.tree->scale() * side.tree->stretch() *
                      (1 + 4 * side.tree->skew()) * to_units;
  const auto row = [&node](int k, int lane) {
    return static_cast<double>(node.rows[k][lane]);
  };
  std::vector<Part> children;
  for (int lane = 0; lane < node.count; ++lane) {
    Part child;
    child.is_leaf = lane >= node.inner_count;
    child.depth = part.depth + 1;
    const auto step = static_cast<uint32_t>(lane);
    child.index = child.is_leaf ? node.first_leaf + step - node.inner_count
                                : node.first_node + step;
    if (node.kind == VolumeKind::kSphere) {
      const Vec3 center{row(0, lane), row(1, lane), row(2, lane)};
      child.center = Linear(pose, center * to_units);
      child.radius = child.reach = row(3, lane) * most;
    } else {
      Vec3 center;
      Vec3 half;
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<size_t>(k);
        half[axis] = 0.5 * (row(k + 3, lane) - row(k, lane));
        const double middle = 0.5 * (row(k + 3, lane) + row(k, lane));
        for (int i = 0; i < 3; ++i) {
          const auto entry = static_cast<double>(node.frame[axis][i]);
          center[static_cast<size_t>(i)] += entry * middle;
        }
      }
      child.center = Linear(pose, center * to_units);
      child.radius = Norm(half) * most;
      for (int k = 0; k < 3; ++k) {
        const float* const of_axis = node.frame[static_cast<size_t>(k)];
        const Vec3 axis{of_axis[0], of_axis[1], of_axis[2]};
        const Vec3 edge =
            Linear(pose, axis * (half[static_cast<size_t>(k)] * to_units));
        child.reach += std::abs(Dot(direction_, edge));
      }
    }
    child.radius += side.slack;
    child.reach += side.slack;
    children.push_back(child);
  }
  return children;
}

Triangle FarSearch::PosedTriangle(const Side& side, uint32_t id) const {
  if (!side.tree) return {side.center, side.center, side.center};
  return side.tree->triangle(id);
}

size_t FarSearch::TrianglesOf(const Side& side, const Part& leaf,
                              Triangle* triangles, uint32_t* ids) const {
  if (!side.tree) {
    triangles[0] = {};
    ids[0] = 0;
    return 1;
  }
  size_t count = 0;
  for (const uint32_t id : side.tree->tree().leaf_ids(leaf.index)) {
    if (id == kNoTriangle) continue;
    const Triangle t = PosedTriangle(side, id);
    triangles[count] = {(t.a - side.center) * inverse_unit_,
                        (t.b - side.center) * inverse_unit_,
                        (t.c - side.center) * inverse_unit_};
    ids[count++] = id;
  }
  return count;
}

FarSearch::Part FarSearch::Around(const Triangle& t) const {
  Part part;
  part.center = (t.a + t.b + t.c) * (1.0 / 3);
  for (const Vec3& v : {t.a, t.b, t.c}) {
    const Vec3 d = v - part.center;
    part.radius = std::max(part.radius, Norm(d));
    part.reach = std::max(part.reach, std::abs(Dot(direction_, d)));
  }
  return part;
}

void FarSearch::VisitLeaves(const Part& a, const Part& b,
                            Nearness* nearness) const {
  Triangle of_a[kLanes];
  Triangle of_b[kLanes];
  uint32_t a_ids[kLanes];
  uint32_t b_ids[kLanes];
  Part around_b[kLanes];
  const size_t a_count = TrianglesOf(a_, a, of_a, a_ids);
  const size_t b_count = TrianglesOf(b_, b, of_b, b_ids);
  for (size_t j = 0; j < b_count; ++j) around_b[j] = Around(of_b[j]);
  nearness->tested += a_count * b_count;
  for (size_t i = 0; i < a_count; ++i) {
    const Triangle& s = of_a[i];
    const Part around_a = Around(s);
    for (size_t j = 0; j < b_count; ++j) {
      const double key = LowerKey(around_a, around_b[j]);
      if (key > nearness->upper) continue;
      // Any two points of theirs bound the least distance from above.
      const Triangle& t = of_b[j];
      for (const Vec3& v : {s.a, s.b, s.c}) {
        for (const Vec3& w : {t.a, t.b, t.c}) {
          nearness->upper = std::min(nearness->upper, KeyOf(v - w) + error_);
        }
      }
      nearness->candidates.push_back({key, {a_ids[i], b_ids[j]}});
    }
  }
}

std::optional<FarSearch::Answer> FarSearch::Closest(
    double max_distance, TraversalStatistics* statistics) const {
  Nearness nearness;
  std::priority_queue<Entry> queue;
  queue.push({std::numeric_limits<double>::lowest(), Whole(a_), Whole(b_)});
  while (!queue.empty() && queue.top().key <= nearness.upper) {
    const Entry entry = queue.top();
    queue.pop();
    if (entry.a.is_leaf && entry.b.is_leaf) {
      VisitLeaves(entry.a, entry.b, &nearness);
      continue;
    }
    const bool opens_a = entry.b.is_leaf ||
                         (!entry.a.is_leaf && entry.a.radius >= entry.b.radius);
    const Side& side = opens_a ? a_ : b_;
    const Part& opened = opens_a ? entry.a : entry.b;
    const std::vector<Part> children = Children(side, opened);
    uint64_t accepted = 0;
    for (const Part& child : children) {
      const Part& a = opens_a ? child : entry.a;
      const Part& b = opens_a ? entry.b : child;
      const double key = LowerKey(a, b);
      if (key > nearness.upper) continue;
      queue.push({key, a, b});
      ++accepted;
    }
    if (statistics != nullptr) {
      const auto kind =
          static_cast<size_t>(side.tree->tree().node(opened.index).kind);
      VolumeStatistics& v =
          statistics->volumes[entry.a.depth + entry.b.depth][kind];
      ++v.nodes_visited;
      v.volume_tests += children.size();
      v.accepted += accepted;
    }
  }
  std::erase_if(nearness.candidates,
                [&](const Candidate& c) { return c.key > nearness.upper; });
  if (statistics != nullptr) {
    // The pairs that are measured count themselves.
    statistics->triangle_tests += nearness.tested;
    statistics->settled_by_double += nearness.tested;
  }
  return Measure(std::move(nearness.candidates), max_distance, statistics);
}

// Whether a pair with this lower bound is at a distance that rounds to
// `distance` or more: it is more than what is halfway to the double below. L is
// off by less than 2^-100 of it, which the last comparison allows for.
bool FarSearch::IsCertainlyFarther(double key, double distance) const {
  if (std::isinf(distance)) return false;
  const double below = std::nextafter(distance, 0.0);
  const double half_step = 0.5 * (distance - below);
  // L - (distance - half_step): the first difference is nearly exact, since
  // both are close, and what is left is as small as the meshes.
  const DoubleDouble first = TwoDifference(length_.hi, distance);
  const DoubleDouble rest =
      Sum(first, TwoSum(length_.lo + half_step, (key - error_) * unit_));
  return rest.hi > 0x1p-45 * half_step;
}

FarSearch::Answer FarSearch::AnswerOf(const TrianglePair& triangles,
                                      ArithmeticCounts* counts) const {
  const Triangle s = PosedTriangle(a_, triangles.a);
  if (!b_.tree) {
    const PointTriangleDistance d = Distance(b_.center, s, counts);
    return {d.distance, triangles, d.closest, b_.center};
  }
  const TrianglePairDistance d =
      Distance(s, PosedTriangle(b_, triangles.b), counts);
  return {d.distance, triangles, d.on_first, d.on_second};
}

bool FarSearch::IsWithin(const Answer& answer, double max_distance) const {
  if (answer.distance != max_distance || std::isinf(max_distance)) {
    return answer.distance <= max_distance;
  }
  // Some that are farther round to it.
  const Triangle s = PosedTriangle(a_, answer.triangles.a);
  return b_.tree ? WithinDistance(s, PosedTriangle(b_, answer.triangles.b),
                                  max_distance)
                 : WithinDistance(b_.center, s, max_distance);
}

std::optional<FarSearch::Answer> FarSearch::Measure(
    std::vector<Candidate> candidates, double max_distance,
    TraversalStatistics* statistics) const {
  std::sort(candidates.begin(), candidates.end());
  ArithmeticCounts counts;
  std::optional<Answer> best;
  // What rounds to as much does not interest.
  double beyond =
      std::nextafter(max_distance, std::numeric_limits<double>::infinity());
  for (const Candidate& c : candidates) {
    if (IsCertainlyFarther(c.key, beyond)) break;
    const Answer answer = AnswerOf(c.triangles, &counts);
    if (best ? answer.distance < best->distance
             : IsWithin(answer, max_distance)) {
      best = answer;
      beyond = answer.distance;
    }
  }
  if (statistics != nullptr) {
    statistics->settled_by_double -= counts.by_exact;
    statistics->settled_by_exact += counts.by_exact;
  }
  return best;
}

}  // namespace orbox
