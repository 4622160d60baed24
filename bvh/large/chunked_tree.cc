// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_tree.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/chunked_tree_data.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"

namespace orbox {
namespace {

constexpr char kNoMemoryToOpen[] = "for a chunked tree; free some";

std::string PathIn(const std::string& folder, std::string_view name) {
  return absl::StrCat(folder, "/", std::string(name));
}

const ChunkRow& RowIn(const ManifestRow& row) { return row.row; }
const ChunkRow& RowIn(const ChunkRow& row) { return row; }

template <typename Rows>
std::vector<Aabb> BoxesOf(const Rows& rows) {
  std::vector<Aabb> boxes;
  boxes.reserve(rows.size());
  for (const auto& row : rows) boxes.push_back(RowIn(row).box);
  return boxes;
}

// Returns the checksum in a tree file's header. It covers the header and the
// table, which contains the checksums of all sections.
absl::StatusOr<uint64_t> ChecksumIn(const InputFile& file) {
  uint64_t checksum = 0;
  const absl::Status status =
      file.ReadAt(offsetof(tree_internal::TreeFileHeader, checksum),
                  std::as_writable_bytes(std::span(&checksum, 1)));
  if (!status.ok()) return status;
  return checksum;
}

absl::Status IsAnother(const std::string& path, const char* what) {
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": has ", what,
                   " than the manifest says: it is another file, or was "
                   "changed; build the chunks again"));
}

ChunkRow RowOf(const Chunk& chunk) {
  const Mesh& mesh = chunk.tree.mesh();
  return {.box = mesh.bounds(),
          .vertex = mesh.triangle(0).a,
          .count = mesh.triangle_count(),
          .first = 0,
          .lowest_id = chunk.ids.front(),
          .highest_id = chunk.ids.front() + mesh.triangle_count() - 1,
          .degenerate = mesh.degenerate_count(),
          .bytes = 0};
}

}  // namespace

ChunkedTree::Data::Data(std::string path, const ChunkManifest& manifest,
                        InputFile ids, const OpenChunkedOptions& options)
    : path_(std::move(path)),
      memory_(options.memory),
      check_(options.check),
      chunk_triangles_(manifest.chunk_triangles),
      levels_(BoxesOf(manifest.rows)),
      ids_(std::move(ids)),
      slots_(manifest.rows.size()) {
  for (const ManifestRow& row : manifest.rows) {
    table_.push_back(row.row);
    sums_.push_back({row.tree_checksum, row.ids_checksum});
    triangle_count_ += row.row.count;
    degenerate_count_ += row.row.degenerate;
  }
}

ChunkedTree::Data::Data(Chunk chunk)
    : memory_(0),
      check_(TreeCheck::kHeader),
      chunk_triangles_(chunk.tree.mesh().triangle_count()),
      triangle_count_(chunk_triangles_),
      degenerate_count_(chunk.tree.mesh().degenerate_count()),
      table_{RowOf(chunk)},
      levels_({chunk.tree.mesh().bounds()}),
      slots_(1) {
  slots_[0].chunk = std::move(chunk);
}

ChunkedTree::Data::Data(const Data& other, std::vector<ChunkRow> table,
                        MakeChunk make)
    : memory_(other.memory_),
      check_(TreeCheck::kHeader),
      chunk_triangles_(other.chunk_triangles_),
      triangle_count_(other.triangle_count_),
      table_(std::move(table)),
      levels_(BoxesOf(table_)),
      make_(std::move(make)),
      slots_(table_.size()) {
  for (const ChunkRow& row : table_) degenerate_count_ += row.degenerate;
}

size_t ChunkedTree::Data::BytesOf(size_t i) const {
  return table_[i].bytes + table_[i].count * sizeof(uint64_t);
}

absl::StatusOr<Chunk> ChunkedTree::Data::Load(size_t i) {
  TreeCheck check = check_;
  {
    const std::lock_guard lock(mutex_);
    Slot& slot = slots_[i];
    slot.last_use = ++uses_;
    if (slot.chunk) return *slot.chunk;
    if (slot.is_verified) check = TreeCheck::kHeader;
    MakeRoom(BytesOf(i));
  }
  // Two threads may map a chunk at the same time; one of the two is kept.
  absl::StatusOr<Chunk> chunk = make_ ? make_(i) : Map(i, check);
  if (!chunk.ok()) return chunk.status();
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[i];
  slot.is_verified = true;
  if (slot.chunk) return *slot.chunk;
  MakeRoom(BytesOf(i));
  slot.chunk = *chunk;
  mapped_ += BytesOf(i);
  peak_ = std::max(peak_, mapped_);
  return chunk;
}

void ChunkedTree::Data::MakeRoom(size_t bytes) {
  while (mapped_ != 0 && (bytes > memory_ || mapped_ > memory_ - bytes)) {
    size_t oldest = slots_.size();
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i].chunk) continue;
      if (oldest == slots_.size() ||
          slots_[i].last_use < slots_[oldest].last_use) {
        oldest = i;
      }
    }
    slots_[oldest].chunk.reset();
    mapped_ -= BytesOf(oldest);
  }
}

absl::StatusOr<Chunk> ChunkedTree::Data::Map(size_t i, TreeCheck check) const {
  const std::string path = PathIn(path_, ChunkFileName(i));
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  if (file->size() != table_[i].bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": has ", file->size(), " bytes, and the manifest says ",
        table_[i].bytes, "; is it cut short? Build the chunks again"));
  }
  const absl::StatusOr<uint64_t> checksum = ChecksumIn(*file);
  if (!checksum.ok()) return checksum.status();
  if (*checksum != sums_[i].tree) return IsAnother(path, "other contents");
  absl::StatusOr<Tree> tree = MapTree(path, {.check = check, .threads = 1});
  if (!tree.ok()) return tree.status();
  if (tree->mesh().triangle_count() != table_[i].count) {
    return IsAnother(path, "another number of triangles");
  }
  std::vector<uint64_t> ids(table_[i].count);
  const std::span<std::byte> bytes =
      std::as_writable_bytes(std::span<uint64_t>(ids));
  const absl::Status read =
      ids_->ReadAt(table_[i].first * sizeof(uint64_t), bytes);
  if (!read.ok()) return read;
  Chunk chunk{*std::move(tree), std::move(ids)};
  if (check != TreeCheck::kHeader) {
    if (tree_internal::ChecksumOf(bytes) != sums_[i].ids) {
      return absl::InvalidArgumentError(absl::StrCat(
          PathIn(path_, kIdsName), ": the checksum of the ids of chunk ", i,
          " is wrong: some byte was changed; build the chunks again"));
    }
    if (absl::Status s = Compare(i, chunk); !s.ok()) return s;
  }
  return chunk;
}

absl::Status ChunkedTree::Data::Compare(size_t i, const Chunk& chunk) const {
  const ChunkRow& row = table_[i];
  const Mesh& mesh = chunk.tree.mesh();
  const std::string path = PathIn(path_, ChunkFileName(i));
  if (mesh.bounds().lo != row.box.lo || mesh.bounds().hi != row.box.hi) {
    return IsAnother(path, "another box");
  }
  if (mesh.triangle(0).a != row.vertex)
    return IsAnother(path, "another corner");
  if (mesh.degenerate_count() != row.degenerate) {
    return IsAnother(path, "another number of degenerate triangles");
  }
  const bool ascend =
      std::adjacent_find(chunk.ids.begin(), chunk.ids.end(),
                         std::greater_equal<>()) == chunk.ids.end();
  if (!ascend || chunk.ids.front() != row.lowest_id ||
      chunk.ids[chunk.ids.size() - 1] != row.highest_id) {
    return absl::InvalidArgumentError(absl::StrCat(
        PathIn(path_, kIdsName), ": the ids of chunk ", i,
        " do not ascend from ", row.lowest_id, " to ", row.highest_id,
        ", though the checksum is right; build the chunks again"));
  }
  return absl::OkStatus();
}

absl::Status ChunkedTree::Data::Verify() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const absl::StatusOr<Chunk> chunk = Load(i);
    if (!chunk.ok()) return chunk.status();
  }
  return ids_ ? VerifyIdsAreOnce() : absl::OkStatus();
}

// Uses one bit per id: ids have no gaps (ParseManifest).
absl::Status ChunkedTree::Data::VerifyIdsAreOnce() {
  uint64_t lowest = table_.front().lowest_id;
  for (const ChunkRow& row : table_) lowest = std::min(lowest, row.lowest_id);
  std::vector<bool> seen(triangle_count_);
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < table_.size(); ++i) {
    ids.resize(table_[i].count);
    const absl::Status read =
        ids_->ReadAt(table_[i].first * sizeof(uint64_t),
                     std::as_writable_bytes(std::span<uint64_t>(ids)));
    if (!read.ok()) return read;
    for (const uint64_t id : ids) {
      if (id - lowest < triangle_count_ && !seen[id - lowest]) {
        seen[id - lowest] = true;
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat(
          PathIn(path_, kIdsName), ": the id ", id, " of chunk ", i,
          " occurs twice or is beyond the others; build the chunks again"));
    }
  }
  return absl::OkStatus();
}

size_t ChunkedTree::Data::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  return mapped_;
}

size_t ChunkedTree::Data::peak_mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

bool IsChunkedTreeAt(const std::string& path) {
  return IsRegularFile(PathIn(path, kManifestName));
}

absl::StatusOr<ChunkedTree> ChunkedTree::Open(
    const std::string& path, const OpenChunkedOptions& options) {
  return GuardMemory(kNoMemoryToOpen, [&]() -> absl::StatusOr<ChunkedTree> {
    const std::string name = PathIn(path, kManifestName);
    const absl::StatusOr<FileBytes> bytes = ReadFileBytes(name);
    if (!bytes.ok()) return bytes.status();
    const absl::StatusOr<ChunkManifest> manifest =
        ParseManifest(bytes->view(), name);
    if (!manifest.ok()) return manifest.status();
    const std::string ids_name = PathIn(path, kIdsName);
    absl::StatusOr<InputFile> ids = InputFile::Open(ids_name);
    if (!ids.ok()) return ids.status();
    auto data =
        std::make_shared<Data>(path, *manifest, *std::move(ids), options);
    const uint64_t wanted = data->triangle_count_ * sizeof(uint64_t);
    if (data->ids_->size() != wanted) {
      return absl::InvalidArgumentError(absl::StrCat(
          ids_name, ": has ", data->ids_->size(), " bytes, and the ids of ",
          data->triangle_count_, " triangles take ", wanted,
          "; is it cut short? Build the chunks again"));
    }
    return ChunkedTree(std::move(data));
  });
}

ChunkedTree::ChunkedTree(const Tree& tree, uint64_t first_id) {
  std::vector<uint64_t> ids(tree.mesh().triangle_count());
  std::iota(ids.begin(), ids.end(), first_id);
  data_ = std::make_shared<Data>(Chunk{tree, std::move(ids)});
}

absl::StatusOr<ChunkedTree> ChunkedTree::MovedBy(const Pose& pose) const {
  if (pose.IsIdentity()) return *this;
  const auto move = [&]() -> absl::StatusOr<ChunkedTree> {
    absl::StatusOr<PosedChunkedTree> posed =
        PosedChunkedTree::Create(*this, pose);
    if (!posed.ok()) return posed.status();
    std::vector<ChunkRow> rows(table().begin(), table().end());
    for (size_t i = 0; i < rows.size(); ++i) {
      const absl::StatusOr<PosedChunk> chunk = posed->Load(i);
      if (!chunk.ok()) return chunk.status();
      const Mesh mesh = WorldMesh(chunk->tree);
      rows[i].box = mesh.bounds();
      rows[i].vertex = mesh.triangle(0).a;
      rows[i].degenerate = mesh.degenerate_count();
    }
    const auto make =
        [of = *std::move(posed)](size_t i) -> absl::StatusOr<Chunk> {
      const absl::StatusOr<PosedChunk> chunk = of.Load(i);
      if (!chunk.ok()) return chunk.status();
      const absl::StatusOr<Tree> tree = WorldTree(chunk->tree, {.threads = 1});
      if (!tree.ok()) return tree.status();
      return Chunk{*tree, chunk->ids};
    };
    return ChunkedTree(std::make_shared<Data>(*data_, std::move(rows), make));
  };
  return GuardMemory("to move a chunked tree; free some", move);
}

std::span<const ChunkRow> ChunkedTree::table() const { return data_->table_; }
uint64_t ChunkedTree::triangle_count() const { return data_->triangle_count_; }
uint64_t ChunkedTree::degenerate_count() const {
  return data_->degenerate_count_;
}
const Aabb& ChunkedTree::bounds() const { return data_->levels_.bounds(); }
uint64_t ChunkedTree::chunk_size() const { return data_->chunk_triangles_; }
const std::string& ChunkedTree::path() const { return data_->path_; }
size_t ChunkedTree::memory() const { return data_->memory_; }
const ChunkLevels& ChunkedTree::levels() const { return data_->levels_; }
std::optional<ChunkedTree::Faces> ChunkedTree::known_faces() const {
  const int known = data_->faces_;
  if (known == Data::kUnknownFaces) return std::nullopt;
  return static_cast<Faces>(known);
}
void ChunkedTree::Remember(Faces faces) const {
  data_->faces_ = static_cast<int>(faces);
}
size_t ChunkedTree::mapped_bytes() const { return data_->mapped_bytes(); }
size_t ChunkedTree::peak_mapped_bytes() const {
  return data_->peak_mapped_bytes();
}

absl::StatusOr<Chunk> ChunkedTree::Load(size_t i) const {
  return GuardMemory("to map a chunk; free some",
                     [&] { return data_->Load(i); });
}

absl::Status ChunkedTree::Verify() const {
  return GuardMemory("to verify chunks; free some",
                     [&] { return data_->Verify(); });
}

}  // namespace orbox
