// SPDX-License-Identifier: Apache-2.0

// Triangles of mesh files, read by all ranks together: each rank reads a share
// of each file, once, and keeps its triangles. Private.
//
//   FileShares shares(ranks, files, {.memory = memory, .scratch = folder});
//   absl::Status all = shares.Read();             // collective
//   // Local: each triangle of the share, with its number among all of them.
//   absl::Status own = shares.ForEach(0, shares.own_count(), take);
//
// Binary STL, and binary PLY whose faces have equally many corners each, are
// read by ranges of bytes: each rank reads a P-th of the vertices and of the
// faces. Any other file is read by one rank: the one that has the fewest bytes
// to read so far.
#ifndef ORBOX_BVH_MPI_INTERNAL_FILE_SHARES_H_
#define ORBOX_BVH_MPI_INTERNAL_FILE_SHARES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/internal/mesh_records.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A list of triangles that may be longer than memory: those that do not fit are
// in a file without a name.
//
//   TriangleSpool spool(folder, memory);
//   absl::Status status = spool.Add(triangles);
//   status = spool.Read(0, some);           // the first some.size()
class TriangleSpool {
 public:
  // Holds about `memory` bytes. Requires that the folder exists when they are
  // full.
  TriangleSpool(std::string folder, size_t memory);

  uint64_t size() const { return written_ + tail_.size(); }
  // May throw std::bad_alloc, because a vector grows.
  absl::Status Add(std::span<const Triangle> triangles);
  // Removes all triangles from index `size` on.
  void Shorten(uint64_t size);
  // Reads the triangles from `begin` on. Requires begin + out.size() <= size().
  absl::Status Read(uint64_t begin, std::span<Triangle> out) const;

 private:
  const std::string folder_;
  const size_t most_;  // size limit of tail_
  std::optional<ScratchFile> file_;
  uint64_t written_ = 0;
  std::vector<Triangle> tail_;
};

class FileShares {
 public:
  struct Options {
    size_t memory = 0;    // equal on all ranks; half of it is used
    std::string scratch;  // a folder of this rank
    // Called regularly; an error ends the reading, on all ranks.
    std::function<absl::Status()> check;
    std::function<void(double)> progress;
  };

  // `ranks` and `files` have to outlive this.
  FileShares(Communicator& ranks, std::span<const std::string> files,
             Options options);

  // Reads the files. Collective. Returns the errors of TriangleStream
  // (io/internal/triangle_stream.h) for one process, and kInvalidArgument if
  // the files differ between ranks.
  absl::Status Read();

  // The triangles of all ranks. Without triangles, the bounds are undefined.
  uint64_t count() const { return count_; }
  const Aabb& bounds() const { return bounds_; }

  // The number of triangles in this rank's share.
  uint64_t own_count() const { return spool_.size(); }
  // Calls take(number, triangle) for those from `begin` to `end` of the share,
  // in order. The number is that among all triangles of all files. Local.
  absl::Status ForEach(
      uint64_t begin, uint64_t end,
      absl::FunctionRef<absl::Status(uint64_t number, const Triangle& triangle)>
          take) const;

 private:
  absl::Status ReadFile(const std::string& file);
  // Reads this rank's share. Sets *is_regular to false, on all ranks, if the
  // file is irregular.
  absl::Status ReadFacets(const mesh_internal::MeshRecords& records,
                          bool* is_regular);
  absl::Status ReadFaces(const mesh_internal::MeshRecords& records,
                         bool* is_regular);
  absl::Status AgreeOnRegular(bool* is_regular);
  absl::Status ReadAlone(const std::string& file, uint64_t size);
  absl::Status Add(std::span<const Triangle> triangles);
  // Numbers the triangles of all ranks.
  absl::Status Number();

  Communicator& ranks_;
  const std::span<const std::string> files_;
  const Options options_;
  TriangleSpool spool_;
  std::vector<uint64_t> bytes_;  // bytes that each rank has read so far
  std::optional<Aabb> own_bounds_;
  uint64_t count_ = 0;
  Aabb bounds_;

  // The triangles of one file in the share. They are contiguous in the share
  // and in the numbering of all triangles.
  struct FileRange {
    uint64_t begin = 0;   // first index in the share
    uint64_t number = 0;  // number of its first triangle among all
  };
  std::vector<FileRange> parts_;  // one per file
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_FILE_SHARES_H_
