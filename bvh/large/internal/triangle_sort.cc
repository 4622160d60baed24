// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/triangle_sort.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <tuple>

namespace orbox {
namespace {

// A run takes 1 / kShareOfRun of the memory. The rest is for reading, and for
// the system's cache of files.
constexpr size_t kShareOfRun = 2;

// Reads a run, some triangles at a time.
class RunReader {
 public:
  RunReader(const ScratchFile& file, uint64_t begin, uint64_t end, size_t room)
      : file_(file), next_(begin), end_(end), room_(room) {}

  // Returns null at the end, and if reading fails.
  const SortedTriangle* Next(absl::Status* status) {
    if (at_ == some_.size()) {
      some_.resize(std::min<uint64_t>(room_, end_ - next_));
      at_ = 0;
      if (some_.empty()) return nullptr;
      *status = file_.ReadAt(
          next_ * sizeof(SortedTriangle),
          std::as_writable_bytes(std::span<SortedTriangle>(some_)));
      if (!status->ok()) return nullptr;
      next_ += some_.size();
    }
    return &some_[at_++];
  }

 private:
  const ScratchFile& file_;
  uint64_t next_;
  uint64_t end_;
  size_t room_;
  std::vector<SortedTriangle> some_;
  size_t at_ = 0;
};

bool IsBefore(const SortedTriangle& x, const SortedTriangle& y) {
  return std::tie(x.key, x.id) < std::tie(y.key, y.id);
}

}  // namespace

TriangleSort::TriangleSort(std::string folder, size_t memory)
    : folder_(std::move(folder)),
      memory_(memory),
      most_(
          std::max(memory / kShareOfRun / sizeof(SortedTriangle), kLeastRun)) {}

absl::Status TriangleSort::Add(const SortedTriangle& triangle) {
  if (triangles_.size() == most_) {
    if (absl::Status s = Spill(); !s.ok()) return s;
  }
  // Avoids the doubled memory of a vector that grows.
  if (triangles_.size() == triangles_.capacity()) {
    triangles_.reserve(std::min(most_, 2 * triangles_.size() + kLeastRun));
  }
  triangles_.push_back(triangle);
  return absl::OkStatus();
}

void TriangleSort::Sort() {
  std::sort(triangles_.begin(), triangles_.end(), IsBefore);
}

absl::Status TriangleSort::Spill() {
  if (triangles_.empty()) return absl::OkStatus();
  if (!file_.has_value()) {
    absl::StatusOr<ScratchFile> file = ScratchFile::Unnamed(folder_);
    if (!file.ok()) return file.status();
    file_ = *std::move(file);
  }
  Sort();
  const uint64_t begin = runs_.empty() ? 0 : runs_.back().end;
  runs_.push_back({begin, begin + triangles_.size()});
  const absl::Status status = file_->WriteAt(
      begin * sizeof(SortedTriangle),
      std::as_bytes(std::span<const SortedTriangle>(triangles_)));
  triangles_.clear();
  return status;
}

absl::Status TriangleSort::Merge(Take take) {
  if (runs_.empty()) {
    Sort();
    for (const SortedTriangle& t : triangles_) {
      if (absl::Status s = take(t); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  if (absl::Status s = Spill(); !s.ok()) return s;
  std::vector<SortedTriangle>().swap(triangles_);
  return MergeRuns(take);
}

absl::Status TriangleSort::MergeRuns(Take take) {
  const size_t room = std::max<size_t>(
      memory_ / kShareOfRun / (runs_.size() * sizeof(SortedTriangle)), 16);
  std::vector<RunReader> readers;
  for (const Run& run : runs_) {
    readers.emplace_back(*file_, run.begin, run.end, room);
  }
  struct Head {
    const SortedTriangle* triangle;
    size_t run;
    bool operator>(const Head& other) const {
      return IsBefore(*other.triangle, *triangle);
    }
  };
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  absl::Status status;
  const auto advance = [&](size_t run) {
    const SortedTriangle* next = readers[run].Next(&status);
    if (next != nullptr) heads.push({next, run});
  };
  for (size_t i = 0; i < readers.size(); ++i) advance(i);
  while (status.ok() && !heads.empty()) {
    const Head head = heads.top();
    heads.pop();
    if (absl::Status s = take(*head.triangle); !s.ok()) return s;
    advance(head.run);
  }
  return status;
}

}  // namespace orbox
