// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/build_chunked.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/internal/triangle_stream.h"
#include "orbox/bvh/large/internal/chunk_manifest.h"
#include "orbox/bvh/large/internal/chunked_build.h"
#include "orbox/bvh/large/internal/unfinished_folder.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

using mesh_internal::TriangleStream;

// The triangles of all files. Each pass reads the files from the beginning.
class FileTriangles {
 public:
  // All arguments have to outlive this object.
  FileTriangles(std::span<const std::string> files, const ChunkedBuild& build)
      : files_(files), build_(build) {}

  absl::Status Open(size_t memory) {
    for (const std::string& file : files_) {
      absl::StatusOr<TriangleStream> stream =
          TriangleStream::Open(file, memory / 4);
      if (!stream.ok()) return stream.status();
      streams_.push_back(*std::move(stream));
    }
    return absl::OkStatus();
  }

  // Calls take(triangle) for each triangle. The progress goes from `begin` to
  // begin + share.
  template <typename Take>
  absl::Status ForEach(double begin, double share, Take take) const {
    for (size_t i = 0; i < streams_.size(); ++i) {
      const auto progress = [&](double done) {
        const double files = static_cast<double>(streams_.size());
        build_.Report(begin + share * (static_cast<double>(i) + done) / files);
      };
      const absl::Status status = streams_[i].ForEach(
          [&](std::span<const Triangle> some) {
            absl::Status s = build_.CheckCancelled();
            for (size_t t = 0; t < some.size() && s.ok(); ++t) {
              s = take(some[t]);
            }
            return s;
          },
          progress);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  const std::span<const std::string> files_;
  const ChunkedBuild& build_;
  std::vector<TriangleStream> streams_;
};

// Counts and bounds the triangles, and divides them into chunks.
absl::Status Plan(const FileTriangles& files,
                  std::span<const std::string> names, ChunkedBuild* build) {
  constexpr double kShare = ChunkedBuild::kShareOfReading / 2;
  uint64_t count = 0;
  Aabb bounds;
  absl::Status status = files.ForEach(0, kShare, [&](const Triangle& triangle) {
    const Aabb box = BoundsOf(triangle);
    bounds = count++ == 0 ? box : Union(bounds, box);
    return absl::OkStatus();
  });
  if (status.ok()) status = build->SetTriangles(count, bounds, names);
  if (!status.ok()) return status;
  status = files.ForEach(kShare, kShare, [&](const Triangle& triangle) {
    build->Count(triangle);
    return absl::OkStatus();
  });
  if (status.ok()) build->Plan();
  return status;
}

}  // namespace

absl::StatusOr<ChunkedTree> BuildChunked(std::span<const std::string> files,
                                         const std::string& path,
                                         const BuildChunkedOptions& options) {
  return GuardMemory(
      "to build chunks; allow less, or build smaller ones",
      [&]() -> absl::StatusOr<ChunkedTree> {
        ChunkedBuild build(path, options);
        if (absl::Status s = build.CheckOptions(files); !s.ok()) return s;
        absl::StatusOr<UnfinishedFolder> unfinished =
            UnfinishedFolder::Create(path, IsChunkedTreeAt);
        if (!unfinished.ok()) return unfinished.status();
        FileTriangles read(files, build);
        absl::Status status = read.Open(options.memory);
        if (status.ok()) status = Plan(read, files, &build);
        if (!status.ok()) return status;
        const std::string folder = unfinished->path();
        absl::StatusOr<ScratchFile> ids = ScratchFile::Create(
            absl::StrCat(folder, "/", std::string(kIdsName)));
        if (!ids.ok()) return ids.status();
        build.Begin({folder, folder}, 0, build.plan().chunk_count());
        uint64_t id = options.first_id;
        status = read.ForEach(
            ChunkedBuild::kShareOfReading, ChunkedBuild::kShareOfSort,
            [&](const Triangle& t) { return build.Add(id++, t); });
        if (status.ok()) status = build.WriteChunks(&*ids);
        if (status.ok()) status = ids->Finish();
        if (status.ok()) status = build.WriteManifest(folder, build.rows());
        if (status.ok()) status = unfinished->Finish();
        if (!status.ok()) return status;
        if (options.progress) options.progress(1);
        return ChunkedTree::Open(
            path, {.memory = options.memory, .check = TreeCheck::kChecksums});
      });
}

}  // namespace orbox
