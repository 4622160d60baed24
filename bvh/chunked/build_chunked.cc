// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/build_chunked.h"

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/bvh/chunked/internal/chunk_manifest.h"
#include "orbox/bvh/chunked/internal/chunked_build.h"
#include "orbox/bvh/chunked/internal/unfinished_folder.h"

namespace orbox {

absl::StatusOr<ChunkedTree> BuildChunked(std::span<const std::string> files,
                                         const std::string& path,
                                         const BuildChunkedOptions& options) {
  return GuardMemory(
      "to build chunks; allow less, or build smaller ones",
      [&]() -> absl::StatusOr<ChunkedTree> {
        ChunkedBuild build(files, path, options);
        if (absl::Status s = build.CheckOptions(); !s.ok()) return s;
        absl::StatusOr<UnfinishedFolder> unfinished =
            UnfinishedFolder::Create(path, IsChunkedTreeAt);
        if (!unfinished.ok()) return unfinished.status();
        if (absl::Status s = build.Begin(); !s.ok()) return s;
        const std::string folder = unfinished->path();
        absl::StatusOr<ScratchFile> ids = ScratchFile::Create(
            absl::StrCat(folder, "/", std::string(kIdsName)));
        if (!ids.ok()) return ids.status();
        absl::Status status =
            build.WriteChunks({folder, folder, &*ids}, 0, build.chunk_count());
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
