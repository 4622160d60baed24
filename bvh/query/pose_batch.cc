#include "orbox/bvh/query/pose_batch.h"

#include <optional>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/first_refusal.h"
#include "orbox/bvh/query/mesh_distance_variants.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// A mesh at poses, and another one.
class PoseBatch {
 public:
  PoseBatch(const Tree& a, std::span<const Pose> poses, const PosedTree& b,
            const BatchOptions& options, TraversalStatistics* statistics)
      : a_(a),
        poses_(poses),
        center_(a.mesh().bounds().Center()),
        run_(b.tree().space(), poses.size(), options, statistics) {}

  // Calls ask(i, posed, statistics, last) at each pose, with a `Last` of its
  // piece, and sets results[i] to what it returns.
  template <typename Last, typename Result, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(Ask ask) {
    std::vector<Result> results;
    const absl::Status status = BatchRun::GuardMemory([&] {
      results.resize(poses_.size());
      return run_.ForEachPiece(place_of_, [&](const BatchRun::Piece& piece) {
        Last last{};
        for (const uint32_t i : piece.queries) {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) continue;
          results[i] = ask(*posed, piece.statistics, last);
        }
      });
    });
    if (!status.ok()) return status;
    if (!refusal_.status().ok()) return refusal_.status();
    return results;
  }

  // The same for lists.
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectEach(Ask ask) {
    auto lists = run_.CollectLists<Value>(
        place_of_, [&](uint32_t i, std::vector<Value>* values,
                       TraversalStatistics* statistics) {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return;
          const std::vector<Value> found = ask(*posed, statistics);
          values->insert(values->end(), found.begin(), found.end());
        });
    if (lists.ok() && !refusal_.status().ok()) return refusal_.status();
    return lists;
  }

 private:
  std::optional<PosedTree> At(size_t i) {
    absl::StatusOr<PosedTree> posed = PosedTree::Create(a_, poses_[i]);
    if (posed.ok()) return *std::move(posed);
    refusal_.Note(i, posed.status());
    return std::nullopt;
  }

  const Tree& a_;
  const std::span<const Pose> poses_;
  const Vec3 center_;
  const std::function<Vec3(size_t)> place_of_ = [this](size_t i) {
    const Pose& pose = poses_[i];
    // A bad pose has no place, and no answer either.
    return pose.IsFinite() ? pose.Apply(center_) : center_;
  };
  BatchRun run_;
  FirstRefusal refusal_;
};

// Nothing is taken over from the pose before.
struct Nothing {};

}  // namespace

absl::StatusOr<std::vector<uint8_t>> MeshesOverlapAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const BatchOptions& options, TraversalStatistics* statistics) {
  return PoseBatch(a, poses, b, options, statistics)
      .AskEach<Nothing, uint8_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return MeshesOverlap(posed, b, s) ? 1 : 0;
          });
}

absl::StatusOr<std::vector<uint8_t>> MeshesWithinAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const BatchOptions& options,
    TraversalStatistics* statistics) {
  return PoseBatch(a, poses, b, options, statistics)
      .AskEach<Nothing, uint8_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return MeshesWithin(posed, b, distance, s) ? 1 : 0;
          });
}

absl::StatusOr<std::vector<MeshDistanceResult>> MeshDistanceAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const BatchOptions& options, TraversalStatistics* statistics) {
  using LastPair = std::optional<TrianglePair>;
  return PoseBatch(a, poses, b, options, statistics)
      .AskEach<LastPair, MeshDistanceResult>(
          [&](const PosedTree& posed, TraversalStatistics* s, LastPair& last) {
            const MeshDistanceResult result =
                last.has_value() ? MeshDistanceFrom(posed, b, *last, s)
                                 : MeshDistance(posed, b, s);
            last = result.triangles;
            return result;
          });
}

absl::StatusOr<Lists<TrianglePair>> OverlappingPairsAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const BatchOptions& options, TraversalStatistics* statistics) {
  return PoseBatch(a, poses, b, options, statistics)
      .CollectEach<TrianglePair>(
          [&](const PosedTree& posed, TraversalStatistics* s) {
            return OverlappingPairs(posed, b, s);
          });
}

absl::StatusOr<Lists<PairDistance>> PairsWithinAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const BatchOptions& options,
    TraversalStatistics* statistics) {
  return PoseBatch(a, poses, b, options, statistics)
      .CollectEach<PairDistance>(
          [&](const PosedTree& posed, TraversalStatistics* s) {
            return PairsWithin(posed, b, distance, s);
          });
}

}  // namespace orbox
