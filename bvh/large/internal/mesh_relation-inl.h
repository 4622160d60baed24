// SPDX-License-Identifier: Apache-2.0

// The relation of mesh_relation.h, for any target. A library defines for its
// target InStep(tree, what, work), FacesOf(tree, options), and
//
//   CheckSides(sides, options)  returns an error for arguments that are not
//                               valid or, of ranks, not equal
//   PosedChunks(side)           returns the PosedChunkedTree
//   TargetAt(side)              returns the target without its pose
//   MovedTarget(side)           returns the target, moved by its pose
//   OwnedOf(tree)               returns the chunks of this process
//   AnyOfAll(tree, flags)       sets the flags that any process has set
//
// and instantiates RelationOfApartSides. Private.
#ifndef ORBOX_BVH_LARGE_INTERNAL_MESH_RELATION_INL_H_
#define ORBOX_BVH_LARGE_INTERNAL_MESH_RELATION_INL_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/component_points.h"
#include "orbox/bvh/large/mesh_relation.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/query/inside/internal/components_inside.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {

inline constexpr char kNoMemoryForRelation[] = "for a relation; free some";

// Flags that the processes of a target join.
using SharedFlags = std::array<uint64_t, 2>;

// A mesh at its pose, with its chunks.
template <LargeTree T>
struct RelatedMesh {
  const PosedOf<T>& side;
  const PosedChunkedTree& chunks;
};

// Returns for each point if it is inside the solid, whose faces are known.
template <LargeTree T>
absl::StatusOr<std::vector<uint8_t>> AreInside(const PosedOf<T>& solid,
                                               ChunkedTree::Faces faces,
                                               std::span<const Vec3> points,
                                               const OptionsOf<T>& options) {
  const absl::StatusOr<T> moved = MovedTarget(solid);
  if (!moved.ok()) return moved.status();
  moved->chunks().Remember(faces);
  return IsInside(*moved, points, options);
}

template <LargeTree T>
absl::StatusOr<ComponentsInside> InsideOf(const RelatedMesh<T>& mesh,
                                          const RelatedMesh<T>& solid,
                                          const OptionsOf<T>& options) {
  const T& target = TargetAt(mesh.side);
  ComponentPoints points;
  absl::Status status = InStep(target, kNoMemoryForRelation, [&] {
    const auto [begin, end] = OwnedOf(target);
    absl::StatusOr<ComponentPoints> own =
        PointsWithin(solid.chunks.bounds(), mesh.chunks, begin, end,
                     Watch{nullptr, options.cancelled, nullptr});
    if (own.ok()) points = *std::move(own);
    return own.status();
  });
  SharedFlags found = {!points.within.empty(), points.any_elsewhere};
  if (status.ok()) status = AnyOfAll(target, found);
  if (!status.ok()) return status;
  ComponentsInside inside{.all = found[1] == 0};
  if (found[0] == 0) return inside;
  const absl::StatusOr<ChunkedTree::Faces> faces =
      FacesOf(TargetAt(solid.side), options);
  if (!faces.ok()) return faces.status();
  if (*faces == ChunkedTree::Faces::kOpen) {
    return ComponentsInside{.all = false, .is_undefined = true};
  }
  const absl::StatusOr<std::vector<uint8_t>> are_inside =
      AreInside<T>(solid.side, *faces, points.within, options);
  if (!are_inside.ok()) return are_inside.status();
  const auto count_of = [&](uint8_t value) -> uint64_t {
    return static_cast<uint64_t>(
        std::count(are_inside->begin(), are_inside->end(), value));
  };
  found = {count_of(1), count_of(0)};
  status = AnyOfAll(target, found);
  if (!status.ok()) return status;
  inside.any = found[0] != 0;
  inside.all = inside.all && found[1] == 0;
  return inside;
}

template <LargeTree T>
absl::StatusOr<MeshRelation> RelationOfApartSides(const PairSides<T>& sides,
                                                  const OptionsOf<T>& options) {
  absl::Status status = CheckSides(sides, options);
  if (!status.ok()) return status;
  const T& target = TargetAt(*sides.a);
  std::optional<PosedChunkedTree> a;
  std::optional<PosedChunkedTree> b;
  std::optional<OptionsOf<T>> silent;
  status = InStep(target, kNoMemoryForRelation, [&] {
    for (const auto& [side, chunks] :
         {std::pair(sides.a, &a), std::pair(sides.b, &b)}) {
      absl::StatusOr<PosedChunkedTree> posed = PosedChunks(*side);
      if (!posed.ok()) return posed.status();
      chunks->emplace(*std::move(posed));
    }
    silent.emplace(options).progress = nullptr;
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (IsEmpty(Intersection(a->bounds(), b->bounds()))) {
    return MeshRelation::kApart;
  }
  const RelatedMesh<T> first{*sides.a, *a};
  const RelatedMesh<T> second{*sides.b, *b};
  const absl::StatusOr<ComponentsInside> a_in_b =
      InsideOf(first, second, *silent);
  if (!a_in_b.ok()) return a_in_b.status();
  const absl::StatusOr<ComponentsInside> b_in_a =
      InsideOf(second, first, *silent);
  if (!b_in_a.ok()) return b_in_a.status();
  return RelationBy(*a_in_b, *b_in_a);
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_MESH_RELATION_INL_H_
