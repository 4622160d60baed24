// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/corner_exchange.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

namespace {

constexpr char kForCorners[] = "for the corners of a file";

}  // namespace

CornerExchange::CornerExchange(Communicator& ranks,
                               const mesh_internal::MeshRecords& file,
                               size_t memory)
    : ranks_(ranks),
      file_(file),
      own_(OwnedChunks(file.vertex_count(), ranks.size(), ranks.rank())),
      requests_(ranks.size()),
      replies_(ranks.size()) {
  const uint64_t blocks =
      (own_.second + kBlock - 1) / kBlock - own_.first / kBlock;
  // Half of the memory is for messages.
  const uint64_t most = memory / 2 / (kBlock * sizeof(Vec3));
  blocks_.resize(std::clamp<uint64_t>(blocks, 1, std::max<uint64_t>(most, 1)));
}

size_t CornerExchange::TrianglesAtOnce(int ranks, size_t memory) {
  // A corner is an index and a vertex. A triangle has three of them, which are
  // named, requested and found here; the other ranks request as many. Lists may
  // have twice their size.
  constexpr size_t kCorner = sizeof(uint32_t) + sizeof(Vec3);
  const size_t bytes = 2 * 3 * kCorner * (static_cast<size_t>(ranks) + 2);
  return std::max<size_t>(memory / 2 / bytes, 16);
}

absl::Status CornerExchange::Load(bool* is_regular) {
  Vec3 unused;
  for (uint64_t v = own_.first; v < own_.second && *is_regular;
       v += kBlock - v % kBlock) {
    absl::Status status = Vertex(v, &unused, is_regular);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CornerExchange::Vertex(uint64_t vertex, Vec3* position,
                                    bool* is_regular) {
  const uint64_t number = vertex / kBlock;
  const uint64_t begin = std::max<uint64_t>(number * kBlock, own_.first);
  Block& block = blocks_[number % blocks_.size()];
  if (block.number != number) {
    block.number = ~uint64_t{0};
    block.vertices.clear();
    const uint64_t end = std::min<uint64_t>((number + 1) * kBlock, own_.second);
    block.vertices.reserve(end - begin);
    const absl::StatusOr<bool> read =
        file_.ReadVertices(begin, end, &block.vertices);
    if (!read.ok()) return read.status();
    *is_regular = *read;
    if (!*read) return absl::OkStatus();
    block.number = number;
  }
  *position = block.vertices[vertex - begin];
  return absl::OkStatus();
}

absl::Status CornerExchange::SendRequests(
    const std::vector<TriangleIndices>& indices) {
  requests_.Clear();
  replies_.Clear();
  wanted_.clear();
  wanted_.reserve(3 * indices.size());
  for (const TriangleIndices& t : indices) {
    wanted_.insert(wanted_.end(), t.begin(), t.end());
  }
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  auto next = wanted_.begin();
  for (int r = 0; r < ranks_.size(); ++r) {
    const size_t end =
        OwnedChunks(file_.vertex_count(), ranks_.size(), r).second;
    const auto last = std::lower_bound(next, wanted_.end(), end);
    ByteWriter(&requests_.to(r)).PutAll<uint32_t>(std::span(next, last));
    next = last;
  }
  return absl::OkStatus();
}

absl::Status CornerExchange::Reply() {
  for (int r = 0; r < ranks_.size(); ++r) {
    ByteReader request(requests_.from(r));
    replies_.to(r).reserve(requests_.from(r).size() / sizeof(uint32_t) *
                           sizeof(Vec3));
    ByteWriter out(&replies_.to(r));
    while (!request.empty()) {
      Vec3 position;
      bool is_regular = true;
      const absl::Status status =
          Vertex(request.Get<uint32_t>(), &position, &is_regular);
      if (!status.ok()) return status;
      if (!is_regular) {
        return absl::UnavailableError(
            "a mesh file has changed while it was read");
      }
      out.Put(position);
    }
  }
  return absl::OkStatus();
}

absl::Status CornerExchange::Find(const std::vector<TriangleIndices>& indices,
                                  std::vector<Triangle>* triangles) {
  constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();
  absl::Status status =
      RunPhase(ranks_, kForCorners, [&] { return SendRequests(indices); });
  if (status.ok()) status = requests_.Deliver(ranks_, kAny, kForCorners);
  if (status.ok()) {
    status = RunPhase(ranks_, kForCorners, [&] { return Reply(); });
  }
  if (status.ok()) status = replies_.Deliver(ranks_, kAny, kForCorners);
  if (!status.ok()) return status;
  return RunPhase(ranks_, kForCorners, [&] {
    Join(indices, triangles);
    return absl::OkStatus();
  });
}

// Vertices arrive in the order of ranks, which is that of `wanted_`.
void CornerExchange::Join(const std::vector<TriangleIndices>& indices,
                          std::vector<Triangle>* triangles) const {
  std::vector<Vec3> found(wanted_.size());
  std::span<Vec3> rest(found);
  for (int r = 0; r < ranks_.size(); ++r) {
    const size_t count = replies_.from(r).size() / sizeof(Vec3);
    ByteReader(replies_.from(r)).GetAll<Vec3>(rest.first(count));
    rest = rest.subspan(count);
  }
  const auto corner = [&](uint32_t vertex) {
    return found[static_cast<size_t>(
        std::lower_bound(wanted_.begin(), wanted_.end(), vertex) -
        wanted_.begin())];
  };
  triangles->clear();
  triangles->reserve(indices.size());
  for (const TriangleIndices& t : indices) {
    triangles->push_back({corner(t[0]), corner(t[1]), corner(t[2])});
  }
}

}  // namespace orbox
