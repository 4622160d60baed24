// SPDX-License-Identifier: Apache-2.0

// Compares leaves with the mesh: each triangle is in one leaf, unchanged.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwy/cache_control.h"
#include "orbox/bvh/tree/internal/verify_tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox::tree_internal {
namespace {

// Number of leaves per task.
constexpr size_t kLeavesATask = 1024;

// Totals over some leaves.
struct LeafTotals {
  size_t triangles = 0;
  size_t degenerate = 0;
  Aabb bounds;  // empty if there are no triangles
};

// Returns true if the number is the coordinate in tree space, rounded to float.
bool IsRounded(float number, double exact) {
  // The cast is undefined beyond the range of float. Such values occur only in
  // a mesh with wrong bounds, and a later check reports these.
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(exact, -kLargest, kLargest)) == number;
}

class LeafVerifier {
 public:
  LeafVerifier(const TreeFileHeader& header, const TreeSections& sections)
      : header_(header),
        sections_(sections),
        is_seen_(new std::atomic<uint8_t>[sections.triangles.size()]()),
        seen_((sections.leaves.size() + kLeavesATask - 1) / kLeavesATask) {}

  absl::Status Run(const Workers& workers) {
    workers.For(sections_.leaves.size(), kLeavesATask,
                [&](size_t begin, size_t end) {
                  LeafTotals& seen = seen_[begin / kLeavesATask];
                  for (size_t i = begin; i < end; ++i) {
                    PrefetchAfter(i);
                    if (FaultOf(i, seen) != nullptr) return wrong_.Report(i);
                  }
                });
    if (wrong_.any()) {
      LeafTotals ignored;
      return absl::InvalidArgumentError(
          absl::StrCat("leaf ", wrong_.value(), " has ",
                       std::string(FaultOf(wrong_.value(), ignored))));
    }
    return VerifySums();
  }

 private:
  // Prefetches vertices of later leaves. The order of the leaves is not that of
  // the mesh, so waiting for vertices would take most of the time
  // (build/internal/fill.cc).
  void PrefetchAfter(size_t index) const {
    constexpr size_t kVertices = 4;  // leaves ahead
    constexpr size_t kTriangles = 8;
    if (index + kTriangles >= sections_.leaves.size()) return;
    const size_t count = sections_.triangles.size();
    for (const uint32_t id : sections_.leaves[index + kTriangles].ids) {
      if (id < count) hwy::Prefetch(&sections_.triangles[id]);
    }
    for (const uint32_t id : sections_.leaves[index + kVertices].ids) {
      if (id >= count) continue;
      for (const uint32_t vertex : sections_.triangles[id]) {
        hwy::Prefetch(&sections_.vertices[vertex]);
      }
    }
  }

  // Returns the fault of the leaf; null if it has none.
  const char* FaultOf(size_t index, LeafTotals& seen) const {
    const Leaf& leaf = sections_.leaves[index];
    const Triangle* const corners = &sections_.corners[index * kLanes];
    bool is_over = false;
    for (int lane = 0; lane < kLanes; ++lane) {
      const uint32_t id = leaf.ids[lane];
      if (id == kNoTriangle) {
        if (lane == 0) return "no triangle";
        is_over = true;
        if (!RepeatsFirst(leaf, corners, lane)) {
          return "an unused lane that is not like its first";
        }
        continue;
      }
      if (is_over) return "a triangle after an unused lane";
      if (lane > 0 && id <= leaf.ids[lane - 1]) {
        return "triangles whose numbers do not ascend";
      }
      if (id >= sections_.triangles.size())
        return "a triangle that is not there";
      const auto& [a, b, c] = sections_.triangles[id];
      const Triangle t = {sections_.vertices[a], sections_.vertices[b],
                          sections_.vertices[c]};
      if (std::memcmp(&t, &corners[lane], sizeof t) != 0) {
        return "corners that are not the mesh's";
      }
      if (!AreRounded(leaf, lane, t)) {
        return "coordinates that are not the mesh's";
      }
      is_seen_[id].store(1, std::memory_order_relaxed);
      const Aabb box = BoundsOf(t);
      seen.bounds = seen.triangles == 0 ? box : Union(seen.bounds, box);
      ++seen.triangles;
      seen.degenerate += AreCollinear(t.a, t.b, t.c) ? 1 : 0;
    }
    return nullptr;
  }

  static bool RepeatsFirst(const Leaf& leaf, const Triangle* corners,
                           int lane) {
    for (const auto& row : leaf.rows) {
      if (row[lane] != row[0]) return false;
    }
    return std::memcmp(&corners[lane], &corners[0], sizeof corners[0]) == 0;
  }

  bool AreRounded(const Leaf& leaf, int lane, const Triangle& t) const {
    bool all = true;
    for (size_t corner = 0; corner < 3; ++corner) {
      const Vec3 p = header_.space.FromModel(t[corner]);
      const auto* const rows = &leaf.rows[3 * corner];
      // Has no branches, because the checks nearly always pass.
      all &= IsRounded(rows[0][lane], p.x);
      all &= IsRounded(rows[1][lane], p.y);
      all &= IsRounded(rows[2][lane], p.z);
    }
    return all;
  }

  absl::Status VerifySums() const {
    LeafTotals all;
    for (const LeafTotals& seen : seen_) {
      if (seen.triangles == 0) continue;
      all.bounds =
          all.triangles == 0 ? seen.bounds : Union(all.bounds, seen.bounds);
      all.triangles += seen.triangles;
      all.degenerate += seen.degenerate;
    }
    const size_t count = sections_.triangles.size();
    // Each triangle must be marked. If the leaves also contain `count`
    // triangles in total, no triangle occurs twice.
    for (size_t id = 0; id < count; ++id) {
      if (is_seen_[id].load(std::memory_order_relaxed) == 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("triangle ", id, " is in none of the leaves"));
      }
    }
    if (all.triangles != count) {
      return absl::InvalidArgumentError(
          absl::StrCat("the leaves have ", all.triangles, " triangles, and ",
                       count, " are in the mesh: some are there twice"));
    }
    if (all.degenerate != header_.degenerate_count) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the mesh has ", all.degenerate, " degenerate triangles, and not ",
          header_.degenerate_count));
    }
    if (!(all.bounds.lo == header_.bounds.lo &&
          all.bounds.hi == header_.bounds.hi)) {
      return absl::InvalidArgumentError(
          "the mesh's bounds are not those of its triangles");
    }
    return absl::OkStatus();
  }

  const TreeFileHeader& header_;
  const TreeSections& sections_;
  const std::unique_ptr<std::atomic<uint8_t>[]> is_seen_;
  std::vector<LeafTotals> seen_;  // one for each piece
  Lowest wrong_;
};

}  // namespace

absl::Status VerifyLeaves(const TreeFileHeader& header,
                          const TreeSections& sections,
                          const Workers& workers) {
  return LeafVerifier(header, sections).Run(workers);
}

}  // namespace orbox::tree_internal
