// SPDX-License-Identifier: Apache-2.0

// A mesh in chunks: trees of some ten thousand triangles each, in files that
// are mapped when a query needs them. For meshes larger than memory.
//
//   absl::StatusOr<ChunkedTree> scan =
//       ChunkedTree::Open("scan.orboxd", {.memory = size_t{1} << 30});
//   if (!scan.ok()) return scan.status();
//   for (const ChunkRow& row : scan->table()) use(row.box, row.count);
//   absl::StatusOr<Chunk> chunk = scan->Load(7);
//   if (!chunk.ok()) return chunk.status();
//   uint64_t id = chunk->ids[0];           // of chunk->tree's triangle 0
//
// Each triangle is in exactly one chunk. Within a chunk, local ids (of the
// chunk's tree) ascend with global ones, so that rules about the lowest id hold
// for both. build_chunked.h makes such files. queries.h, pairs.h,
// signed_distance.h, winding_number.h and chunked_hausdorff.h query
// them; the results are those of one tree over the whole mesh.
//
// A ChunkedTree is a value that shares its data. It is immutable except for the
// set of chunks that are mapped. Any number of threads may use it.
//
// The files must not change while a ChunkedTree, or a Chunk of it, lives;
// tree/tree_file.h describes the consequences. `NAME.orboxd` is a folder of
//   manifest        header, and a row a chunk (internal/chunk_manifest.h)
//   ids             the global ids: uint64_t, chunk by chunk
//   00000000.orbox  the tree of chunk 0 (tree/tree_file.h); so on
#ifndef ORBOX_BVH_LARGE_CHUNKED_TREE_H_
#define ORBOX_BVH_LARGE_CHUNKED_TREE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/bvh/tree/tree_file.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ChunkLevels;       // large/internal/chunk_levels.h
class PosedChunkedTree;  // large/chunk_tasks.h

// Properties of a chunk that are known before it is mapped.
struct ChunkRow {
  Aabb box;                // smallest box around its triangles
  Vec3 vertex;             // a corner of one of them; bounds distances
  uint64_t count = 0;      // number of triangles, 1 .. Mesh::kMaxTriangles
  uint64_t first = 0;      // sum of the counts of the chunks before
  uint64_t lowest_id = 0;  // of its global ids
  uint64_t highest_id = 0;
  uint64_t degenerate = 0;  // number of triangles without area
  uint64_t bytes = 0;       // of its tree file
};

// A chunk in memory. Cheap to copy; stays valid without the ChunkedTree.
struct Chunk {
  Tree tree;
  Array<uint64_t> ids;  // ids[i] is the global id of the tree's triangle i
};

// Returns true if the path is a folder that contains a manifest.
ORBOX_EXPORT bool IsChunkedTreeAt(const std::string& path);

struct OpenChunkedOptions {
  // Upper bound of the bytes of chunks that stay mapped; the least recently
  // used are unmapped first. Chunks that a caller holds count, and may exceed
  // the bound.
  size_t memory = size_t{1} << 30;
  // The check of a chunk when it is first mapped. The manifest is always
  // verified. kHeader also compares the file with the manifest.
  TreeCheck check = TreeCheck::kEverything;
};

class ORBOX_EXPORT ChunkedTree {
 public:
  // Types that a LargeTree has.
  using Options = QueryOptions;
  using Posed = PosedChunkedTree;
  template <typename Found>
  using Visitor = absl::FunctionRef<Visit(size_t query, const Found& found)>;
  const ChunkedTree& chunks() const { return *this; }

  // Reads the manifest. Errors are those of tree_file.h; they name the file,
  // the fault and the remedy. O(chunks).
  static absl::StatusOr<ChunkedTree> Open(
      const std::string& path, const OpenChunkedOptions& options = {});

  // A tree in memory as one chunk, with the global ids from `first_id` on. For
  // queries about a chunked tree and a tree in memory.
  explicit ChunkedTree(const Tree& tree, uint64_t first_id = 0);

  // Returns this mesh moved by a pose. Vertices are moved and rounded once,
  // like those of a PosedTree (posed/posed_tree.h). A chunk's tree is rebuilt
  // when a query needs it. Reads each chunk once. Errors are those of
  // PosedChunkedTree::Load (chunk_tasks.h).
  absl::StatusOr<ChunkedTree> MovedBy(const Pose& pose) const;

  // The chunks, at least one. Most neighbours in the table are near each other
  // in space.
  std::span<const ChunkRow> table() const;
  uint64_t triangle_count() const;
  uint64_t degenerate_count() const;
  const Aabb& bounds() const;
  // Upper bound of the number of triangles of a chunk.
  uint64_t chunk_size() const;
  // Empty for a tree in memory.
  const std::string& path() const;

  // Returns chunk i, and maps it if necessary. kInvalidArgument if its file is
  // not the one that the manifest was written for. Requires i < table().size().
  absl::StatusOr<Chunk> Load(size_t i) const;

  // Loads all chunks, one after the other. Returns the first error.
  absl::Status Verify() const;

  // The bytes of chunks that are mapped, and the largest number so far.
  size_t mapped_bytes() const;
  size_t peak_mapped_bytes() const;
  // The bound of OpenChunkedOptions.
  size_t memory() const;

  // The boxes of the table in levels. Private to the queries of this folder.
  const ChunkLevels& levels() const;

  // Results of IsClosed and DoFacesAgree (queries.h). An open mesh has no faces
  // that agree.
  enum class Faces { kOpen, kDisagree, kAgree };
  // Returns the result if a query has computed it. Copies of the tree share it.
  std::optional<Faces> known_faces() const;
  void Remember(Faces faces) const;

 private:
  class Data;
  explicit ChunkedTree(std::shared_ptr<Data> data) : data_(std::move(data)) {}

  std::shared_ptr<Data> data_;
};

// A target of the queries of this folder: a ChunkedTree, or a DistributedTree
// (mpi/distributed_tree.h). Each library defines the queries of its own target.
template <typename T>
concept LargeTree = requires(const T& tree) {
  typename T::Options;
  typename T::Posed;
  { tree.chunks() } -> std::same_as<const ChunkedTree&>;
};
// Options of the queries of a target, and the visitor of their results.
template <typename T>
using OptionsOf = typename T::Options;
template <typename T, typename Found>
using VisitorOf = typename T::template Visitor<Found>;

template <LargeTree T>
class LargeSignedDistanceField;  // large/signed_distance.h
template <LargeTree T>
class LargeWindingNumberField;  // large/winding_number.h

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNKED_TREE_H_
