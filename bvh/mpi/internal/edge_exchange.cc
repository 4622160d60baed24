// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/edge_exchange.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForEdges[] = "for the edges between chunks";

uint64_t HashOf(const EdgeBalance& edge) {
  Fingerprint hash("edge");
  // 0 and -0 are one coordinate.
  for (const double x : edge.ends) hash.Add(x + 0.0);
  return hash.value();
}

}  // namespace

absl::Status EdgeExchange::Send() {
  absl::Status status = RunPhase(ranks_, kNoMemoryForEdges, [&]() {
    const auto [begin, end] = tree_.owned();
    const absl::StatusOr<std::vector<EdgeBalance>> own =
        UnpairedOfChunks(tree_.chunks(), begin, end);
    if (!own.ok()) return own.status();
    mail_.emplace(ranks_.size());
    const auto size = static_cast<uint64_t>(ranks_.size());
    for (const EdgeBalance& edge : *own) {
      const auto rank = static_cast<int>(HashOf(edge) % size);
      ByteWriter(&mail_->to(rank)).Put(edge);
    }
    return CheckCancelled(options_);
  });
  if (!status.ok()) return status;
  return mail_->Deliver(ranks_, options_.memory, kNoMemoryForEdges);
}

absl::Status EdgeExchange::Receive() {
  return RunPhase(ranks_, kNoMemoryForEdges, [&] {
    for (int r = 0; r < ranks_.size(); ++r) {
      const std::vector<std::byte>& bytes = mail_->from(r);
      const size_t before = edges_.size();
      edges_.resize(before + bytes.size() / sizeof(EdgeBalance));
      ByteReader(bytes).GetAll(std::span(edges_).subspan(before));
    }
    mail_.reset();
    PairUp(&edges_);
    return absl::OkStatus();
  });
}

absl::Status EdgeExchange::FindFirst(uint64_t* first) {
  const size_t some = options_.memory / 4 / sizeof(EdgeBalance) /
                          static_cast<size_t>(ranks_.size()) +
                      1;
  std::array<uint64_t, 1> most = {edges_.size()};
  absl::Status status = ranks_.Max(most);
  std::vector<std::byte> bytes;
  for (size_t begin = 0; status.ok() && begin < most[0]; begin += some) {
    const std::span<const EdgeBalance> left =
        std::span(edges_).subspan(std::min(begin, edges_.size()));
    status = join_.Run(ranks_,
                       std::as_bytes(left.first(std::min(some, left.size()))),
                       kNoMemoryForEdges, &bytes);
    if (!status.ok()) return status;
    status = RunPhase(ranks_, kNoMemoryForEdges, [&] {
      std::vector<EdgeBalance> all(bytes.size() / sizeof(EdgeBalance));
      ByteReader(bytes).GetAll<EdgeBalance>(all);
      PairUp(&all);
      const auto [from, to] = tree_.owned();
      const absl::StatusOr<uint64_t> lowest =
          LowestAtEdges(tree_.chunks(), from, to, all, *first);
      if (lowest.ok()) *first = *lowest;
      return lowest.ok() ? CheckCancelled(options_) : lowest.status();
    });
  }
  return status;
}

absl::Status EdgeExchange::Find(UnpairedEdges* edges) {
  absl::Status status = ranks_.AgreeOn(
      Fingerprint("edges").Add(tree_.chunks()).Add(options_).value(),
      "the arguments");
  if (status.ok()) {
    status = RunPhase(ranks_, kNoMemoryForEdges,
                      [&] { return CheckOptions(options_); });
  }
  if (status.ok()) status = Send();
  if (status.ok()) status = Receive();
  if (!status.ok()) return status;
  const UnpairedEdges own = CountUnpaired(edges_);
  std::array<uint64_t, 2> counts = {own.open, own.unequal};
  status = ranks_.Sum(counts);
  if (!status.ok()) return status;
  *edges = {counts[0], counts[1], 0};
  if (counts[0] + counts[1] == 0) return absl::OkStatus();
  uint64_t first = std::numeric_limits<uint64_t>::max();
  status = FindFirst(&first);
  if (!status.ok()) return status;
  // The lowest id of all ranks.
  std::array<uint64_t, 1> highest = {~first};
  status = ranks_.Max(highest);
  edges->first = ~highest[0];
  return status;
}

absl::StatusOr<UnpairedEdges> UnpairedEdgesOf(
    const DistributedTree& tree, const DistributedOptions& options) {
  UnpairedEdges edges;
  absl::Status status = EdgeExchange(tree, options).Find(&edges);
  if (!status.ok()) return status;
  tree.chunks().Remember(FacesBy(edges));
  return edges;
}

// Ranks find the edges together if one of them does not know the result.
absl::StatusOr<ChunkedTree::Faces> FacesOf(const DistributedTree& tree,
                                           const DistributedOptions& options) {
  const std::optional<ChunkedTree::Faces> known = tree.chunks().known_faces();
  uint64_t is_unknown[] = {known.has_value() ? uint64_t{0} : uint64_t{1}};
  absl::Status status = tree.ranks().Max(is_unknown);
  if (!status.ok()) return status;
  if (is_unknown[0] == 0) return *known;
  const absl::StatusOr<UnpairedEdges> edges = UnpairedEdgesOf(tree, options);
  if (!edges.ok()) return edges.status();
  return FacesBy(*edges);
}

}  // namespace orbox
