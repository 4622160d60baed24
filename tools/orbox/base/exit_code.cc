// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/base/exit_code.h"

#include "absl/strings/cord.h"

namespace orbox::cli {
namespace {

// Payloads mark errors, because the library may use any of absl's codes.
constexpr char kUsagePayload[] = "orbox/usage";
constexpr char kReaderGonePayload[] = "orbox/reader-gone";

constexpr ExitCodeMeaning kMeanings[] = {
    {ExitCode::kOk, "done"},
    {ExitCode::kLook,
     "something to look at, where --exit-code or --expect asked for it"},
    {ExitCode::kUsage, "a wrong command line"},
    {ExitCode::kBadInput, "bad input: files missing, or their content wrong"},
    {ExitCode::kIo, "a read or write that failed, or memory that ran out"},
};

}  // namespace

std::span<const ExitCodeMeaning> ExitCodeMeanings() { return kMeanings; }

absl::Status UsageError(const std::string& message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsagePayload, absl::Cord("1"));
  return status;
}

bool IsUsageError(const absl::Status& status) {
  return status.GetPayload(kUsagePayload).has_value();
}

absl::Status ReaderGone() {
  absl::Status status =
      absl::UnavailableError("nobody reads standard output any more");
  status.SetPayload(kReaderGonePayload, absl::Cord("1"));
  return status;
}

bool IsReaderGone(const absl::Status& status) {
  return status.GetPayload(kReaderGonePayload).has_value();
}

ExitCode ExitCodeOf(const absl::Status& error) {
  if (IsReaderGone(error)) return ExitCode::kReaderGone;
  if (IsUsageError(error)) return ExitCode::kUsage;
  switch (error.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kUnimplemented:
      return ExitCode::kBadInput;
    default:
      return ExitCode::kIo;
  }
}

}  // namespace orbox::cli
