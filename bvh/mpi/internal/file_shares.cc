// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/file_shares.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/internal/triangle_stream.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/corner_exchange.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {
namespace {

constexpr size_t kLeastSpooled = 256;

}  // namespace

TriangleSpool::TriangleSpool(std::string folder, size_t memory)
    : folder_(std::move(folder)),
      most_(std::max(memory / sizeof(Triangle), kLeastSpooled)) {}

absl::Status TriangleSpool::Add(std::span<const Triangle> triangles) {
  while (!triangles.empty()) {
    if (tail_.size() == most_) {
      if (!file_.has_value()) {
        absl::StatusOr<ScratchFile> file = ScratchFile::Unnamed(folder_);
        if (!file.ok()) return file.status();
        file_ = *std::move(file);
      }
      const absl::Status status =
          file_->WriteAt(written_ * sizeof(Triangle),
                         std::as_bytes(std::span<const Triangle>(tail_)));
      if (!status.ok()) return status;
      written_ += tail_.size();
      tail_.clear();
    }
    const size_t some = std::min(triangles.size(), most_ - tail_.size());
    // Avoids the doubled memory of a vector that grows.
    if (tail_.size() + some > tail_.capacity()) {
      tail_.reserve(std::min(most_, 2 * tail_.size() + some));
    }
    tail_.insert(tail_.end(), triangles.begin(),
                 triangles.begin() + static_cast<ptrdiff_t>(some));
    triangles = triangles.subspan(some);
  }
  return absl::OkStatus();
}

void TriangleSpool::Shorten(uint64_t size) {
  tail_.resize(size > written_ ? size - written_ : 0);
  written_ = std::min(written_, size);
}

absl::Status TriangleSpool::Read(uint64_t begin,
                                 std::span<Triangle> out) const {
  const uint64_t in_file =
      begin < written_ ? std::min<uint64_t>(out.size(), written_ - begin) : 0;
  if (in_file != 0) {
    const absl::Status status = file_->ReadAt(
        begin * sizeof(Triangle), std::as_writable_bytes(out.first(in_file)));
    if (!status.ok()) return status;
  }
  const uint64_t in_tail = begin + in_file - written_;
  std::copy_n(tail_.begin() + static_cast<ptrdiff_t>(in_tail),
              out.size() - in_file,
              out.begin() + static_cast<ptrdiff_t>(in_file));
  return absl::OkStatus();
}

using mesh_internal::MeshRecords;
using mesh_internal::TriangleStream;

namespace {

constexpr char kToRead[] = "to read a share of a file";

// Triangles that are read, or passed on, at a time.
constexpr uint64_t kAtOnce = 4096;

// Returns a hash of the properties that have to be equal on all ranks.
uint64_t FingerprintOf(const std::optional<MeshRecords>& records,
                       uint64_t size) {
  Fingerprint of("file");
  of.Add(size).Add(uint64_t{records.has_value()});
  if (records.has_value()) {
    of.Add(records->vertex_count()).Add(records->face_count());
    of.Add(uint64_t{records->face_bytes()});
  }
  return of.value();
}

}  // namespace

FileShares::FileShares(Communicator& ranks, std::span<const std::string> files,
                       Options options)
    : ranks_(ranks),
      files_(files),
      options_(std::move(options)),
      spool_(options_.scratch, options_.memory / 4),
      bytes_(static_cast<size_t>(ranks.size())) {
  parts_.reserve(files.size());
}

absl::Status FileShares::Read() {
  for (const std::string& file : files_) {
    parts_.push_back({.begin = spool_.size()});
    if (absl::Status s = ReadFile(file); !s.ok()) return s;
  }
  return Number();
}

absl::Status FileShares::ReadFile(const std::string& file) {
  std::optional<MeshRecords> records;
  uint64_t size = 0;
  absl::Status status = RunPhase(ranks_, kToRead, [&]() -> absl::Status {
    if (options_.progress) {
      options_.progress(static_cast<double>(parts_.size() - 1) /
                        static_cast<double>(files_.size()));
    }
    absl::StatusOr<std::optional<MeshRecords>> opened = MeshRecords::Open(file);
    if (!opened.ok()) return opened.status();
    records = *std::move(opened);
    size = SizeOfFile(file);
    return absl::OkStatus();
  });
  if (status.ok()) {
    status = ranks_.AgreeOn(FingerprintOf(records, size), "the files");
  }
  if (!status.ok()) return status;
  if (records.has_value()) {
    bool is_regular = true;
    const std::optional<Aabb> before = own_bounds_;
    status = records->has_vertices() ? ReadFaces(*records, &is_regular)
                                     : ReadFacets(*records, &is_regular);
    if (!status.ok()) return status;
    if (is_regular) {
      for (uint64_t& bytes : bytes_) bytes += size / bytes_.size();
      return absl::OkStatus();
    }
    spool_.Shorten(parts_.back().begin);
    own_bounds_ = before;
  }
  return ReadAlone(file, size);
}

absl::Status FileShares::ReadFacets(const MeshRecords& records,
                                    bool* is_regular) {
  const auto [begin, end] =
      OwnedChunks(records.face_count(), ranks_.size(), ranks_.rank());
  const absl::Status status =
      RunPhase(ranks_, kToRead, [&, begin = begin, end = end]() {
        std::vector<Triangle> some;
        for (uint64_t i = begin; i < end && *is_regular; i += kAtOnce) {
          some.clear();
          const absl::StatusOr<bool> read = records.ReadFacets(
              i, std::min<uint64_t>(i + kAtOnce, end), &some);
          if (!read.ok()) return read.status();
          *is_regular = *read;
          if (absl::Status s = Add(some); !s.ok()) return s;
        }
        return absl::OkStatus();
      });
  return status.ok() ? AgreeOnRegular(is_regular) : status;
}

absl::Status FileShares::ReadFaces(const MeshRecords& records,
                                   bool* is_regular) {
  std::optional<CornerExchange> corners;
  absl::Status status = RunPhase(ranks_, kToRead, [&] {
    corners.emplace(ranks_, records, options_.memory / 4);
    return corners->Load(is_regular);
  });
  if (status.ok()) status = AgreeOnRegular(is_regular);
  const int ranks = ranks_.size();
  const auto [begin, end] =
      OwnedChunks(records.face_count(), ranks, ranks_.rank());
  // All ranks run as many rounds as the one with the most faces.
  const uint64_t most = (records.face_count() + ranks - 1) / ranks;
  const uint64_t at_once = std::max<uint64_t>(
      CornerExchange::TrianglesAtOnce(ranks, options_.memory / 4) /
          records.most_triangles(),
      1);
  std::vector<TriangleIndices> indices;
  std::vector<Triangle> triangles;
  for (uint64_t done = 0; done < most && status.ok() && *is_regular;
       done += at_once) {
    const uint64_t first = std::min<uint64_t>(begin + done, end);
    const uint64_t last = std::min<uint64_t>(first + at_once, end);
    status = RunPhase(ranks_, kToRead, [&]() -> absl::Status {
      if (absl::Status s = Add(triangles); !s.ok()) return s;
      triangles.clear();
      indices.clear();
      const absl::StatusOr<bool> read =
          records.ReadFaces(first, last, &indices);
      if (!read.ok()) return read.status();
      *is_regular = *read;
      return absl::OkStatus();
    });
    if (status.ok()) status = AgreeOnRegular(is_regular);
    if (status.ok() && *is_regular) status = corners->Find(indices, &triangles);
  }
  if (!status.ok()) return status;
  return RunPhase(ranks_, kToRead, [&] { return Add(triangles); });
}

// Sets *is_regular to true if it is true on all ranks.
absl::Status FileShares::AgreeOnRegular(bool* is_regular) {
  std::array<uint64_t, 1> irregular = {*is_regular ? uint64_t{0} : 1};
  const absl::Status status = ranks_.Max(irregular);
  *is_regular = irregular[0] == 0;
  return status;
}

absl::Status FileShares::ReadAlone(const std::string& file, uint64_t size) {
  // Only the first rank has a standard input.
  const auto reader = file == "-"
                          ? bytes_.begin()
                          : std::min_element(bytes_.begin(), bytes_.end());
  *reader += size;
  const bool is_own = reader - bytes_.begin() == ranks_.rank();
  return RunPhase(ranks_, kToRead, [&]() -> absl::Status {
    if (!is_own) return absl::OkStatus();
    const absl::StatusOr<TriangleStream> stream =
        TriangleStream::Open(file, options_.memory / 4);
    if (!stream.ok()) return stream.status();
    return stream->ForEach(
        [&](std::span<const Triangle> some) { return Add(some); });
  });
}

absl::Status FileShares::Add(std::span<const Triangle> triangles) {
  for (const Triangle& triangle : triangles) {
    const Aabb box = BoundsOf(triangle);
    own_bounds_ = own_bounds_.has_value() ? Union(*own_bounds_, box) : box;
  }
  const absl::Status status = spool_.Add(triangles);
  return status.ok() && options_.check ? options_.check() : status;
}

absl::Status FileShares::Number() {
  std::vector<uint64_t> own;
  std::vector<uint64_t> all;
  const size_t files = files_.size();
  const auto ranks = static_cast<size_t>(ranks_.size());
  absl::Status status = RunPhase(ranks_, kToRead, [&] {
    for (size_t f = 0; f < files; ++f) {
      const uint64_t end = f + 1 < files ? parts_[f + 1].begin : spool_.size();
      own.push_back(end - parts_[f].begin);
    }
    all.resize(files * ranks);
    return absl::OkStatus();
  });
  if (status.ok()) {
    status = ranks_.Gather(std::as_bytes(std::span<const uint64_t>(own)),
                           std::as_writable_bytes(std::span<uint64_t>(all)));
  }
  if (!status.ok()) return status;
  for (size_t f = 0; f < files; ++f) {
    for (size_t r = 0; r < ranks; ++r) {
      if (static_cast<int>(r) == ranks_.rank()) parts_[f].number = count_;
      count_ += all[r * files + f];
    }
  }
  // The upper ends are negated, so that one minimum gives both ends.
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::array<double, 6> ends;
  ends.fill(kNone);
  for (size_t i = 0; i < 3 && own_bounds_.has_value(); ++i) {
    ends[i] = own_bounds_->lo[i];
    ends[3 + i] = -own_bounds_->hi[i];
  }
  status = ranks_.Min(ends);
  bounds_ = {{ends[0], ends[1], ends[2]}, {-ends[3], -ends[4], -ends[5]}};
  return status;
}

absl::Status FileShares::ForEach(
    uint64_t begin, uint64_t end,
    absl::FunctionRef<absl::Status(uint64_t number, const Triangle& triangle)>
        take) const {
  // The last part with triangles that begins at `begin` or before.
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), begin,
      [](uint64_t at, const FileRange& part) { return at < part.begin; });
  auto part = static_cast<size_t>(after - parts_.begin()) - 1;
  std::vector<Triangle> some;
  for (uint64_t at = begin; at < end; at += some.size()) {
    some.resize(std::min(kAtOnce, end - at));
    if (absl::Status s = spool_.Read(at, some); !s.ok()) return s;
    for (size_t i = 0; i < some.size(); ++i) {
      while (part + 1 < parts_.size() && parts_[part + 1].begin <= at + i) {
        ++part;
      }
      const uint64_t number =
          parts_[part].number + (at + i - parts_[part].begin);
      if (absl::Status s = take(number, some[i]); !s.ok()) return s;
    }
    if (absl::Status s = options_.check ? options_.check() : absl::OkStatus();
        !s.ok()) {
      return s;
    }
  }
  return absl::OkStatus();
}

}  // namespace orbox
