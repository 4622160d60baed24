// SPDX-License-Identifier: Apache-2.0

// DistributedTree::Build: each rank writes the chunks that it will own, in the
// steps of one process (chunked/internal/chunked_build.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/bvh/chunked/internal/chunk_manifest.h"
#include "orbox/bvh/chunked/internal/chunked_build.h"
#include "orbox/bvh/chunked/internal/unfinished_folder.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

namespace {

constexpr char kWhat[] = "to build chunks; allow less, or build smaller ones";

class BuildOfRanks {
 public:
  BuildOfRanks(Communicator& ranks, std::span<const std::string> files,
               const std::string& path, const BuildChunkedOptions& options)
      : ranks_(ranks), files_(files), path_(path), options_(options) {}

  absl::Status Run() {
    absl::Status status = AgreeOnArguments();
    if (status.ok()) status = ReadFiles();
    if (status.ok()) status = CreateFolder();
    if (status.ok()) status = WriteOwned();
    if (status.ok()) status = GatherRows();
    if (!status.ok()) return status;
    return RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      if (ranks_.rank() != 0) return absl::OkStatus();
      const absl::Status written = build_->WriteManifest(folder_, rows_);
      return written.ok() ? unfinished_->Finish() : written;
    });
  }

 private:
  absl::Status AgreeOnArguments() {
    Fingerprint fingerprint("Build");
    for (const char c : path_) fingerprint.Add(uint64_t{uint8_t(c)});
    fingerprint.Add(uint64_t{options_.chunk_triangles})
        .Add(options_.first_id)
        .Add(static_cast<uint64_t>(options_.volumes))
        .Add(static_cast<uint64_t>(options_.max_leaf_triangles))
        .Add(static_cast<uint64_t>(options_.quality))
        .Add(static_cast<uint64_t>(options_.storage));
    return ranks_.AgreeOn(fingerprint.value(), "the arguments");
  }

  absl::Status ReadFiles() {
    const absl::Status status = RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      build_.emplace(files_, path_, options_);
      const absl::Status checked = build_->CheckOptions();
      return checked.ok() ? build_->Begin() : checked;
    });
    if (!status.ok()) return status;
    return ranks_.AgreeOn(Fingerprint("files")
                              .Add(build_->triangle_count())
                              .Add(build_->bounds().lo)
                              .Add(build_->bounds().hi)
                              .value(),
                          "the triangles of the files");
  }

  // Rank 0 does, and tells its name.
  absl::Status CreateFolder() {
    uint64_t length[] = {0};
    absl::Status status = RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      if (ranks_.rank() != 0) return absl::OkStatus();
      absl::StatusOr<UnfinishedFolder> folder =
          UnfinishedFolder::Create(path_, IsChunkedTreeAt);
      if (!folder.ok()) return folder.status();
      unfinished_.emplace(*std::move(folder));
      folder_ = unfinished_->path();
      length[0] = folder_.size();
      return ScratchFile::Create(IdsPath()).status();
    });
    if (status.ok()) status = ranks_.Max(length);
    if (!status.ok()) return status;
    status = RunPhase(ranks_, kWhat, [&] {
      folder_.resize(length[0]);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return ranks_.Broadcast(
        std::as_writable_bytes(std::span(folder_.data(), folder_.size())), 0);
  }

  std::string IdsPath() const {
    return absl::StrCat(folder_, "/", std::string(kIdsName));
  }

  std::pair<size_t, size_t> Owned(int rank) const {
    return OwnedChunks(build_->chunk_count(), ranks_.size(), rank);
  }

  absl::Status WriteOwned() {
    return RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      const auto [first, last] = Owned(ranks_.rank());
      if (first == last) return absl::OkStatus();
      absl::StatusOr<ScratchFile> ids = ScratchFile::Open(IdsPath());
      if (!ids.ok()) return ids.status();
      const std::string scratch =
          absl::StrCat(folder_, "/sort.", ranks_.rank());
      std::error_code error;
      std::filesystem::create_directory(scratch, error);
      if (error) {
        return absl::UnavailableError(
            absl::StrCat(scratch, ": cannot be created: ", error.message()));
      }
      const absl::Status status =
          build_->WriteChunks({folder_, scratch, &*ids}, first, last);
      if (!status.ok()) return status;
      std::filesystem::remove(scratch, error);
      return ids->Finish();
    });
  }

  // Gathers the rows of all chunks on all ranks: each rank sends as many as the
  // one with the most has.
  absl::Status GatherRows() {
    size_t most = 0;
    for (int r = 0; r < ranks_.size(); ++r) {
      most = std::max(most, Owned(r).second - Owned(r).first);
    }
    std::vector<ManifestRow> own;
    std::vector<ManifestRow> all;
    absl::Status status = RunPhase(ranks_, kWhat, [&] {
      own = build_->rows();
      own.resize(most);
      all.resize(most * static_cast<size_t>(ranks_.size()));
      rows_.reserve(build_->chunk_count());
      return absl::OkStatus();
    });
    if (status.ok()) {
      status = ranks_.Gather(std::as_bytes(std::span(own)),
                             std::as_writable_bytes(std::span(all)));
    }
    if (!status.ok()) return status;
    for (int r = 0; r < ranks_.size(); ++r) {
      const auto begin = all.begin() + static_cast<ptrdiff_t>(most) * r;
      const auto count =
          static_cast<ptrdiff_t>(Owned(r).second - Owned(r).first);
      rows_.insert(rows_.end(), begin, begin + count);
    }
    return absl::OkStatus();
  }

  Communicator& ranks_;
  const std::span<const std::string> files_;
  const std::string& path_;
  const BuildChunkedOptions& options_;
  std::optional<ChunkedBuild> build_;
  std::optional<UnfinishedFolder> unfinished_;  // on rank 0
  std::string folder_;
  std::vector<ManifestRow> rows_;
};

}  // namespace

absl::StatusOr<DistributedTree> DistributedTree::Build(
    Communicator& ranks, std::span<const std::string> files,
    const std::string& path, const BuildChunkedOptions& options) {
  // What is left over is removed before anybody goes on.
  const absl::Status status = BuildOfRanks(ranks, files, path, options).Run();
  const absl::Status all = ranks.Agree(status);
  if (!all.ok()) return all;
  return Open(ranks, path,
              {.memory = options.memory, .check = TreeCheck::kChecksums});
}

}  // namespace orbox
