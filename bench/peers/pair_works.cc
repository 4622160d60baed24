// SPDX-License-Identifier: Apache-2.0

// Queries of two meshes, one of which moves: overlap and distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/measure.h"
#include "bench/peers/works.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::peers {
namespace {

constexpr double kClearance = 0.01;  // of the diagonal, which is 1
constexpr size_t kCompared = 100;

// The two sides of one query, both ready for the first `poses`.
template <typename Question>
struct Sides {
  Sides(const BuiltOverPair& built, std::span<const Pose> wanted,
        double clearance = 0)
      : theirs(dynamic_cast<Question*>(built.theirs)),
        ours(dynamic_cast<Question*>(built.ours)) {
    if (theirs == nullptr || ours == nullptr) return;
    const size_t ready = std::min(built.theirs->Prepare(wanted, clearance),
                                  built.ours->Prepare(wanted, clearance));
    poses = wanted.first(ready);
  }

  Question* theirs;
  Question* ours;
  std::span<const Pose> poses;  // none if a side lacks the query
};

// Returns true if moving the first triangle by `error` in one of the directions
// that can separate two triangles makes or ends their overlap.
bool IsBorderline(const Triangle& s, const Triangle& t, double error) {
  const bool meet = Overlaps(s, t);
  const std::array<Vec3, 3> e = {s.b - s.a, s.c - s.b, s.a - s.c};
  const std::array<Vec3, 3> f = {t.b - t.a, t.c - t.b, t.a - t.c};
  std::vector<Vec3> directions = {Cross(e[0], e[1]), Cross(f[0], f[1])};
  for (const Vec3& u : e) {
    for (const Vec3& v : f) directions.push_back(Cross(u, v));
  }
  for (const Vec3& d : directions) {
    const double length = Norm(d);
    if (!(length > 0)) continue;
    for (const double signed_error : {error, -error}) {
      const Vec3 move = d * (signed_error / length);
      const Triangle moved = {s.a + move, s.b + move, s.c + move};
      if (Overlaps(moved, t) != meet) {
        return true;
      }
    }
  }
  return false;
}

// Calls `is_borderline` for the pairs in one result and not in the other.
template <typename IsBorderlinePair>
bool Agree(Pairs* x, Pairs* y, IsBorderlinePair is_borderline) {
  std::sort(x->begin(), x->end());
  std::sort(y->begin(), y->end());
  x->erase(std::unique(x->begin(), x->end()), x->end());
  Pairs difference;
  std::set_symmetric_difference(x->begin(), x->end(), y->begin(), y->end(),
                                std::back_inserter(difference));
  return std::all_of(difference.begin(), difference.end(), is_borderline);
}

template <typename Question>
void RunYesNo(std::string_view work, PairCase& pair, const BuiltOverPair& built,
              std::span<const Pose> poses, Emit emit,
              bool (*call)(Question*, size_t)) {
  const Sides<Question> sides(built, poses, kClearance);
  if (sides.poses.empty()) return;
  const Times times = MeasureSideBySide(
      sides.poses.size(), [&](size_t i) { call(sides.theirs, i); },
      [&](size_t i) { call(sides.ours, i); }, kSecondsPerRow);
  // The poses keep well clear of where rounding decides.
  const bool agree = AgreeThroughout(
      times.queries, kSecondsPerRow / 4,
      [&](size_t i) { return call(sides.theirs, i) == call(sides.ours, i); });
  emit({work, pair.name(), "", built.peer.name, times, agree});
}

void RunOverlapAny(PairCase& pair, const BuiltOverPair& built, Emit emit) {
  if (dynamic_cast<OverlapQuestion*>(built.theirs) == nullptr) return;
  RunYesNo<OverlapQuestion>(
      "overlap_any", pair, built, pair.HalfMeeting(), emit,
      [](OverlapQuestion* q, size_t i) { return q->Overlap(i); });
}

void RunWithin(PairCase& pair, const BuiltOverPair& built, Emit emit) {
  if (dynamic_cast<WithinQuestion*>(built.theirs) == nullptr) return;
  RunYesNo<WithinQuestion>(
      "within", pair, built, pair.HalfWithin(), emit,
      [](WithinQuestion* q, size_t i) { return q->Within(i, kClearance); });
}

void RunOverlapAll(PairCase& pair, const BuiltOverPair& built, Emit emit) {
  if (dynamic_cast<OverlapAllQuestion*>(built.theirs) == nullptr) return;
  const Sides<OverlapAllQuestion> sides(built, pair.Meeting());
  if (sides.poses.empty()) return;
  Pairs x;
  Pairs y;
  const auto call = [](OverlapAllQuestion* question, size_t i, Pairs* pairs) {
    pairs->clear();
    question->OverlapAll(i, pairs);
  };
  const Times times = MeasureSideBySide(
      sides.poses.size(), [&](size_t i) { call(sides.theirs, i, &x); },
      [&](size_t i) { call(sides.ours, i, &y); }, kSecondsPerRow);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        call(sides.theirs, i, &x);
        call(sides.ours, i, &y);
        return Agree(&x, &y, [&](TrianglePair p) {
          return IsBorderline(sides.poses[i].Apply(pair.a().triangle(p.a)),
                              pair.b().triangle(p.b), built.peer.tolerance);
        });
      });
  emit({"overlap_all", pair.name(), "", built.peer.name, times, agree});
}

void RunDistanceAt(PairCase& pair, const BuiltOverPair& built,
                   std::span<const Pose> poses, const char* gaps, Emit emit) {
  const Sides<DistanceQuestion> sides(built, poses);
  if (sides.poses.empty()) return;
  const Times times = MeasureSideBySide(
      sides.poses.size(), [&](size_t i) { sides.theirs->Distance(i); },
      [&](size_t i) { sides.ours->Distance(i); }, kSecondsPerRow);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        return std::abs(sides.theirs->Distance(i) - sides.ours->Distance(i)) <=
               built.peer.tolerance;
      });
  emit({"distance", pair.name(), gaps, built.peer.name, times, agree});
}

void RunDistance(PairCase& pair, const BuiltOverPair& built, Emit emit) {
  if (dynamic_cast<DistanceQuestion*>(built.theirs) == nullptr) return;
  RunDistanceAt(pair, built, pair.NearlyMeeting(), "gap 0.1-1%", emit);
  RunDistanceAt(pair, built, pair.Apart(), "gap 1-50%", emit);
}

void RunPairsWithin(PairCase& pair, const BuiltOverPair& built, Emit emit) {
  if (dynamic_cast<PairsWithinQuestion*>(built.theirs) == nullptr) return;
  const Sides<PairsWithinQuestion> sides(built, pair.NearlyMeeting(),
                                         kClearance);
  if (sides.poses.empty()) return;
  Pairs x;
  Pairs y;
  const auto call = [](PairsWithinQuestion* question, size_t i, Pairs* pairs) {
    pairs->clear();
    question->PairsWithin(i, kClearance, pairs);
  };
  const Times times = MeasureSideBySide(
      sides.poses.size(), [&](size_t i) { call(sides.theirs, i, &x); },
      [&](size_t i) { call(sides.ours, i, &y); }, kSecondsPerRow);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        call(sides.theirs, i, &x);
        call(sides.ours, i, &y);
        return Agree(&x, &y, [&](TrianglePair p) {
          const double d =
              Distance(sides.poses[i].Apply(pair.a().triangle(p.a)),
                       pair.b().triangle(p.b))
                  .distance;
          return std::abs(d - kClearance) <= built.peer.tolerance;
        });
      });
  emit({"pairs_within", pair.name(), "1%", built.peer.name, times, agree});
}

constexpr PairWork kWorks[] = {{"overlap_any", RunOverlapAny},
                               {"overlap_all", RunOverlapAll},
                               {"distance", RunDistance},
                               {"within", RunWithin},
                               {"pairs_within", RunPairsWithin}};

}  // namespace

std::span<const PairWork> PairWorks() { return kWorks; }

}  // namespace orbox::peers
