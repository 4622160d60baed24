// Numbers that people typed or that files hold, read strictly.
//
//   absl::StatusOr<double> x = ParseReal("-1.5e3");
//   absl::StatusOr<std::vector<double>> ball = ParseReals("0,0,1,0.5", 4);
//
// The whole text has to be a finite number; spaces around it are skipped. The
// errors say what is wrong with the text and leave it to the caller to say
// where it stands.
#ifndef ORBOX_TOOLS_ORBOX_NUMBERS_H_
#define ORBOX_TOOLS_ORBOX_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace orbox::cli {

absl::StatusOr<double> ParseReal(std::string_view text);

// Each part as a number.
absl::StatusOr<std::vector<double>> ParseEach(
    std::span<const std::string_view> parts);

// `count` numbers between commas.
absl::StatusOr<std::vector<double>> ParseReals(std::string_view text,
                                               size_t count);

// A whole number in [min, max].
absl::StatusOr<uint64_t> ParseCount(std::string_view text, uint64_t min,
                                    uint64_t max);

// Whether `text` was meant as a number: it reads as one that may be infinite,
// not a number, or beyond the range of double.
bool LooksLikeNumber(std::string_view text);

std::string_view TrimSpaces(std::string_view text);

// The parts between commas, trimmed; one empty part where `text` is empty.
std::vector<std::string_view> SplitAtCommas(std::string_view text);

// The same, where spaces between two numbers part them as a comma does.
std::vector<std::string_view> SplitAtCommasOrSpaces(std::string_view text);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_NUMBERS_H_
