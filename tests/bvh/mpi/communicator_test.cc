// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/communicator.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "tests/bvh/mpi/ranks.h"

namespace orbox {
namespace {

// Messages that MPI was called to send to other ranks, counted by its profiling
// interface.
struct Profile {
  uint64_t messages = 0;
  uint64_t bytes = 0;
  uint64_t largest = 0;
};
Profile profile;

}  // namespace
}  // namespace orbox

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to,
                         int tag, MPI_Comm comm, MPI_Request* request) {
  ++orbox::profile.messages;
  orbox::profile.bytes += static_cast<uint64_t>(count);
  orbox::profile.largest =
      std::max(orbox::profile.largest, static_cast<uint64_t>(count));
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace orbox {
namespace {

TEST(CommunicatorTest, KnowsItsRanks) {
  const Communicator ranks = Ranks();
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(ranks.size(), size);
  EXPECT_GE(ranks.rank(), 0);
  EXPECT_LT(ranks.rank(), size);
  EXPECT_EQ(ranks.traffic(), Traffic{});
}

TEST(CommunicatorTest, AllAgreeWhereAllAreOk) {
  Communicator ranks = Ranks();
  EXPECT_TRUE(ranks.Agree(absl::OkStatus()).ok());
}

TEST(CommunicatorTest, TheLowestRankThatFailedSaysWhy) {
  Communicator ranks = Ranks();
  for (int lowest = 0; lowest < ranks.size(); ++lowest) {
    const absl::Status own =
        ranks.rank() < lowest
            ? absl::OkStatus()
            : absl::NotFoundError("rank " + std::to_string(ranks.rank()));
    const absl::Status all = ranks.Agree(own);
    EXPECT_EQ(all, absl::NotFoundError("rank " + std::to_string(lowest)));
  }
}

TEST(CommunicatorTest, ALongMessageIsCut) {
  Communicator ranks = Ranks();
  const std::string text(2 * Communicator::kMessageBytes, 'x');
  const absl::Status all = ranks.Agree(absl::DataLossError(text));
  EXPECT_EQ(all,
            absl::DataLossError(text.substr(0, Communicator::kMessageBytes)));
}

TEST(CommunicatorTest, FindsWhatDiffers) {
  Communicator ranks = Ranks();
  EXPECT_TRUE(ranks.AgreeOn(7, "k").ok());
  EXPECT_TRUE(ranks.AgreeOn(~uint64_t{0}, "k").ok());
  EXPECT_TRUE(ranks.AgreeOn(0, "k").ok());
  if (ranks.size() == 1) return;
  for (int other = 0; other < ranks.size(); ++other) {
    EXPECT_EQ(ranks.AgreeOn(ranks.rank() == other ? 8 : 7, "k"),
              absl::InvalidArgumentError("the ranks differ in k"));
  }
}

TEST(CommunicatorTest, ReducesAndGathers) {
  Communicator ranks = Ranks();
  const auto rank = static_cast<uint64_t>(ranks.rank());
  const auto size = static_cast<uint64_t>(ranks.size());
  std::vector<uint64_t> numbers = {1, rank, uint64_t{1} << 60};
  ASSERT_TRUE(ranks.Max(numbers).ok());
  EXPECT_EQ(numbers, (std::vector{uint64_t{1}, size - 1, uint64_t{1} << 60}));
  ASSERT_TRUE(ranks.Sum(std::span(numbers).first(2)).ok());
  EXPECT_EQ(numbers[0], size);
  // Beyond what signed numbers reach.
  uint64_t greatest[] = {rank == 0 ? ~uint64_t{400} : 3};
  ASSERT_TRUE(ranks.Max(greatest).ok());
  EXPECT_EQ(greatest[0], ~uint64_t{400});
  std::vector<double> least = {-1.0 * static_cast<double>(rank), 3.5};
  ASSERT_TRUE(ranks.Min(least).ok());
  EXPECT_EQ(least, (std::vector{1.0 - static_cast<double>(size), 3.5}));

  const uint64_t own[] = {rank, rank * rank};
  std::vector<uint64_t> all(2 * size);
  ASSERT_TRUE(ranks
                  .Gather(std::as_bytes(std::span(own)),
                          std::as_writable_bytes(std::span(all)))
                  .ok());
  for (uint64_t r = 0; r < size; ++r) {
    EXPECT_EQ(all[2 * r], r);
    EXPECT_EQ(all[2 * r + 1], r * r);
  }
}

// Rank r sends s bytes to rank s, times `scale`, for any size of the largest
// message. Compares the counts with those of MPI.
void ExchangeAll(uint64_t scale, uint64_t max_message) {
  Communicator ranks = Ranks();
  ranks.set_max_message(max_message);
  const auto size = static_cast<uint64_t>(ranks.size());
  const auto rank = static_cast<uint64_t>(ranks.rank());
  std::vector<uint64_t> counts(size);
  std::vector<std::vector<std::byte>> sent(size);
  uint64_t to_others = 0;
  for (uint64_t to = 0; to < size; ++to) {
    counts[to] = to * scale;
    if (to != rank) to_others += counts[to];
    for (uint64_t i = 0; i < counts[to]; ++i) {
      sent[to].push_back(static_cast<std::byte>(rank + 3 * to + 7 * i));
    }
  }
  std::vector<uint64_t> received(size);
  ASSERT_TRUE(ranks.ExchangeCounts(counts, received).ok());
  EXPECT_EQ(received, std::vector<uint64_t>(size, rank * scale));
  std::vector<std::vector<std::byte>> into(
      size, std::vector<std::byte>(rank * scale));
  const std::vector<std::span<const std::byte>> from_here(sent.begin(),
                                                          sent.end());
  const std::vector<std::span<std::byte>> to_here(into.begin(), into.end());
  profile = {};
  ASSERT_TRUE(ranks.Exchange(from_here, to_here).ok());
  for (uint64_t from = 0; from < size; ++from) {
    for (uint64_t i = 0; i < rank * scale; ++i) {
      ASSERT_EQ(into[from][i], static_cast<std::byte>(from + 3 * rank + 7 * i));
    }
  }
  EXPECT_EQ(ranks.traffic().bytes, profile.bytes);
  EXPECT_EQ(ranks.traffic().bytes, to_others);
  EXPECT_EQ(ranks.traffic().messages, profile.messages);
  EXPECT_LE(profile.largest, max_message);
}

TEST(CommunicatorTest, ExchangesWhatCountsSay) {
  ExchangeAll(0, 1 << 20);
  ExchangeAll(1, 1 << 20);
  ExchangeAll(1000, 1 << 20);
}

// Splits messages at small limits as it splits those beyond 2 GiB.
TEST(CommunicatorTest, SplitsWhatIsTooLarge) {
  ExchangeAll(1000, 1);
  ExchangeAll(1000, 7);
  ExchangeAll(1000, 1000);
  ExchangeAll(1000, 1001);
}

TEST(PhaseTest, WhatIsThrownBecomesAStatusOfAll) {
  Communicator ranks = Ranks();
  for (int failing = 0; failing < ranks.size(); ++failing) {
    const bool fails = ranks.rank() == failing;
    EXPECT_EQ(RunPhase(ranks, "for this",
                       [&] {
                         if (fails) throw std::bad_alloc();
                         return absl::OkStatus();
                       }),
              absl::ResourceExhaustedError("not enough memory for this"));
    EXPECT_EQ(RunPhase(ranks, "for this",
                       [&] {
                         if (fails) throw std::runtime_error("a visitor");
                         return absl::OkStatus();
                       }),
              absl::UnknownError("an exception was thrown: a visitor"));
    EXPECT_EQ(RunPhase(ranks, "for this",
                       [&] {
                         if (fails) throw 7;
                         return absl::OkStatus();
                       }),
              absl::UnknownError("an exception was thrown for this"));
    EXPECT_EQ(RunPhase(ranks, "for this",
                       [&] {
                         std::vector<int> list;
                         if (fails) list.reserve(list.max_size() + 1);
                         return absl::OkStatus();
                       })
                  .code(),
              absl::StatusCode::kResourceExhausted);
  }
  EXPECT_TRUE(
      RunPhase(ranks, "for this", [] { return absl::OkStatus(); }).ok());
}

}  // namespace
}  // namespace orbox
