// SPDX-License-Identifier: Apache-2.0

// Reads numbers from the command line or from files, strictly.
//
//   absl::StatusOr<double> x = ParseReal("-1.5e3");
//   absl::StatusOr<std::vector<double>> ball = ParseReals("0,0,1,0.5", 4);
//
// The whole text must be a finite number. Spaces around it are ignored. Errors
// describe the fault. The caller adds the position.
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_NUMBERS_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace orbox::cli {

absl::StatusOr<double> ParseReal(std::string_view text);

// Parses each part as a number.
absl::StatusOr<std::vector<double>> ParseEach(
    std::span<const std::string_view> parts);

// Parses numbers that are separated by commas, semicolons, tabs or spaces.
// Commas and semicolons may not be mixed.
absl::StatusOr<std::vector<double>> ParseReals(std::string_view text);

// Requires exactly `count` numbers.
absl::StatusOr<std::vector<double>> ParseReals(std::string_view text,
                                               size_t count);

// Parses a whole number in [min, max].
absl::StatusOr<uint64_t> ParseCount(std::string_view text, uint64_t min,
                                    uint64_t max);

// Parses a number of bytes: a whole number other than 0, optionally followed by
// K, M, G or T for powers of 1024.
absl::StatusOr<uint64_t> ParseSize(std::string_view text);

// Returns true if `text` is intended as a number. It may be infinite, NaN, or
// beyond the range of double.
bool LooksLikeNumber(std::string_view text);

std::string_view TrimSpaces(std::string_view text);

// Returns the parts between commas, trimmed; one empty part if `text` is empty.
std::vector<std::string_view> SplitAtCommas(std::string_view text);

// Returns the parts between commas, semicolons, tabs or runs of spaces,
// trimmed. Spaces and tabs next to a comma or semicolon belong to it. Between
// two consecutive commas, semicolons or tabs, there is an empty part, which
// stands for a missing number.
std::vector<std::string_view> SplitCells(std::string_view text);

// Returns an error for rows with both commas and semicolons, which may be
// numbers with decimal commas.
absl::Status CheckSeparators(std::string_view text);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_NUMBERS_H_
