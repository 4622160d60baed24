// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunked_farthest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/internal/chunk_target.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// An undecided triangle of A, and the triangles of the target that are nearest
// to its corners.
struct UndecidedTriangle {
  uint64_t id = 0;
  double upper = 0;
  SampledCorners corners;
  Triangle near[3];
};

// The farthest corner of A so far, the k-th of its triangle. Among several,
// that of the lowest id.
struct FarCorner {
  uint64_t is_there = 0;
  uint64_t id = 0;
  uint64_t k = 0;
  DistanceSample sample;
  Triangle near;

  bool IsBeyond(const FarCorner& other) const {
    if (is_there != other.is_there) return is_there > other.is_there;
    if (sample.distance != other.sample.distance) {
      return sample.distance > other.sample.distance;
    }
    return std::pair(id, k) < std::pair(other.id, other.k);
  }
};

class ChunkedFarthest {
 public:
  ChunkedFarthest(const PosedChunkedTree& a, const FarthestGoal& goal,
                  const RunOptions& options, FarthestTeam& team)
      : a_(a),
        options_(options),
        team_(team),
        goal_(goal),
        workers_(options.threads),
        target_(team),
        search_(target_, goal) {}

  absl::StatusOr<GlobalHausdorffResult> Find() {
    absl::Status status = MeasureCorners();
    if (status.ok()) status = ShareFarthestCorner();
    if (status.ok()) status = BoundOpen();
    if (status.ok()) status = ShareOpen();
    if (!status.ok()) return status;
    FarthestRun run;
    status = team_.Together([&] {
      run.workers = &workers_;
      run.progress = Between(kSampled, 1, options_.progress);
      run.cancelled = options_.cancelled;
      return absl::OkStatus();
    });
    if (status.ok()) status = search_.Run(run);
    if (!status.ok()) return status;
    GlobalHausdorffResult result;
    status = team_.Together([&] {
      const FarthestPoint p = search_.result();
      result = {p.lower, p.upper, p.triangle_a, p.on_a, p.triangle_b, p.on_b};
      if (options_.progress) options_.progress(1);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return result;
  }

 private:
  // Share of the work that is sampling corners; see
  // query/deviation/hausdorff.cc.
  static constexpr double kSampled = 0.7;

  absl::Status MeasureCorners() {
    const size_t chunks = a_.tree().table().size();
    const std::pair<size_t, size_t> own = OwnRun(team_, chunks);
    const size_t rounds = (chunks + team_.size() - 1) / team_.size();
    for (size_t round = 0; round < rounds; ++round) {
      std::optional<PosedChunk> chunk;
      std::vector<DistanceQuery> queries;
      absl::Status status = team_.Together([&]() -> absl::Status {
        if (options_.cancelled != nullptr && *options_.cancelled) {
          return Execution::Cancelled();
        }
        const size_t i = own.first + round;
        if (i >= own.second) return absl::OkStatus();
        absl::StatusOr<PosedChunk> loaded = a_.Load(i);
        if (!loaded.ok()) return loaded.status();
        chunk.emplace(*std::move(loaded));
        const PosedTree& tree = chunk->tree;
        for (const Vec3& v : tree.tree().mesh().vertices()) {
          queries.push_back({tree.is_moved() ? tree.pose().Apply(v) : v,
                             kInfinity, goal_.known});
        }
        return absl::OkStatus();
      });
      std::vector<DistanceChunkTraits::Answer> near;
      if (status.ok()) status = team_.Closest(queries, &near);
      if (!status.ok()) return status;
      status = team_.Together([&] {
        if (chunk) TakeCorners(*chunk, queries, near);
        if (options_.progress) {
          options_.progress(kSampled * static_cast<double>(round + 1) /
                            static_cast<double>(rounds));
        }
        return CheckMemory();
      });
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  void TakeCorners(const PosedChunk& chunk,
                   std::span<const DistanceQuery> points,
                   std::span<const DistanceChunkTraits::Answer> near) {
    const Mesh& mesh = chunk.tree.tree().mesh();
    for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
      UndecidedTriangle triangle;
      triangle.id = chunk.ids[i];
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t v = mesh.triangles()[i][k];
        triangle.corners[k] = {points[v].point, near[v]->distance,
                               near[v]->triangle, near[v]->known};
        triangle.near[k] = near[v]->corners;
        const FarCorner corner{1, triangle.id, k, triangle.corners[k],
                               triangle.near[k]};
        if (corner.IsBeyond(farthest_)) farthest_ = corner;
      }
      triangle.upper = RoughBound(triangle.corners);
      if (!Settles(triangle.upper)) undecided_.push_back(triangle);
    }
    // The farthest corner moves away, so fewer of the earlier triangles stay
    // undecided.
    if (undecided_.size() <= 2 * checked_) return;
    std::erase_if(undecided_, [&](const UndecidedTriangle& triangle) {
      return Settles(triangle.upper);
    });
    checked_ = std::max(undecided_.size(), size_t{1} << 16);
  }

  // Returns true if the bound is good enough for any later farthest corner.
  // Then it is also the bound that the search would return for the triangle.
  bool Settles(double upper) {
    const double lower = goal_.LeastOf(farthest_.sample);
    if (upper > goal_.EnoughFor(lower)) return false;
    settled_ = std::max(settled_, upper);
    return true;
  }

  absl::Status CheckMemory() const {
    const uint64_t bytes = undecided_.size() * sizeof(UndecidedTriangle);
    if (bytes <= team_.memory()) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("the triangles that may hold the farthest point take ",
                     bytes, " bytes, and may take ", team_.memory(),
                     "; give it more, or a larger tolerance"));
  }

  absl::Status ShareFarthestCorner() {
    std::vector<FarCorner> all;
    absl::Status status = JoinValues<FarCorner>(team_, {&farthest_, 1}, &all);
    if (!status.ok()) return status;
    status = team_.Together([&] {
      for (const FarCorner& corner : all) {
        if (corner.IsBeyond(farthest_)) farthest_ = corner;
      }
      target_.set_is_shared(true);
      target_.Remember(farthest_.sample.triangle, farthest_.near);
      return absl::OkStatus();
    });
    if (status.ok()) {
      status = search_.WitnessFarthest(farthest_.id, &farthest_.sample);
    }
    if (!status.ok()) return status;
    return team_.Together([&] {
      farthest_.near = target_.TriangleOf(farthest_.sample.triangle);
      std::erase_if(undecided_, [&](const UndecidedTriangle& triangle) {
        return Settles(triangle.upper);
      });
      for (const UndecidedTriangle& triangle : undecided_)
        target_.Remember(triangle.corners, triangle.near);
      return absl::OkStatus();
    });
  }

  absl::Status BoundOpen() {
    std::vector<double> upper;
    const absl::Status status = search_.Bound(
        undecided_.size(), [&](size_t i) { return undecided_[i].corners; },
        workers_, &upper);
    if (!status.ok()) return status;
    return team_.Together([&] {
      target_.Forget();
      for (size_t i = 0; i < undecided_.size(); ++i)
        undecided_[i].upper = upper[i];
      std::erase_if(undecided_, [&](const UndecidedTriangle& triangle) {
        return Settles(triangle.upper);
      });
      KeepTheFirst();
      return absl::OkStatus();
    });
  }

  // The search examines at most max_parts / 2 + 1 triangles. One more bounds
  // the others.
  void KeepTheFirst() {
    const size_t most = goal_.max_parts / 2 + 2;
    if (undecided_.size() > most) {
      std::nth_element(
          undecided_.begin(), undecided_.begin() + static_cast<ptrdiff_t>(most),
          undecided_.end(),
          [](const UndecidedTriangle& x, const UndecidedTriangle& y) {
            return x.upper != y.upper ? x.upper > y.upper : x.id < y.id;
          });
      undecided_.resize(most);
    }
    std::sort(undecided_.begin(), undecided_.end(),
              [](const UndecidedTriangle& x, const UndecidedTriangle& y) {
                return x.id < y.id;
              });
  }

  absl::Status ShareOpen() {
    std::vector<UndecidedTriangle> all;
    std::vector<double> settled;
    absl::Status status =
        JoinValues<UndecidedTriangle>(team_, undecided_, &all);
    if (status.ok()) {
      status = JoinValues<double>(team_, {&settled_, 1}, &settled);
    }
    if (!status.ok()) return status;
    return team_.Together([&] {
      undecided_.swap(all);
      KeepTheFirst();
      for (const double upper : settled) search_.AddSettled(upper);
      target_.Remember(farthest_.sample.triangle, farthest_.near);
      for (const UndecidedTriangle& triangle : undecided_) {
        target_.Remember(triangle.corners, triangle.near);
        search_.Add(triangle.id, triangle.upper, triangle.corners);
      }
      std::vector<UndecidedTriangle>().swap(undecided_);
      return absl::OkStatus();
    });
  }

  const PosedChunkedTree& a_;
  const RunOptions& options_;
  FarthestTeam& team_;
  const FarthestGoal goal_;
  const Workers workers_;
  ChunkTarget target_;
  FarthestSearch search_;
  FarCorner farthest_;
  std::vector<UndecidedTriangle> undecided_;
  size_t checked_ = size_t{1} << 16;
  double settled_ = 0;  // upper bound of the triangles that are decided
};

}  // namespace

uint64_t FarthestTeam::memory() const {
  return std::numeric_limits<uint64_t>::max();
}

absl::StatusOr<GlobalHausdorffResult> FarthestOfChunks(
    const PosedChunkedTree& a, const Aabb& bounds,
    const HausdorffLimits& limits, const RunOptions& options,
    FarthestTeam& team) {
  const FarthestGoal goal = GoalOf(limits, bounds);
  return ChunkedFarthest(a, goal, options, team).Find();
}

}  // namespace orbox
