// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
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
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/large/internal/chunk_manifest.h"
#include "orbox/bvh/large/internal/chunked_build.h"
#include "orbox/bvh/large/internal/unfinished_folder.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/file_shares.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

std::pair<size_t, size_t> OwnedChunks(size_t chunks, int ranks, int r) {
  const auto begin = [chunks, ranks](int rank) {
    return chunks * static_cast<size_t>(rank) / static_cast<size_t>(ranks);
  };
  return {begin(r), begin(r + 1)};
}

// Returns the lowest rank whose run ends after the chunk.
int DistributedTree::owner(size_t chunk) const {
  const auto ranks = static_cast<size_t>(ranks_->size());
  return static_cast<int>(((chunk + 1) * ranks - 1) / chunks_.table().size());
}

absl::StatusOr<DistributedTree> DistributedTree::Open(
    Communicator& ranks, const std::string& path,
    const OpenChunkedOptions& options) {
  std::optional<ChunkedTree> tree;
  const absl::Status status = RunPhase(ranks, "for the table of chunks", [&] {
    absl::StatusOr<ChunkedTree> opened = ChunkedTree::Open(path, options);
    if (opened.ok()) tree.emplace(*std::move(opened));
    return opened.status();
  });
  if (!status.ok()) return status;
  return Replicate(ranks, *tree);
}

absl::StatusOr<DistributedTree> DistributedTree::Replicate(
    Communicator& ranks, const ChunkedTree& tree) {
  const absl::Status status = ranks.AgreeOn(
      Fingerprint("tree").Add(tree).value(), "the table of chunks");
  if (!status.ok()) return status;
  return DistributedTree(ranks, tree);
}

namespace {

constexpr char kWhat[] = "to build chunks; allow less, or build smaller ones";

// A triangle in the form in which it is sent.
struct SentTriangle {
  uint64_t id;
  Triangle triangle;
};

// DistributedTree::Build: each rank reads a share of the files
// (internal/file_shares.h), sends each triangle to the ranks whose chunks it
// may be in, and writes the chunks that it will own, as one process does
// (large/internal/chunked_build.h).
class BuildOfRanks {
 public:
  BuildOfRanks(Communicator& ranks, std::span<const std::string> files,
               const std::string& path, const BuildChunkedOptions& options)
      : ranks_(ranks),
        files_(files),
        path_(path),
        options_(options),
        build_(path, options) {}

  absl::Status Run() {
    absl::Status status = AgreeOnArguments();
    if (status.ok()) status = CreateFolder();
    if (status.ok()) status = ReadFiles();
    if (status.ok()) status = PlanChunks();
    if (status.ok()) status = SendTriangles();
    if (status.ok()) status = WriteOwned();
    if (status.ok()) status = GatherRows();
    if (!status.ok()) return status;
    return RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      if (ranks_.rank() != 0) return absl::OkStatus();
      const absl::Status written = build_.WriteManifest(folder_, rows_);
      return written.ok() ? unfinished_->Finish() : written;
    });
  }

 private:
  absl::Status AgreeOnArguments() {
    absl::Status status =
        RunPhase(ranks_, kWhat, [&] { return build_.CheckOptions(files_); });
    if (!status.ok()) return status;
    Fingerprint fingerprint("Build");
    for (const char c : path_) fingerprint.Add(uint64_t{uint8_t(c)});
    fingerprint.Add(uint64_t{files_.size()})
        .Add(uint64_t{options_.chunk_triangles})
        .Add(options_.first_id)
        .Add(static_cast<uint64_t>(options_.volumes))
        .Add(static_cast<uint64_t>(options_.max_leaf_triangles))
        .Add(static_cast<uint64_t>(options_.quality))
        .Add(static_cast<uint64_t>(options_.storage));
    status = ranks_.AgreeOn(fingerprint.value(), "the arguments");
    if (!status.ok()) return status;
    // Messages have to fit into the smallest memory.
    std::array<uint64_t, 1> all_but = {~uint64_t{options_.memory}};
    status = ranks_.Max(all_but);
    memory_ = ~all_but[0];
    return status;
  }

  absl::Status ReadFiles() {
    absl::Status status = RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      scratch_ = absl::StrCat(folder_, "/sort.", ranks_.rank());
      if (!os::MakeFolder(scratch_)) return CannotWrite(scratch_, errno);
      FileShares::Options options;
      options.memory = memory_;
      options.scratch = scratch_;
      options.check = [this] { return build_.CheckCancelled(); };
      options.progress = [this](double share) {
        build_.Report(ChunkedBuild::kShareOfReading * share);
      };
      shares_.emplace(ranks_, files_, std::move(options));
      return absl::OkStatus();
    });
    if (status.ok()) status = shares_->Read();
    if (!status.ok()) return status;
    return RunPhase(ranks_, kWhat, [&] {
      return build_.SetTriangles(shares_->count(), shares_->bounds(), files_);
    });
  }

  // Decides the chunks that each rank writes, from the counts of all.
  absl::Status PlanChunks() {
    absl::Status status = RunPhase(ranks_, kWhat, [&] {
      return shares_->ForEach(0, shares_->own_count(),
                              [&](uint64_t, const Triangle& triangle) {
                                build_.Count(triangle);
                                return absl::OkStatus();
                              });
    });
    if (status.ok()) status = ranks_.Sum(build_.counts());
    if (!status.ok()) return status;
    return RunPhase(ranks_, kWhat, [&] {
      build_.Plan();
      for (int r = 0; r < ranks_.size(); ++r) {
        const auto [first, last] = Owned(r);
        if (first == last) continue;
        runs_.push_back({r, first, last});
        if (r == ranks_.rank()) build_.Begin({folder_, scratch_}, first, last);
      }
      return absl::OkStatus();
    });
  }

  // Sends triangles in rounds. A round has at most as many as fit if all ranks
  // send theirs to one rank.
  absl::Status SendTriangles() {
    const uint64_t own = shares_->own_count();
    std::array<uint64_t, 1> most = {own};
    absl::Status status = ranks_.Max(most);
    std::optional<Mail> mail;
    if (status.ok()) {
      status = RunPhase(ranks_, kWhat, [&] {
        mail.emplace(ranks_.size());
        return absl::OkStatus();
      });
    }
    // Triangles are in memory when sent and when received, in lists of at most
    // twice their size.
    const uint64_t at_once = std::max<uint64_t>(
        memory_ / 8 / (4 * sizeof(SentTriangle) * ranks_.size()), 16);
    for (uint64_t done = 0; done < most[0] && status.ok(); done += at_once) {
      status = RunPhase(ranks_, kWhat, [&] {
        mail->Clear();
        build_.Report(ChunkedBuild::kShareOfReading +
                      ChunkedBuild::kShareOfSort * static_cast<double>(done) /
                          static_cast<double>(most[0]));
        return shares_->ForEach(
            std::min(done, own), std::min(done + at_once, own),
            [&](uint64_t number, const Triangle& triangle) {
              Send({options_.first_id + number, triangle}, &*mail);
              return absl::OkStatus();
            });
      });
      if (status.ok()) status = mail->Deliver(ranks_, memory_, kWhat);
      if (!status.ok()) return status;
      status = RunPhase(ranks_, kWhat, [&] { return Take(*mail); });
    }
    shares_.reset();
    return status;
  }

  void Send(const SentTriangle& sent, Mail* mail) const {
    const auto [first, last] = build_.plan().ChunksOf(sent.triangle);
    auto run = std::upper_bound(
        runs_.begin(), runs_.end(), first,
        [](size_t chunk, const RunOfRank& x) { return chunk < x.last; });
    for (; run != runs_.end() && run->first < last; ++run) {
      ByteWriter(&mail->to(run->rank)).Put(sent);
    }
  }

  absl::Status Take(const Mail& mail) {
    for (int r = 0; r < ranks_.size(); ++r) {
      ByteReader in(mail.from(r));
      while (!in.empty()) {
        const auto next = in.Get<SentTriangle>();
        if (absl::Status s = build_.Add(next.id, next.triangle); !s.ok()) {
          return s;
        }
      }
    }
    return absl::OkStatus();
  }

  // Rank 0 creates the folder, and broadcasts its name.
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
    return OwnedChunks(build_.plan().chunk_count(), ranks_.size(), rank);
  }

  absl::Status WriteOwned() {
    return RunPhase(ranks_, kWhat, [&]() -> absl::Status {
      const auto [first, last] = Owned(ranks_.rank());
      if (first != last) {
        if (absl::Status s = WriteOwnChunks(); !s.ok()) return s;
      }
      std::error_code error;
      std::filesystem::remove(os::PathOf(scratch_), error);
      return absl::OkStatus();
    });
  }

  absl::Status WriteOwnChunks() {
    absl::StatusOr<ScratchFile> ids = ScratchFile::Open(IdsPath());
    if (!ids.ok()) return ids.status();
    const absl::Status status = build_.WriteChunks(&*ids);
    return status.ok() ? ids->Finish() : status;
  }

  // Gathers the rows of all chunks on all ranks. Each rank sends as many rows
  // as the rank with the most chunks.
  absl::Status GatherRows() {
    size_t most = 0;
    for (int r = 0; r < ranks_.size(); ++r) {
      most = std::max(most, Owned(r).second - Owned(r).first);
    }
    std::vector<ManifestRow> own;
    std::vector<ManifestRow> all;
    absl::Status status = RunPhase(ranks_, kWhat, [&] {
      own = build_.rows();
      own.resize(most);
      all.resize(most * static_cast<size_t>(ranks_.size()));
      rows_.reserve(build_.plan().chunk_count());
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
  ChunkedBuild build_;
  uint64_t memory_ = 0;                         // the smallest of all ranks
  std::optional<UnfinishedFolder> unfinished_;  // on rank 0
  std::string folder_;
  std::string scratch_;
  std::optional<FileShares> shares_;
  // The chunks of each rank that owns some, in the order of ranks.
  struct RunOfRank {
    int rank;
    size_t first;  // of its chunks
    size_t last;
  };
  std::vector<RunOfRank> runs_;
  std::vector<ManifestRow> rows_;
};

}  // namespace

absl::StatusOr<DistributedTree> DistributedTree::Build(
    Communicator& ranks, std::span<const std::string> files,
    const std::string& path, const BuildChunkedOptions& options) {
  // Leftover files are removed before any rank continues.
  const absl::Status status = BuildOfRanks(ranks, files, path, options).Run();
  const absl::Status all = ranks.Agree(status);
  if (!all.ok()) return all;
  return Open(ranks, path,
              {.memory = options.memory, .check = TreeCheck::kChecksums});
}

}  // namespace orbox
