// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/triangle_spool.h"

#include <algorithm>
#include <utility>

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

}  // namespace orbox
