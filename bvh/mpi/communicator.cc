// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/communicator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orbox {

namespace {

// A status without memory of its own, in the form in which it is sent.
struct SentStatus {
  int32_t code = 0;
  uint32_t length = 0;
  std::array<char, Communicator::kMessageBytes> text{};
};

SentStatus Sent(const absl::Status& status) {
  SentStatus sent;
  sent.code = static_cast<int32_t>(status.code());
  const auto message = status.message();
  sent.length = static_cast<uint32_t>(
      std::min(message.size(), Communicator::kMessageBytes));
  std::copy_n(message.data(), sent.length, sent.text.data());
  return sent;
}

// Makes a status, whose message takes memory. If memory runs out, the status
// has only the code.
absl::Status Made(absl::StatusCode code, const char* text, size_t length) {
  try {
    return {code, {text, length}};
  } catch (const std::bad_alloc&) {
    return {code, {}};
  }
}

absl::Status Received(const SentStatus& sent) {
  return Made(static_cast<absl::StatusCode>(sent.code), sent.text.data(),
              sent.length);
}

// Converts a return code of MPI to a status with MPI's text.
absl::Status StatusOf(int code, const char* call) {
  if (code == MPI_SUCCESS) return absl::OkStatus();
  std::array<char, MPI_MAX_ERROR_STRING + 64> text{};
  size_t length = std::min<size_t>(std::strlen(call), 32);
  std::memcpy(text.data(), call, length);
  std::memcpy(text.data() + length, ": ", 2);
  length += 2;
  int more = 0;
  if (MPI_Error_string(code, text.data() + length, &more) == MPI_SUCCESS) {
    length += static_cast<size_t>(more);
  }
  return Made(absl::StatusCode::kUnavailable, text.data(), length);
}

constexpr int kTag = 1;

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  messages += other.messages;
  bytes += other.bytes;
  received_bytes += other.received_bytes;
  collectives += other.collectives;
  reduced_bytes += other.reduced_bytes;
  peak_bytes = std::max(peak_bytes, other.peak_bytes);
  return *this;
}

struct Communicator::State {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  uint64_t max_message = uint64_t{1} << 30;
  Traffic traffic;
  // Two for each rank, allocated before anything is posted.
  std::vector<MPI_Request> requests;

  ~State() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (comm != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&comm);
  }

  void CountCollective(size_t bytes) {
    ++traffic.collectives;
    traffic.reduced_bytes += bytes;
  }

  // Calls MPI_Allreduce in pieces whose size fits into an int.
  absl::Status Reduce(void* numbers, size_t count, size_t number_bytes,
                      MPI_Datatype type, MPI_Op op) {
    constexpr size_t kPiece = size_t{1} << 20;
    for (size_t begin = 0; begin < count; begin += kPiece) {
      const size_t piece = std::min(kPiece, count - begin);
      CountCollective(piece * number_bytes);
      const absl::Status status = StatusOf(
          MPI_Allreduce(MPI_IN_PLACE,
                        static_cast<char*>(numbers) + begin * number_bytes,
                        static_cast<int>(piece), type, op, comm),
          "MPI_Allreduce");
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }
};

Communicator::Communicator(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
Communicator::~Communicator() = default;
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;

absl::StatusOr<Communicator> Communicator::Create(MPI_Comm parent) {
  int running = 0;
  int over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0 || over != 0) {
    return absl::FailedPreconditionError(
        "MPI is not running: call MPI_Init first");
  }
  // Ranks agree that memory suffices before they communicate.
  std::unique_ptr<State> state;
  int size = 0;
  absl::Status status = StatusOf(MPI_Comm_size(parent, &size), "MPI_Comm_size");
  if (!status.ok()) return status;
  int has_memory = 1;
  try {
    state = std::make_unique<State>();
    state->requests.resize(2 * static_cast<size_t>(size));
  } catch (const std::bad_alloc&) {
    has_memory = 0;
  }
  status = StatusOf(
      MPI_Allreduce(MPI_IN_PLACE, &has_memory, 1, MPI_INT, MPI_MIN, parent),
      "MPI_Allreduce");
  if (!status.ok()) return status;
  if (has_memory == 0) {
    constexpr std::string_view kText = "not enough memory for a communicator";
    return Made(absl::StatusCode::kResourceExhausted, kText.data(),
                kText.size());
  }
  status = StatusOf(MPI_Comm_dup(parent, &state->comm), "MPI_Comm_dup");
  if (!status.ok()) return status;
  state->size = size;
  status = StatusOf(MPI_Comm_rank(state->comm, &state->rank), "MPI_Comm_rank");
  if (!status.ok()) return status;
  // Return codes give the error; by default, an error would end the program.
  status = StatusOf(MPI_Comm_set_errhandler(state->comm, MPI_ERRORS_RETURN),
                    "MPI_Comm_set_errhandler");
  if (!status.ok()) return status;
  return Communicator(std::move(state));
}

int Communicator::rank() const { return state_->rank; }
int Communicator::size() const { return state_->size; }
const Traffic& Communicator::traffic() const { return state_->traffic; }
void Communicator::set_max_message(uint64_t bytes) {
  // MPI counts the bytes of a message in an int.
  state_->max_message = std::clamp<uint64_t>(bytes, 1, (uint64_t{1} << 31) - 1);
}

absl::Status Communicator::Agree(const absl::Status& own) {
  int lowest = own.ok() ? state_->size : state_->rank;
  state_->CountCollective(sizeof lowest);
  absl::Status status = StatusOf(
      MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, state_->comm),
      "MPI_Allreduce");
  if (!status.ok() || lowest == state_->size) return status;
  SentStatus sent = Sent(own);
  status = Broadcast(std::as_writable_bytes(std::span(&sent, 1)), lowest);
  return status.ok() ? Received(sent) : status;
}

absl::Status Communicator::AgreeOn(uint64_t number, const char* what) {
  // The maximum, and the complement of the minimum.
  std::array<uint64_t, 2> extremes = {number, ~number};
  const absl::Status status = Max(extremes);
  if (!status.ok() || extremes[0] == ~extremes[1]) return status;
  std::array<char, 128> text{};
  constexpr std::string_view kBegin = "the ranks differ in ";
  const size_t length =
      std::min(std::strlen(what), text.size() - kBegin.size());
  std::memcpy(text.data(), kBegin.data(), kBegin.size());
  std::memcpy(text.data() + kBegin.size(), what, length);
  return Made(absl::StatusCode::kInvalidArgument, text.data(),
              kBegin.size() + length);
}

absl::Status Communicator::Sum(std::span<uint64_t> numbers) {
  return state_->Reduce(numbers.data(), numbers.size(), sizeof(uint64_t),
                        MPI_UINT64_T, MPI_SUM);
}
absl::Status Communicator::Max(std::span<uint64_t> numbers) {
  // MPICH 4.0.2 compares unsigned numbers as signed ones. So signed numbers of
  // equal order are sent.
  constexpr uint64_t kTop = uint64_t{1} << 63;
  for (uint64_t& number : numbers) number ^= kTop;
  const absl::Status status = state_->Reduce(
      numbers.data(), numbers.size(), sizeof(uint64_t), MPI_INT64_T, MPI_MAX);
  for (uint64_t& number : numbers) number ^= kTop;
  return status;
}
absl::Status Communicator::Min(std::span<double> numbers) {
  return state_->Reduce(numbers.data(), numbers.size(), sizeof(double),
                        MPI_DOUBLE, MPI_MIN);
}

absl::Status Communicator::Gather(std::span<const std::byte> own,
                                  std::span<std::byte> all) {
  state_->CountCollective(own.size());
  const int count = static_cast<int>(own.size());
  return StatusOf(MPI_Allgather(own.data(), count, MPI_BYTE, all.data(), count,
                                MPI_BYTE, state_->comm),
                  "MPI_Allgather");
}

absl::Status Communicator::Broadcast(std::span<std::byte> bytes, int root) {
  while (!bytes.empty()) {
    const size_t piece = std::min<size_t>(bytes.size(), state_->max_message);
    state_->CountCollective(piece);
    const absl::Status status =
        StatusOf(MPI_Bcast(bytes.data(), static_cast<int>(piece), MPI_BYTE,
                           root, state_->comm),
                 "MPI_Bcast");
    if (!status.ok()) return status;
    bytes = bytes.subspan(piece);
  }
  return absl::OkStatus();
}

absl::Status Communicator::ExchangeCounts(std::span<const uint64_t> counts,
                                          std::span<uint64_t> received) {
  state_->CountCollective(counts.size_bytes());
  return StatusOf(MPI_Alltoall(counts.data(), 1, MPI_UINT64_T, received.data(),
                               1, MPI_UINT64_T, state_->comm),
                  "MPI_Alltoall");
}

absl::Status Communicator::Exchange(
    std::span<const std::span<const std::byte>> sent,
    std::span<const std::span<std::byte>> received) {
  State& state = *state_;
  const uint64_t most = state.max_message;
  uint64_t under_way = 0;
  for (int r = 0; r < state.size; ++r) {
    if (r == state.rank) continue;
    state.traffic.bytes += sent[r].size();
    state.traffic.messages += (sent[r].size() + most - 1) / most;
    state.traffic.received_bytes += received[r].size();
    under_way += sent[r].size() + received[r].size();
  }
  state.traffic.peak_bytes = std::max(state.traffic.peak_bytes, under_way);
  std::copy(sent[state.rank].begin(), sent[state.rank].end(),
            received[state.rank].begin());
  // Round k sends piece k of each message. Both ranks know the number of
  // pieces, so none has to wait for all others.
  for (uint64_t done = 0;; done += most) {
    int posted = 0;
    absl::Status status;
    const auto post = [&](auto place, uint64_t size, auto call,
                          const char* name, int other) {
      if (size <= done || other == state.rank || !status.ok()) return;
      const int piece = static_cast<int>(std::min(size - done, most));
      status = StatusOf(call(place + done, piece, MPI_BYTE, other, kTag,
                             state.comm, &state.requests[posted]),
                        name);
      if (status.ok()) ++posted;
    };
    for (int r = 0; r < state.size; ++r) {
      post(received[r].data(), received[r].size(), MPI_Irecv, "MPI_Irecv", r);
    }
    for (int r = 0; r < state.size; ++r) {
      post(sent[r].data(), sent[r].size(), MPI_Isend, "MPI_Isend", r);
    }
    if (!status.ok() || posted == 0) return status;
    status = StatusOf(
        MPI_Waitall(posted, state.requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    if (!status.ok()) return status;
  }
}

}  // namespace orbox
