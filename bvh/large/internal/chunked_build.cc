// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunked_build.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/large/internal/triangle_sort.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/bvh/tree/internal/tree_file_front.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

constexpr size_t kLeastMemory = size_t{1} << 24;

// Bytes per triangle of a chunk under construction: the sorted triangle, the
// mesh, the tree, and the memory of the build itself.
constexpr size_t kBytesInBuild = 600;

// Returns a bit for each coordinate that is -0.
uint32_t NegativeZeros(const Vec3& p) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (p[i] == 0 && std::signbit(p[i])) bits |= 1u << i;
  }
  return bits;
}

// The mesh of a chunk: corners with the same bytes become one vertex. Vertices
// are in the order of the triangles. Requires at least one triangle. 0 and -0
// are kept apart, so that results have the bytes of the whole mesh's.
absl::StatusOr<Mesh> MeshOfChunk(std::span<const SortedTriangle> triangles) {
  std::vector<Vec3> corners;
  corners.reserve(3 * triangles.size());
  for (const SortedTriangle& t : triangles) {
    for (size_t i = 0; i < 3; ++i) corners.push_back(t.triangle[i]);
  }
  const mesh_internal::Welded welded = mesh_internal::Weld(corners);
  std::vector<Vec3> vertices;
  for (const uint32_t first : welded.first) vertices.push_back(corners[first]);
  // Vertices at equal coordinates that differ in the signs of zeros.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> others;
  const auto vertex_of = [&](size_t corner) {
    const uint32_t id = welded.id[corner];
    const uint32_t zeros = NegativeZeros(corners[corner]);
    if (zeros == NegativeZeros(corners[welded.first[id]])) return id;
    const auto [at, is_new] =
        others.try_emplace({id, zeros}, static_cast<uint32_t>(vertices.size()));
    if (is_new) vertices.push_back(corners[corner]);
    return at->second;
  };
  std::vector<TriangleIndices> indices;
  indices.reserve(triangles.size());
  for (size_t i = 0; i < corners.size(); i += 3) {
    indices.push_back({vertex_of(i), vertex_of(i + 1), vertex_of(i + 2)});
  }
  return Mesh::Create(std::move(vertices), std::move(indices));
}

}  // namespace

ChunkedBuild::ChunkedBuild(const std::string& path,
                           const BuildChunkedOptions& options)
    : path_(path), options_(options), workers_(options.threads) {}

ChunkedBuild::~ChunkedBuild() = default;

absl::Status ChunkedBuild::CheckOptions(
    std::span<const std::string> files) const {
  if (files.empty()) {
    return absl::InvalidArgumentError("there is no mesh file; name one");
  }
  const size_t chunk = options_.chunk_triangles;
  if (chunk == 0 || chunk > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(absl::StrCat("chunk_triangles is ", chunk,
                                                   ", and has to be 1 to ",
                                                   Mesh::kMaxTriangles));
  }
  const size_t least = std::max(kLeastMemory, 4 * kBytesInBuild * chunk);
  if (options_.memory < least) {
    return absl::InvalidArgumentError(absl::StrCat(
        "memory is ", options_.memory, " bytes, and chunks of ", chunk,
        " triangles take at least ", least, "; allow more, or smaller chunks"));
  }
  return absl::OkStatus();
}

absl::Status ChunkedBuild::SetTriangles(uint64_t count, const Aabb& bounds,
                                        std::span<const std::string> files) {
  if (count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(files[0], ": has no triangles; add some"));
  }
  if (count - 1 > std::numeric_limits<uint64_t>::max() - options_.first_id) {
    return absl::InvalidArgumentError(
        "first_id leaves too few ids of 64 bits; make it smaller");
  }
  count_ = count;
  grid_.emplace(bounds, options_.chunk_triangles);
  counts_.assign(grid_->cell_count(), 0);
  return absl::OkStatus();
}

void ChunkedBuild::Plan() {
  plan_.emplace(*grid_, counts_);
  std::vector<uint64_t>().swap(counts_);
}

void ChunkedBuild::Begin(const Place& place, size_t first, size_t last) {
  place_ = place;
  first_ = first;
  last_ = last;
  sort_.emplace(place_.scratch, options_.memory / 2);
}

absl::Status ChunkedBuild::Add(uint64_t id, const Triangle& triangle) {
  return sort_->Add({plan_->KeyOf(triangle), id, triangle});
}

absl::Status ChunkedBuild::WriteChunks(ScratchFile* ids) {
  ids_ = ids;
  // Several chunks at a time, as memory allows.
  const size_t at_once = std::clamp<size_t>(
      options_.memory / (4 * kBytesInBuild * options_.chunk_triangles), 1,
      static_cast<size_t>(workers_.count()));
  std::vector<std::vector<SortedTriangle>> chunks;
  size_t next = first_;  // the chunk to begin next
  const uint64_t end = plan_->BeginOf(last_);
  uint64_t position = plan_->BeginOf(plan_->GroupOf(first_).first);
  const auto take = [&](const SortedTriangle& triangle) -> absl::Status {
    const uint64_t at = position++;
    if (at >= end) return absl::OkStatus();
    if (at == plan_->BeginOf(next)) {
      if (chunks.size() == at_once) {
        if (absl::Status s = Write(&chunks); !s.ok()) return s;
      }
      chunks.emplace_back().reserve(plan_->BeginOf(next + 1) - at);
      ++next;
    }
    // Skips triangles of a group that belong to earlier chunks of other
    // processes.
    if (!chunks.empty()) chunks.back().push_back(triangle);
    return absl::OkStatus();
  };
  absl::Status status = sort_->Merge(take);
  if (status.ok()) status = Write(&chunks);
  sort_.reset();
  return status;
}

absl::Status ChunkedBuild::WriteManifest(
    const std::string& folder, const std::vector<ManifestRow>& rows) const {
  const ChunkManifest manifest{
      std::min<uint64_t>(options_.chunk_triangles, count_), rows};
  return WriteFileWhole(absl::StrCat(folder, "/", std::string(kManifestName)),
                        BytesOf(manifest));
}

absl::Status ChunkedBuild::Write(
    std::vector<std::vector<SortedTriangle>>* chunks) {
  const size_t done = rows_.size();
  rows_.resize(done + chunks->size());
  std::vector<absl::Status> statuses(chunks->size());
  workers_.For(chunks->size(), 1, [&](size_t i, size_t) {
    statuses[i] = CheckCancelled();
    if (!statuses[i].ok()) return;
    statuses[i] = WriteChunk(first_ + done + i, &(*chunks)[i],
                             chunks->size() > 1 ? 1 : options_.threads);
  });
  chunks->clear();
  for (const absl::Status& s : statuses) {
    if (!s.ok()) return s;
  }
  const double share =
      static_cast<double>(rows_.size()) / static_cast<double>(last_ - first_);
  constexpr double kBefore = kShareOfReading + kShareOfSort;
  Report(kBefore + (1 - kBefore) * std::min(share, 1.0));
  return absl::OkStatus();
}

absl::Status ChunkedBuild::WriteChunk(size_t chunk,
                                      std::vector<SortedTriangle>* triangles,
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
                    .threads = threads,
                    .cancelled = options_.cancelled});
  if (!tree.ok()) return tree.status();
  const std::string path =
      absl::StrCat(place_.folder, "/", ChunkFileName(chunk));
  const absl::Status written = WriteTree(*tree, path, {.threads = threads});
  if (!written.ok()) return written;
  const tree_internal::TreeFileFront front =
      tree_internal::FrontOf(*tree, Workers(threads));
  const uint64_t begin = plan_->BeginOf(chunk);
  const std::span<const std::byte> bytes =
      std::as_bytes(std::span<const uint64_t>(ids));
  rows_[chunk - first_] = {.row = {.box = mesh->bounds(),
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

absl::Status ChunkedBuild::CheckCancelled() const {
  if (options_.cancelled == nullptr ||
      !options_.cancelled->load(std::memory_order_relaxed)) {
    return absl::OkStatus();
  }
  return absl::CancelledError(absl::StrCat(path_, ": the build was cancelled"));
}

void ChunkedBuild::Report(double share) const {
  if (options_.progress) options_.progress(share);
}

}  // namespace orbox
