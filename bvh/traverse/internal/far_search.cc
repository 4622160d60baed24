// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/far_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>

#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Pairs whose key is within this many errors of the smallest possible key are
// measured together.
constexpr double kAlmostLeast = 8;

}  // namespace

// Counts the steps if the query has statistics.
class FarSearch::Tally {
 public:
  explicit Tally(const Watch& watch) : watch_(watch), pulse_(watch) {}
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  ~Tally() { CountTests(tested_, counts_, watch_.statistics); }

  void Expand(VolumeKind kind, int depth, int tested, int accepted) {
    pulse_.Turn();
    if (watch_.statistics == nullptr) return;
    VolumeStatistics& v =
        watch_.statistics
            ->volumes[static_cast<size_t>(depth)][static_cast<size_t>(kind)];
    ++v.nodes_visited;
    v.volume_tests += static_cast<uint64_t>(tested);
    v.accepted += static_cast<uint64_t>(accepted);
  }
  void Test(size_t count) {
    pulse_.Turn();
    tested_ += count;
  }
  ArithmeticCounts* counts() { return &counts_; }

 private:
  const Watch watch_;
  Pulse pulse_;
  uint64_t tested_ = 0;
  ArithmeticCounts counts_;
};

// Pairs of subtrees, ordered by key, the lowest first. Among keys that differ
// by less than the error of floats, pairs in the line of sight come first, and
// then the pair that was added last.
class FarSearch::Frontier {
 public:
  struct Pair {
    FarView::FarVolume a;
    FarView::FarVolume b;
  };
  static Pair WholeOf(const FarView& view) {
    return {FarView::WholeOf(view.a()), FarView::WholeOf(view.b())};
  }

  explicit Frontier(const FarView& view) : view_(view) {
    heap_.reserve(64);
    pairs_.reserve(64);
  }

  void Push(double key, const Pair& pair) {
    constexpr double kPerUnit = 0x1p16;
    heap_.push_back({std::floor(key * kPerUnit),
                     view_.is_of_point() ? 0 : view_.Aside(pair.a, pair.b), key,
                     pairs_.size()});
    pairs_.push_back(pair);
    std::push_heap(heap_.begin(), heap_.end());
  }

  // Sets *pair to the next pair up to `limit`. Returns false if there is none.
  bool Next(double limit, Pair* pair) {
    while (!heap_.empty()) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
      if (entry.key > limit) continue;
      *pair = pairs_[entry.index];
      return true;
    }
    return false;
  }

  // Expands the larger one of the two and adds the pairs up to `limit`. Returns
  // false if both are leaves.
  bool Expand(const Pair& pair, double limit, Tally* tally) {
    return ExpandBy(pair, limit, tally, [&](const auto& a, const auto& b) {
      return view_.LowerKey(a, b, limit);
    });
  }
  // Like Expand, but with bounds along the line of sight only.
  bool ExpandAlong(const Pair& pair, double limit, Tally* tally) {
    return ExpandBy(pair, limit, tally, [&](const auto& a, const auto& b) {
      return view_.LowerAlong(a, b);
    });
  }

  template <typename KeyOf>
  bool ExpandBy(const Pair& pair, double limit, Tally* tally,
                const KeyOf& key_of) {
    if (pair.a.is_leaf && pair.b.is_leaf) return false;
    const bool expands_a =
        pair.b.is_leaf || (!pair.a.is_leaf && pair.a.radius >= pair.b.radius);
    const FarView::Side& side = expands_a ? view_.a() : view_.b();
    const FarView::FarVolume& whole = expands_a ? pair.a : pair.b;
    FarView::FarVolume children[kLanes];
    const int count = view_.Expand(side, whole, children);
    int accepted = 0;
    for (int i = 0; i < count; ++i) {
      const FarView::FarVolume& a = expands_a ? children[i] : pair.a;
      const FarView::FarVolume& b = expands_a ? pair.b : children[i];
      const double key = key_of(a, b);
      if (key > limit) continue;
      Push(key, {a, b});
      ++accepted;
    }
    tally->Expand(FarView::KindOf(side, whole), pair.a.depth + pair.b.depth,
                  count, accepted);
    return true;
  }

  // Calls visit(triangles of a, i, triangles of b, j) for all pairs of two
  // leaves.
  template <typename Visitor>
  void Visit(const Pair& pair, Tally* tally, const Visitor& visit) const {
    FarView::Triangles a;
    FarView::Triangles b;
    view_.TrianglesOf(view_.a(), pair.a, &a);
    view_.TrianglesOf(view_.b(), pair.b, &b);
    tally->Test(a.count * b.count);
    for (size_t i = 0; i < a.count; ++i) {
      for (size_t j = 0; j < b.count; ++j) visit(a, i, b, j);
    }
  }

 private:
  struct Entry {
    double rank;
    double aside;
    double key;
    size_t index;

    bool operator<(const Entry& other) const {
      if (rank != other.rank) return rank > other.rank;
      return aside != other.aside ? aside > other.aside : index < other.index;
    }
  };

  const FarView& view_;
  std::vector<Entry> heap_;  // reserved, unlike a std::priority_queue
  std::vector<Pair> pairs_;
};

// Triangles that may belong to the result. None of their distances rounds to
// less than `down`, and the smallest one does not round to more than `up`.
struct FarSearch::Candidate {
  double key;
  double down;
  double up;
  TrianglePair triangles;
};

// The triangle that extends farthest along the line of sight, and its key. Of
// several, the lowest.
struct FarSearch::Reach {
  double key = kInfinity;
  uint32_t triangle = 0;

  bool operator<(const Reach& other) const {
    return key != other.key ? key < other.key : triangle < other.triangle;
  }
};

// The closest pair so far.
class FarSearch::Best {
 public:
  Best(const FarSearch& search, const Limits& limits, Tally* tally)
      : search_(search), limits_(limits), tally_(tally) {}

  void Offer(const TrianglePair& triangles) {
    const Witness answer = search_.WitnessOf(triangles, tally_->counts());
    if (answer_ ? answer.distance < answer_->distance
                : search_.IsWithin(answer, limits_.max_distance)) {
      answer_ = answer;
    }
  }

  // Returns true if a distance that rounds to `distance` or more cannot improve
  // the result.
  bool IsNoBetter(double distance) const {
    return answer_ ? distance >= answer_->distance
                   : distance > limits_.max_distance;
  }
  bool IsLeast() const { return answer_ && IsNoBetter(limits_.least); }
  void RaiseLeast(double least) {
    limits_.least = std::max(limits_.least, least);
  }
  double least() const { return limits_.least; }

  const std::optional<Witness>& answer() const { return answer_; }

 private:
  const FarSearch& search_;
  Limits limits_;
  Tally* const tally_;
  std::optional<Witness> answer_;
};

// The other side of the pairs is a point at its center. The keys are then the
// extent of the volumes. The result always has a triangle.
FarSearch::Reach FarSearch::ReachOf(bool is_a, Tally* tally) const {
  Reach reach;
  FarView::FarVolume center;
  center.is_leaf = true;
  const FarView::Side& side = is_a ? view_.a() : view_.b();
  const FarView::FarVolume whole = FarView::WholeOf(side);
  Frontier frontier(view_);
  frontier.Push(
      0, is_a ? Frontier::Pair{whole, center} : Frontier::Pair{center, whole});
  Frontier::Pair pair;
  while (frontier.Next(reach.key, &pair)) {
    if (frontier.ExpandAlong(pair, reach.key, tally)) continue;
    FarView::Triangles triangles;
    view_.TrianglesOf(side, is_a ? pair.a : pair.b, &triangles);
    tally->Test(triangles.count);
    for (size_t i = 0; i < triangles.count; ++i) {
      const FarView::FarVolume& around = triangles.around[i];
      reach =
          std::min(reach, {is_a ? around.low : -around.high, triangles.ids[i]});
    }
  }
  return reach;
}

std::optional<Witness> FarSearch::Closest(const Limits& limits,
                                          const Watch& watch) const {
  Tally tally(watch);
  Best best(*this, limits, &tally);
  double limit = view_.KeyAbove(limits.max_distance);
  // A lower bound of all keys.
  double least_key = -kInfinity;
  if (!view_.is_of_point()) {
    const Reach a = ReachOf(true, &tally);
    const Reach b = ReachOf(false, &tally);
    least_key = a.key + b.key;
    best.RaiseLeast(view_.RoundedDown(least_key));
    best.Offer({a.triangle, b.triangle});
    if (best.IsLeast()) return best.answer();
    if (best.answer()) limit = view_.KeyAbove(best.answer()->distance);
  }
  std::vector<Candidate> candidates;
  Frontier frontier(view_);
  frontier.Push(least_key, Frontier::WholeOf(view_));
  Frontier::Pair pair;
  while (frontier.Next(limit, &pair)) {
    if (frontier.Expand(pair, limit, &tally)) continue;
    frontier.Visit(pair, &tally,
                   [&](const auto& a, size_t i, const auto& b, size_t j) {
                     const double key =
                         view_.is_of_point()
                             ? view_.MiddleKey(a, i)
                             : view_.LowerKey(a.around[i], b.around[j], limit);
                     if (key > limit) return;
                     const double upper = view_.UpperKey(a, i, b, j);
                     limit = std::min(limit, upper);
                     const TrianglePair ids{a.ids[i], b.ids[j]};
                     // Possibly no pair is nearer.
                     if (upper <= least_key + kAlmostLeast * view_.error() &&
                         !best.IsLeast()) {
                       best.Offer(ids);
                     } else {
                       candidates.push_back({key, 0, 0, ids});
                     }
                   });
    if (best.IsLeast()) return best.answer();
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& x, const Candidate& y) {
              return x.key != y.key ? x.key < y.key : x.triangles < y.triangles;
            });
  for (const Candidate& c : candidates) {
    if (c.key > limit || best.IsNoBetter(view_.RoundedDown(c.key))) break;
    best.Offer(c.triangles);
  }
  return best.answer();
}

// Calls visit(key, triangles of a, i, triangles of b, j) for all pairs of
// triangles whose key may be up to `limit`. The callback may lower `limit`.
template <typename Visitor>
void FarSearch::VisitUpTo(const double& limit, Tally* tally,
                          const Visitor& visit) const {
  Frontier frontier(view_);
  frontier.Push(-kInfinity, Frontier::WholeOf(view_));
  Frontier::Pair pair;
  while (frontier.Next(limit, &pair)) {
    if (frontier.Expand(pair, limit, tally)) continue;
    frontier.Visit(
        pair, tally, [&](const auto& a, size_t i, const auto& b, size_t j) {
          const double key = view_.LowerKey(a.around[i], b.around[j], limit);
          if (!(key > limit)) visit(key, a, i, b, j);
        });
  }
}

std::vector<Witness> FarSearch::Nearest(size_t wanted, double max_distance,
                                        const Watch& watch) const {
  Tally tally(watch);
  double limit = view_.KeyAbove(max_distance);
  // The `wanted` lowest upper bounds, as a heap with the largest in front.
  std::priority_queue<double> uppers;
  std::vector<Candidate> candidates;
  VisitUpTo(limit, &tally,
            [&](double key, const auto& a, size_t i, const auto& b, size_t j) {
              const double upper = view_.UpperKey(a, i, b, j);
              const double up = view_.RoundedUp(upper);
              candidates.push_back(
                  {key, view_.RoundedDown(key), up, {a.ids[i], b.ids[j]}});
              uppers.push(up);
              if (uppers.size() <= wanted) return;
              uppers.pop();
              // Triangles whose distance rounds to the same number may have
              // lower ids.
              limit = std::min(limit, view_.KeyAbove(uppers.top()));
            });
  // The bounds often decide which triangles are nearest, so that no distance is
  // computed.
  const double most = std::min(
      max_distance, uppers.size() == wanted ? uppers.top() : kInfinity);
  std::vector<Witness> nearest;
  for (const Candidate& c : candidates) {
    if (c.down > most) continue;
    Witness answer{.triangles = c.triangles, .distance = c.down};
    if (c.down != c.up || c.down == max_distance) {
      answer = WitnessOf(c.triangles, tally.counts());
      if (!IsWithin(answer, max_distance)) continue;
    }
    nearest.push_back(answer);
  }
  const size_t count = std::min(wanted, nearest.size());
  std::partial_sort(
      nearest.begin(), nearest.begin() + static_cast<ptrdiff_t>(count),
      nearest.end(), [](const Witness& x, const Witness& y) {
        return x.distance != y.distance ? x.distance < y.distance
                                        : x.triangles < y.triangles;
      });
  nearest.resize(count);
  for (Witness& answer : nearest) {
    answer = WitnessOf(answer.triangles, tally.counts());
  }
  return nearest;
}

std::vector<TrianglePair> FarSearch::AllAt(double distance,
                                           const Watch& watch) const {
  Tally tally(watch);
  const double limit = view_.KeyAbove(distance);
  std::vector<TrianglePair> pairs;
  VisitUpTo(limit, &tally,
            [&](double key, const auto& a, size_t i, const auto& b, size_t j) {
              const double down = view_.RoundedDown(key);
              if (down > distance) return;
              const TrianglePair ids{a.ids[i], b.ids[j]};
              const bool is_known =
                  down == distance &&
                  view_.RoundedUp(view_.UpperKey(a, i, b, j)) == distance;
              if (is_known || DistanceBetween(view_.a().tree->triangle(ids.a),
                                              view_.b().tree->triangle(ids.b),
                                              tally.counts()) == distance) {
                pairs.push_back(ids);
              }
            });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Witness FarSearch::WitnessOf(const TrianglePair& triangles,
                             ArithmeticCounts* counts) const {
  const Triangle s = view_.a().tree->triangle(triangles.a);
  if (view_.is_of_point()) {
    const PointTriangleDistance d = Distance(view_.b().center, s, counts);
    return {triangles, d.distance, d.closest, view_.b().center};
  }
  const TrianglePairDistance d =
      Distance(s, view_.b().tree->triangle(triangles.b), counts);
  return {triangles, d.distance, d.on_first, d.on_second};
}

bool FarSearch::IsWithin(const Witness& answer, double max_distance) const {
  if (answer.distance != max_distance || std::isinf(max_distance)) {
    return answer.distance <= max_distance;
  }
  // Some distances above the limit round to it.
  const Triangle s = view_.a().tree->triangle(answer.triangles.a);
  return view_.is_of_point()
             ? WithinDistance(view_.b().center, s, max_distance)
             : WithinDistance(s, view_.b().tree->triangle(answer.triangles.b),
                              max_distance);
}

}  // namespace orbox
