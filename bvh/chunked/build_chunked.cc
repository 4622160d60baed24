// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/build_chunked.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/chunked/internal/chunk_manifest.h"
#include "orbox/bvh/chunked/internal/chunk_mesh.h"
#include "orbox/bvh/chunked/internal/triangle_sort.h"
#include "orbox/bvh/chunked/internal/unfinished_folder.h"
#include "orbox/bvh/mesh/internal/triangle_stream.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/bvh/tree/internal/tree_file_front.h"

namespace orbox {
namespace {

using mesh_internal::TriangleStream;

constexpr size_t kLeastMemory = size_t{1} << 24;

// A triangle of a chunk under construction: sorted, as a mesh, a tree, and what
// a build has beside it.
constexpr size_t kBytesInBuild = 600;

// The shares of the three passes over the triangles, about as long as they
// take.
constexpr double kShareOfBounds = 0.1;
constexpr double kShareOfSort = 0.2;

absl::Status CheckBuild(std::span<const std::string> files,
                        const BuildChunkedOptions& options) {
  if (files.empty()) {
    return absl::InvalidArgumentError("there is no mesh file; name one");
  }
  const size_t chunk = options.chunk_triangles;
  if (chunk == 0 || chunk > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(absl::StrCat("chunk_triangles is ", chunk,
                                                   ", and has to be 1 to ",
                                                   Mesh::kMaxTriangles));
  }
  const size_t least = std::max(kLeastMemory, 4 * kBytesInBuild * chunk);
  if (options.memory < least) {
    return absl::InvalidArgumentError(absl::StrCat(
        "memory is ", options.memory, " bytes, and chunks of ", chunk,
        " triangles take at least ", least, "; allow more, or smaller chunks"));
  }
  return absl::OkStatus();
}

class ChunkedBuild {
 public:
  ChunkedBuild(std::span<const std::string> files, const std::string& path,
               const BuildChunkedOptions& options)
      : files_(files),
        path_(path),
        options_(options),
        workers_(options.threads) {}

  absl::StatusOr<ChunkedTree> Run() {
    if (absl::Status s = CheckBuild(files_, options_); !s.ok()) return s;
    absl::StatusOr<UnfinishedFolder> folder = UnfinishedFolder::Create(
        path_,
        /*replaces=*/[](const std::string& p) { return IsChunkedTreeAt(p); });
    if (!folder.ok()) return folder.status();
    folder_ = folder->path();
    if (absl::Status s = OpenFiles(); !s.ok()) return s;
    if (absl::Status s = FindBounds(); !s.ok()) return s;
    if (absl::Status s = WriteChunks(); !s.ok()) return s;
    if (absl::Status s = folder->Finish(); !s.ok()) return s;
    if (options_.progress) options_.progress(1);
    return ChunkedTree::Open(
        path_, {.memory = options_.memory, .check = TreeCheck::kChecksums});
  }

 private:
  // The work that one pass over all triangles does, of all the passes.
  struct Pass {
    double begin;
    double share;
  };

  absl::Status OpenFiles() {
    for (const std::string& file : files_) {
      absl::StatusOr<TriangleStream> stream =
          TriangleStream::Open(file, options_.memory / 4);
      if (!stream.ok()) return stream.status();
      streams_.push_back(*std::move(stream));
    }
    return absl::OkStatus();
  }

  // Calls take(triangle) with all triangles of all files.
  template <typename Take>
  absl::Status ForEachTriangle(const Pass& pass, Take take) const {
    for (size_t i = 0; i < streams_.size(); ++i) {
      const auto progress = [&](double share) {
        const double files = static_cast<double>(streams_.size());
        Report(pass.begin +
               pass.share * (static_cast<double>(i) + share) / files);
      };
      const absl::Status status = streams_[i].ForEach(
          [&](std::span<const Triangle> some) -> absl::Status {
            if (is_cancelled()) return Cancelled();
            for (const Triangle& triangle : some) {
              if (absl::Status s = take(triangle); !s.ok()) return s;
            }
            return absl::OkStatus();
          },
          progress);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status FindBounds() {
    const absl::Status status =
        ForEachTriangle({0, kShareOfBounds}, [&](const Triangle& triangle) {
          const Aabb box = BoundsOf(triangle);
          bounds_ = count_++ == 0 ? box : Union(bounds_, box);
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
    if (count_ == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(files_[0], ": has no triangles; add some"));
    }
    if (count_ - 1 > std::numeric_limits<uint64_t>::max() - options_.first_id) {
      return absl::InvalidArgumentError(
          "first_id leaves too few ids of 64 bits; make it smaller");
    }
    return absl::OkStatus();
  }

  absl::Status WriteChunks() {
    TriangleSort sort(bounds_, folder_, options_.memory / 2);
    uint64_t id = options_.first_id;
    absl::Status status =
        ForEachTriangle({kShareOfBounds, kShareOfSort},
                        [&](const Triangle& t) { return sort.Add(id++, t); });
    if (!status.ok()) return status;
    absl::StatusOr<ScratchFile> ids =
        ScratchFile::Create(absl::StrCat(folder_, "/", std::string(kIdsName)));
    if (!ids.ok()) return ids.status();
    ids_ = &*ids;
    // Some at a time, as memory allows.
    const size_t at_once = std::clamp<size_t>(
        options_.memory / (4 * kBytesInBuild * options_.chunk_triangles), 1,
        static_cast<size_t>(workers_.count()));
    std::vector<std::vector<SortedTriangle>> chunks;
    status = sort.Merge([&](const SortedTriangle& next) -> absl::Status {
      if (chunks.empty() || chunks.back().size() == options_.chunk_triangles) {
        if (chunks.size() == at_once) {
          if (absl::Status s = Write(&chunks); !s.ok()) return s;
        }
        chunks.emplace_back().reserve(
            std::min<uint64_t>(options_.chunk_triangles, count_));
      }
      chunks.back().push_back(next);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    if (absl::Status s = Write(&chunks); !s.ok()) return s;
    if (absl::Status s = ids->Finish(); !s.ok()) return s;
    const ChunkManifest manifest{
        std::min<uint64_t>(options_.chunk_triangles, count_), rows_};
    return WriteFileWhole(
        absl::StrCat(folder_, "/", std::string(kManifestName)),
        BytesOf(manifest));
  }

  // Builds and writes the next chunks, and forgets them.
  absl::Status Write(std::vector<std::vector<SortedTriangle>>* chunks) {
    const size_t first = rows_.size();
    rows_.resize(first + chunks->size());
    std::vector<absl::Status> statuses(chunks->size());
    workers_.For(chunks->size(), 1, [&](size_t i, size_t) {
      statuses[i] = is_cancelled()
                        ? Cancelled()
                        : WriteChunk(first + i, &(*chunks)[i],
                                     chunks->size() > 1 ? 1 : options_.threads);
    });
    chunks->clear();
    for (const absl::Status& s : statuses) {
      if (!s.ok()) return s;
    }
    const double done =
        static_cast<double>(rows_.size() * options_.chunk_triangles) /
        static_cast<double>(count_);
    constexpr double kBefore = kShareOfBounds + kShareOfSort;
    Report(kBefore + (1 - kBefore) * std::min(done, 1.0));
    return absl::OkStatus();
  }

  absl::Status WriteChunk(size_t chunk, std::vector<SortedTriangle>* triangles,
                          int threads) {
    std::sort(triangles->begin(), triangles->end(),
              [](const SortedTriangle& x, const SortedTriangle& y) {
                return x.id < y.id;
              });
    std::vector<uint64_t> ids;
    ids.reserve(triangles->size());
    for (const SortedTriangle& t : *triangles) ids.push_back(t.id);
    const absl::StatusOr<Mesh> mesh = MeshOfChunk(*triangles);
    std::vector<SortedTriangle>().swap(*triangles);
    if (!mesh.ok()) return mesh.status();
    const absl::StatusOr<Tree> tree =
        Build(*mesh, {.volumes = options_.volumes,
                      .max_leaf_triangles = options_.max_leaf_triangles,
                      .quality = options_.quality,
                      .storage = options_.storage,
                      .threads = threads});
    if (!tree.ok()) return tree.status();
    const std::string path = absl::StrCat(folder_, "/", ChunkFileName(chunk));
    const absl::Status written = WriteTree(*tree, path, {.threads = threads});
    if (!written.ok()) return written;
    const tree_internal::TreeFileFront front =
        tree_internal::FrontOf(*tree, Workers(threads));
    const uint64_t begin = uint64_t{chunk} * options_.chunk_triangles;
    const std::span<const std::byte> bytes =
        std::as_bytes(std::span<const uint64_t>(ids));
    rows_[chunk] = {.row = {.box = mesh->bounds(),
                            .vertex = mesh->triangle(0).a,
                            .count = ids.size(),
                            .first = begin,
                            .lowest_id = ids.front(),
                            .highest_id = ids.back(),
                            .degenerate = mesh->degenerate_count(),
                            .bytes = front.header.file_bytes},
                    .tree_checksum = front.header.checksum,
                    .ids_checksum = tree_internal::ChecksumOf(bytes)};
    return ids_->WriteAt(begin * sizeof(uint64_t), bytes);
  }

  bool is_cancelled() const {
    return options_.cancelled != nullptr &&
           options_.cancelled->load(std::memory_order_relaxed);
  }
  absl::Status Cancelled() const {
    return absl::CancelledError(
        absl::StrCat(path_, ": the build was cancelled"));
  }

  void Report(double share) const {
    if (options_.progress) options_.progress(share);
  }

  const std::span<const std::string> files_;
  const std::string& path_;
  const BuildChunkedOptions& options_;
  const Workers workers_;
  std::string folder_;
  std::vector<TriangleStream> streams_;
  uint64_t count_ = 0;
  Aabb bounds_;
  ScratchFile* ids_ = nullptr;
  std::vector<ManifestRow> rows_;
};

}  // namespace

absl::StatusOr<ChunkedTree> BuildChunked(std::span<const std::string> files,
                                         const std::string& path,
                                         const BuildChunkedOptions& options) {
  return GuardMemory("to build chunks; allow less, or build smaller ones",
                     [&]() -> absl::StatusOr<ChunkedTree> {
                       return ChunkedBuild(files, path, options).Run();
                     });
}

}  // namespace orbox
