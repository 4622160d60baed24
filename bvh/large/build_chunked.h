// SPDX-License-Identifier: Apache-2.0

// Builds a chunked tree (chunked_tree.h) from mesh files, in bounded memory.
//
//   const std::string files[] = {"scan.ply", "roof.stl"};
//   absl::StatusOr<ChunkedTree> tree = BuildChunked(
//       files, "scan.orboxd", {.memory = size_t{2} << 30, .threads = 4});
//   if (!tree.ok()) return tree.status();
//
// Triangles are numbered through all files, in their order. Chunks are boxes
// that overlap little. The model is halved across its longest side, by the
// number of triangles, until each half has at most chunk_triangles. Most chunks
// have at least nine tenths of that (internal/chunk_plan.h). Detail that is far
// smaller than the model, such as a screw in a hall, is cut along a Morton
// curve. Files are read three times, and sorted by (chunk, id) in files. The
// bytes depend only on the triangles and the options about trees, not on
// `memory` or `threads`.
//
// Binary PLY and STL are streamed: they may be larger than memory. Other
// formats are read as a whole; if a file is larger than a quarter of `memory`,
// the error is kResourceExhausted, and says so.
//
// Everything is written into a folder next to `path` whose name marks it as not
// finished, synced, and renamed at the end. It replaces a chunked tree at
// `path`. An error leaves nothing behind. Disk: 90 bytes per triangle for
// sorting, then the trees (build.h) and 8 bytes per triangle.
#ifndef ORBOX_BVH_LARGE_BUILD_CHUNKED_H_
#define ORBOX_BVH_LARGE_BUILD_CHUNKED_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct BuildChunkedOptions {
  // Upper bound of the bytes that the build has resident. Requires at least 16
  // MiB; otherwise kInvalidArgument.
  size_t memory = size_t{2} << 30;

  // Requires 1 .. Mesh::kMaxTriangles; otherwise kInvalidArgument. A larger
  // number speeds up batches that fit into memory. A smaller number needs less
  // memory for a build (2,400 bytes per triangle), and lets more ranks or
  // processes share the work.
  size_t chunk_triangles = 131072;

  // The id of the first triangle.
  uint64_t first_id = 0;

  // See BuildOptions (build/build.h).
  Volumes volumes = Volumes::kMixed;
  int max_leaf_triangles = 8;
  Quality quality = Quality::kBalanced;
  Storage storage = Storage::kWide;
  std::function<void(double)> progress = {};
  int threads = 0;

  // Once this is true, the build ends soon with kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
};

// Returns errors of reading, with the file's name; kInvalidArgument for no
// file, for bad options, and if something other than a chunked tree is at
// `path`; kUnavailable if the disk is full; kResourceExhausted.
ORBOX_EXPORT absl::StatusOr<ChunkedTree> BuildChunked(
    std::span<const std::string> files, const std::string& path,
    const BuildChunkedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_BUILD_CHUNKED_H_
