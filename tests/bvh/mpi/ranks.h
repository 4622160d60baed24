// SPDX-License-Identifier: Apache-2.0

// Helpers for tests on several ranks.
//
//   Communicator ranks = Ranks();
//   SharedTree soup(ranks, mesh, /*chunk_triangles=*/16);
//   auto near = ClosestPoint(soup.Open(), points);
//   EXPECT_EQ(Joined(ranks, part), whole);
#ifndef ORBOX_TESTS_BVH_MPI_RANKS_H_
#define ORBOX_TESTS_BVH_MPI_RANKS_H_

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "tests/support/scratch_directory.h"

namespace orbox {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A communicator over all ranks, for as long as a test runs.
inline Communicator Ranks() {
  absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
  EXPECT_TRUE(ranks.ok()) << ranks.status();
  return *std::move(ranks);
}

// A folder that all ranks see, which vanishes with it.
class SharedDirectory {
 public:
  explicit SharedDirectory(Communicator& ranks) : ranks_(ranks) {
    std::array<char, 512> path{};
    if (ranks.rank() == 0) {
      own_.emplace();
      const std::string name = own_->Path("");
      std::memcpy(path.data(), name.data(), name.size());
    }
    EXPECT_TRUE(
        ranks.Broadcast(std::as_writable_bytes(std::span(path)), 0).ok());
    path_ = path.data();
  }
  // Only when nobody needs it any more.
  ~SharedDirectory() { EXPECT_TRUE(ranks_.Agree(absl::OkStatus()).ok()); }

  std::string Path(const std::string& name) const { return path_ + name; }

 private:
  Communicator& ranks_;
  std::optional<ScratchDirectory> own_;  // on rank 0
  std::string path_;
};

// A mesh in chunks, in files that all ranks see, and as one tree in memory.
class SharedTree {
 public:
  SharedTree(Communicator& ranks, const Mesh& mesh, size_t chunk_triangles)
      : ranks_(ranks), folder_(ranks), whole_(Build(mesh).value()) {
    absl::Status status;
    if (ranks.rank() == 0) {
      const std::string files[] = {folder_.Path("mesh.off")};
      status = WriteMeshFile(mesh, files[0]);
      EXPECT_TRUE(status.ok()) << status;
      status = BuildChunked(files, path(), {.chunk_triangles = chunk_triangles})
                   .status();
    }
    status = ranks.Agree(status);
    EXPECT_TRUE(status.ok()) << status;
  }

  std::string path() const { return folder_.Path("mesh.orboxd"); }
  const Tree& whole() const { return whole_; }
  DistributedTree Open() const {
    absl::StatusOr<DistributedTree> tree =
        DistributedTree::Open(ranks_, path());
    EXPECT_TRUE(tree.ok()) << tree.status();
    return *std::move(tree);
  }

 private:
  Communicator& ranks_;
  SharedDirectory folder_;
  Tree whole_;
};

// Every size()-th of all, from this rank's number on: the queries of a rank.
template <typename T>
std::vector<T> OwnShare(const Communicator& ranks, const std::vector<T>& all) {
  std::vector<T> own;
  for (size_t i = ranks.rank(); i < all.size(); i += ranks.size()) {
    own.push_back(all[i]);
  }
  return own;
}

// The parts of all ranks, in their order.
template <typename T>
std::vector<T> Joined(Communicator& ranks, const std::vector<T>& part) {
  const auto size = static_cast<size_t>(ranks.size());
  const std::vector<uint64_t> counts(size, part.size());
  std::vector<uint64_t> received(size);
  EXPECT_TRUE(ranks.ExchangeCounts(counts, received).ok());
  size_t total = 0;
  for (const uint64_t count : received) total += count;
  std::vector<T> all(total);
  std::vector<std::span<const std::byte>> sent(
      size, std::as_bytes(std::span<const T>(part)));
  std::vector<std::span<std::byte>> into;
  std::span<T> rest(all);
  for (const uint64_t count : received) {
    into.push_back(std::as_writable_bytes(rest.first(count)));
    rest = rest.subspan(count);
  }
  EXPECT_TRUE(ranks.Exchange(sent, into).ok());
  return all;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_BVH_MPI_RANKS_H_
