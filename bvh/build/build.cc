// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/build.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/build/internal/binned_sah.h"
#include "orbox/bvh/build/internal/compact.h"
#include "orbox/bvh/build/internal/detail_trees.h"
#include "orbox/bvh/build/internal/fill.h"
#include "orbox/bvh/build/internal/layout.h"
#include "orbox/bvh/build/internal/morton.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

// The memory of a build: primitives first, later the corners of leaves. Corners
// are written last, in the memory of the primitives, because the first access
// to a new page costs as much as writing the page.
//
//   BuildMemory memory(mesh.triangle_count(), max_leaf);
//   Fill(memory.primitives(0));
//   ...
//   std::span<Triangle> corners = memory.StartCorners(count);
//   Fill(corners);
//   Array<Triangle> done = memory.FinishCorners();
class BuildMemory {
 public:
  // Allocates two sets of this many primitives, for leaves of at most
  // `max_leaf`. The constructor and StartCorners may throw std::bad_alloc.
  BuildMemory(size_t triangles, size_t max_leaf)
      : triangles_(triangles),
        bytes_(FreshInLargePages<std::byte>(SizeFor(triangles, max_leaf) +
                                            kAlignment)) {}

  // Returns the first or the second set, not initialised.
  std::span<Primitive> primitives(size_t set) const {
    return {reinterpret_cast<Primitive*>(begin()) + set * triangles_,
            triangles_};
  }

  // Returns memory for `count` corners. The primitives are invalid after this
  // call. Must be called only once.
  std::span<Triangle> StartCorners(size_t count) {
    if (begin() + count * sizeof(Triangle) <= end()) {
      corners_ = {reinterpret_cast<Triangle*>(begin()), count};
      owner_ = std::make_shared<FreshArray<std::byte>>(std::move(bytes_));
      return corners_;
    }
    bytes_ = FreshArray<std::byte>(0);
    auto own = std::make_shared<FreshArray<Triangle>>(
        FreshInLargePages<Triangle>(count));
    corners_ = own->values();
    owner_ = std::move(own);
    return corners_;
  }
  Array<Triangle> FinishCorners() {
    return Array<Triangle>(corners_, std::move(owner_));
  }

 private:
  static constexpr size_t kAlignment = 64;  // a cache line
  static_assert(kAlignment >= alignof(Primitive) &&
                kAlignment >= alignof(Triangle));

  // Returns the number of bytes for the primitives, and for the corners if
  // leaves are as full as in most meshes: at most a seventh empty. Small trees
  // get more, because the filling of their leaves varies.
  static size_t SizeFor(size_t triangles, size_t max_leaf) {
    constexpr size_t kSmall = 4096;
    const size_t primitives = 2 * triangles * sizeof(Primitive);
    if (triangles < kSmall) return primitives;
    const size_t leaves = triangles / max_leaf * 7 / 6;
    return std::max(primitives, leaves * kLanes * sizeof(Triangle));
  }

  std::byte* begin() const {
    std::byte* const p = bytes_.values().data();
    const auto address = reinterpret_cast<uintptr_t>(p);
    return p + (kAlignment - address % kAlignment) % kAlignment;
  }
  std::byte* end() const {
    return bytes_.values().data() + bytes_.values().size();
  }

  size_t triangles_;
  FreshArray<std::byte> bytes_;
  std::span<Triangle> corners_;
  std::shared_ptr<const void> owner_;
};

// The triangles of a mesh with these ids, or all triangles if `ids` is empty.
struct TrianglesOf {
  const Mesh& mesh;
  std::span<const uint32_t> ids;

  size_t size() const {
    return ids.empty() ? mesh.triangle_count() : ids.size();
  }
  Aabb Bounds() const {
    return ids.empty() ? mesh.bounds() : BoundsOf(mesh, ids);
  }
};

size_t MaxLeaf(const BuildOptions& options) {
  return static_cast<size_t>(options.max_leaf_triangles);
}

Layout LayoutOf(const TrianglesOf& triangles, const TreeSpace& space,
                const BuildOptions& options, const BuildMemory& memory,
                Progress& progress, const Workers& workers) {
  const auto max_leaf = static_cast<uint32_t>(MaxLeaf(options));
  const std::span<Primitive> primitives = memory.primitives(0);
  WritePrimitives(triangles.mesh, triangles.ids, space, workers, primitives);
  if (options.quality == Quality::kFast) {
    const std::span<Primitive> sorted = memory.primitives(1);
    const FreshArray<BinaryNode> binary =
        BuildMorton(primitives, sorted,
                    {.max_leaf = max_leaf, .progress = &progress}, workers);
    return LayOut(binary.values(), sorted, workers);
  }
  const BinaryTree binary = BuildBinnedSah(
      primitives,
      {.max_leaf = max_leaf, .detail_first = true, .progress = &progress},
      workers);
  return LayOut(binary, primitives, workers);
}

// Upper bound of the levels of detail trees within detail trees, for scales of
// 2^96 and more. Queries recurse into detail trees, so this limits their stack.
constexpr int kMostLevels = 8;

Tree BuildOver(const TrianglesOf& triangles, int level,
               const BuildOptions& options, Progress& progress,
               const Workers& workers) {
  const Mesh& mesh = triangles.mesh;
  const TreeSpace space = SpaceAround(triangles.Bounds());
  BuildMemory memory(triangles.size(), MaxLeaf(options));
  Layout layout =
      LayoutOf(triangles, space, options, memory, progress, workers);
  const std::span<Leaf> leaves = layout.leaves.values();
  const std::span<Triangle> corners =
      memory.StartCorners(leaves.size() * kLanes);
  FillTree(mesh, space,
           {.volumes = options.volumes,
            .refine_frames = options.quality == Quality::kBest,
            .few_candidates = options.quality == Quality::kFast,
            .progress = &progress},
           layout.nodes.values(), leaves, corners, workers);
  Tree::Data data{.mesh = mesh,
                  .space = space,
                  .nodes = std::move(layout.nodes).Finish(),
                  .leaves = std::move(layout.leaves).Finish(),
                  .corners = memory.FinishCorners(),
                  .volumes = options.volumes,
                  .depth = layout.depth};
  if (level < kMostLevels) {
    const std::function<void(double)> silent;
    Progress unheard(silent, 1);
    data.detail_trees =
        FindDetailTrees(data, [&](std::span<const uint32_t> ids) {
          return BuildOver({mesh, ids}, level + 1, options, unheard, workers);
        });
  }
  return Tree(std::move(data));
}

Tree BuildTree(const Mesh& mesh, const BuildOptions& options) {
  // Each triangle counts twice: when its leaf is chosen, and when its leaf is
  // filled.
  Progress progress(options.progress, 2 * mesh.triangle_count());
  const Workers workers(options.threads, [&] {
    progress.Beat();
    if (options.cancelled != nullptr &&
        options.cancelled->load(std::memory_order_relaxed)) {
      throw QueryCancelled();
    }
  });
  const Tree tree = BuildOver({mesh, {}}, 0, options, progress, workers);
  progress.Finish();
  return options.storage == Storage::kWide ? tree : Compacted(tree, workers);
}

}  // namespace

absl::StatusOr<Tree> Build(const Mesh& mesh, const BuildOptions& options) {
  if (options.max_leaf_triangles < 1 || options.max_leaf_triangles > kLanes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "BuildOptions::max_leaf_triangles is ", options.max_leaf_triangles,
        "; a leaf holds 1 to ", kLanes, " triangles"));
  }
  if (options.threads < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("BuildOptions::threads is ", options.threads,
                     "; give 0 for all cores, or how many to use"));
  }
  try {
    return BuildTree(mesh, options);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory while building a tree over ", mesh.triangle_count(),
        " triangles; it takes about 140 bytes a triangle"));
  } catch (const QueryCancelled&) {
    return absl::CancelledError("the build was cancelled by its caller");
  }
}

}  // namespace orbox
