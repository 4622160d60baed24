// SPDX-License-Identifier: Apache-2.0

// A chunked tree, and the ChunkAsker that runs its queries. Queries of the
// command accept it in place of a Tree. The functions below are named like
// those in bvh/large.
//
//   AskedTree scan{chunked_tree, asker};
//   absl::StatusOr<Lists<GlobalRayHit>> hits = AllHits(scan, rays, options);
#ifndef ORBOX_TOOLS_ORBOX_ASKED_TREE_H_
#define ORBOX_TOOLS_ORBOX_ASKED_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "tools/orbox/chunk_asker.h"

namespace orbox::cli {

struct AskedTree {
  ChunkedTree tree;
  ChunkAsker* asker;
};

// An AskedTree at a pose; see PosedChunkedTree.
struct PosedAskedTree {
  PosedChunkedTree tree;
  ChunkAsker* asker;

  PosedAskedTree(const AskedTree& of)  // NOLINT
      : tree(of.tree), asker(of.asker) {}
  PosedAskedTree(PosedChunkedTree posed, ChunkAsker* by)
      : tree(std::move(posed)), asker(by) {}

  static absl::StatusOr<PosedAskedTree> Create(const AskedTree& of,
                                               const Pose& pose) {
    absl::StatusOr<PosedChunkedTree> posed =
        PosedChunkedTree::Create(of.tree, pose);
    if (!posed.ok()) return posed.status();
    return PosedAskedTree(*std::move(posed), of.asker);
  }
};

inline auto ClosestPoint(const AskedTree& t, std::span<const Vec3> points,
                         const QueryOptions& options) {
  return t.asker->ClosestPoint(t.tree, points, options);
}
inline auto KNearest(const AskedTree& t, std::span<const Vec3> points, size_t k,
                     const QueryOptions& options) {
  return t.asker->KNearest(t.tree, points, k, options);
}
inline auto AllOverlaps(const AskedTree& t, const Regions& regions,
                        const QueryOptions& options) {
  return t.asker->AllOverlaps(t.tree, regions, options);
}
inline auto AnyHit(const AskedTree& t, std::span<const Ray> rays,
                   const QueryOptions& options) {
  return t.asker->AnyHit(t.tree, rays, options);
}
inline auto ClosestHit(const AskedTree& t, std::span<const Ray> rays,
                       const QueryOptions& options) {
  return t.asker->ClosestHit(t.tree, rays, options);
}
inline auto AllHits(const AskedTree& t, std::span<const Ray> rays,
                    const QueryOptions& options) {
  return t.asker->AllHits(t.tree, rays, options);
}
inline auto AllSelfOverlaps(const AskedTree& t, const QueryOptions& options) {
  return t.asker->AllSelfOverlaps(t.tree, options);
}
inline auto AllSelfWitnessesWithin(const AskedTree& t, double distance,
                                   const QueryOptions& options) {
  return t.asker->AllSelfWitnessesWithin(t.tree, distance, options);
}

inline auto AllOverlaps(const PosedAskedTree& a, const PosedAskedTree& b,
                        const QueryOptions& options) {
  return a.asker->AllOverlaps(a.tree, b.tree, options);
}
inline auto ClosestPair(const PosedAskedTree& a, const PosedAskedTree& b,
                        const QueryOptions& options) {
  return a.asker->ClosestPair(a.tree, b.tree, options);
}
inline auto CountWithin(const PosedAskedTree& a, const PosedAskedTree& b,
                        double distance, const QueryOptions& options) {
  return a.asker->CountWithin(a.tree, b.tree, distance, options);
}
inline auto AllWitnessesWithin(const PosedAskedTree& a, const PosedAskedTree& b,
                               double distance, const QueryOptions& options) {
  return a.asker->AllWitnessesWithin(a.tree, b.tree, distance, options);
}

inline auto SymmetricHausdorffDistance(const PosedAskedTree& a,
                                       const PosedAskedTree& b,
                                       const HausdorffOptions& options) {
  return a.asker->SymmetricHausdorffDistance(a.tree, b.tree, options);
}
inline auto DeviationField(const PosedAskedTree& a, const PosedAskedTree& b,
                           const HausdorffOptions& options) {
  return a.asker->DeviationField(a.tree, b.tree, options);
}

// Fields of an AskedTree; see ChunkedSignedDistanceField and
// ChunkedWindingNumberField.
class AskedSignedField {
 public:
  static absl::StatusOr<AskedSignedField> Create(const AskedTree& t) {
    absl::StatusOr<ChunkAsker::SignedField> field =
        t.asker->SignedFieldOf(t.tree);
    if (!field.ok()) return field.status();
    return AskedSignedField(*std::move(field));
  }
  ChunkAsker::ClosestPoints ClosestPoint(std::span<const Vec3> points,
                                         const QueryOptions& options) const {
    return field_(points, options);
  }

 private:
  explicit AskedSignedField(ChunkAsker::SignedField field)
      : field_(std::move(field)) {}

  ChunkAsker::SignedField field_;
};
class AskedWindingField {
 public:
  static absl::StatusOr<AskedWindingField> Of(const AskedTree& t) {
    absl::StatusOr<ChunkAsker::WindingField> field =
        t.asker->WindingFieldOf(t.tree);
    if (!field.ok()) return field.status();
    return AskedWindingField(*std::move(field));
  }
  absl::StatusOr<std::vector<double>> At(std::span<const Vec3> points,
                                         const WindingOptions& options) const {
    return field_(points, options);
  }

 private:
  explicit AskedWindingField(ChunkAsker::WindingField field)
      : field_(std::move(field)) {}

  ChunkAsker::WindingField field_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ASKED_TREE_H_
