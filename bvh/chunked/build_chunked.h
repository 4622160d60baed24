// SPDX-License-Identifier: Apache-2.0

// Builds a chunked tree (chunked_tree.h) from mesh files, in bounded memory.
//
//   const std::string files[] = {"scan.ply", "roof.stl"};
//   absl::StatusOr<ChunkedTree> tree = BuildChunked(
//       files, "scan.orboxd", {.memory = size_t{2} << 30, .threads = 4});
//   if (!tree.ok()) return tree.status();
//
// Triangles are numbered through all files, in their order. Chunks are boxes
// that hardly overlap: the model is halved across its longest side, by the
// number of triangles, until each part has at most chunk_triangles, and mostly
// no less than nine tenths of that (internal/chunk_plan.h). What is far smaller
// than the model, a screw in a hall, is cut along a Morton curve. Files are
// read three times, and sorted by (chunk, id) in files. The bytes depend on the
// triangles and the options about trees alone, not on `memory` or `threads`.
//
// Binary PLY and STL are streamed: they may be larger than memory. Other
// formats are read as a whole; kResourceExhausted where a file is larger than a
// quarter of `memory`, which says so.
//
// All is written into a folder beside `path` whose name says that it is not
// finished, synced, and renamed at the end; a chunked tree that was there is
// replaced. An error leaves nothing behind. Disk: 90 bytes a triangle for
// sorting, then the trees (build.h) and 8 bytes a triangle.
#ifndef ORBOX_BVH_CHUNKED_BUILD_CHUNKED_H_
#define ORBOX_BVH_CHUNKED_BUILD_CHUNKED_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct BuildChunkedOptions {
  // The bytes that the build may have resident, at least 16 MiB; otherwise
  // kInvalidArgument.
  size_t memory = size_t{2} << 30;

  // 1 .. Mesh::kMaxTriangles; otherwise kInvalidArgument. More: batches that
  // fit into memory are answered sooner. Fewer: less memory for a build (2,400
  // bytes a triangle), and more ranks or processes that can share the work.
  size_t chunk_triangles = 131072;

  // The id of the first triangle.
  uint64_t first_id = 0;

  // As BuildOptions (build/build.h) has them.
  Volumes volumes = Volumes::kMixed;
  int max_leaf_triangles = 8;
  Quality quality = Quality::kBalanced;
  Storage storage = Storage::kWide;
  std::function<void(double)> progress;
  int threads = 0;

  // The build ends soon, with kCancelled, once this is true.
  const std::atomic<bool>* cancelled = nullptr;
};

// Errors of reading, with the file's name; kInvalidArgument for no file, bad
// options, and where something else than a chunked tree is at `path`;
// kUnavailable where the disk is full; kResourceExhausted.
ORBOX_EXPORT absl::StatusOr<ChunkedTree> BuildChunked(
    std::span<const std::string> files, const std::string& path,
    const BuildChunkedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_BUILD_CHUNKED_H_
