// SPDX-License-Identifier: Apache-2.0

// Finds inputs that take a reader far longer, byte for byte, than others do,
// for example quadratic time. The fuzzers of readers use it to measure time if
// ORBOX_FUZZ_COSTS is set; tests and CI do not set it.
//
//   static CostPerByte costs;
//   const auto mesh =
//       CostPerByte::With(&costs, bytes, [&] { return ReadMesh(bytes, ...); });
#ifndef ORBOX_TESTS_FUZZ_COST_PER_BYTE_H_
#define ORBOX_TESTS_FUZZ_COST_PER_BYTE_H_

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/require.h"

namespace orbox {

// The text with its nth line repeated `times` times in a row. A word at the
// line's end that is a name gets a number, so that no two names are the same.
// Quadratic cost shows only in long files, and fuzzers make short ones.
std::string WithLineRepeated(std::string_view text, size_t nth, size_t times);

class CostPerByte {
 public:
  // An input may cost this many times the median of those that are accepted.
  static constexpr double kMost = 50;

  // In seconds; by default those of the processor, or no time at all.
  explicit CostPerByte(std::function<double()> clock = ProcessorSeconds)
      : clock_(std::move(clock)) {}

  // Returns the result of read(), which has an ok(). Ends the process if it
  // takes too long for this many bytes, each of three times.
  template <typename Read>
  auto Of(std::string_view bytes, Read read) {
    double start = clock_();
    auto result = read();
    double cost = clock_() - start;
    for (int again = 0; again < 2 && IsTooMuch(cost, bytes.size()); ++again) {
      start = clock_();
      (void)read();
      cost = std::min(cost, clock_() - start);
    }
    Require(!IsTooMuch(cost, bytes.size()),
            "no input takes more than 50 times the median per byte");
    if (result.ok()) Add(cost / static_cast<double>(Counted(bytes.size())));
    return result;
  }

  // Like the function above; if `costs` is null, only returns the result of
  // read().
  template <typename Read>
  static auto With(CostPerByte* costs, std::string_view bytes, Read read) {
    return costs == nullptr ? read() : costs->Of(bytes, read);
  }

  // For some inputs, chosen by their bytes, the same with one of their lines
  // ten thousand times: read(longer) returns a status, and only the time that
  // it takes matters.
  template <typename Read>
  void OfSomeLonger(std::string_view bytes, Read read) {
    const size_t choice = std::hash<std::string_view>()(bytes);
    if (choice % 64 != 0) return;
    const auto lines =
        static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    constexpr size_t kTimes = 10'000;
    const std::string longer =
        WithLineRepeated(bytes, choice / 64 % (lines + 1), kTimes);
    Of(longer, [&] { return read(longer); }).IgnoreError();
  }

  // Returns true if `seconds` are too many; false until there is a median.
  bool IsTooMuch(double seconds, size_t bytes) const {
    // Less than that may be a page fault.
    constexpr double kShort = 0.005;
    return seconds > kShort && median_ > 0 &&
           seconds > kMost * median_ * static_cast<double>(Counted(bytes));
  }

  static double ProcessorSeconds() {
    static const bool kIsWanted = std::getenv("ORBOX_FUZZ_COSTS") != nullptr;
    if (!kIsWanted) return 0;
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  }

 private:
  // Work that is done once for each input counts as some bytes.
  static size_t Counted(size_t bytes) { return bytes + 256; }

  void Add(double cost) {
    constexpr size_t kSamples = 1001;
    constexpr size_t kFirst = 100;
    costs_.push_back(cost);
    if (median_ == 0 ? costs_.size() < kFirst : costs_.size() < kSamples) {
      return;
    }
    const auto middle =
        costs_.begin() + static_cast<ptrdiff_t>(costs_.size() / 2);
    std::nth_element(costs_.begin(), middle, costs_.end());
    median_ = *middle;
    if (costs_.size() >= kSamples) costs_.clear();
  }

  std::function<double()> clock_;
  std::vector<double> costs_;  // since the last median
  double median_ = 0;
};

// Implementation.

inline std::string WithLineRepeated(std::string_view text, size_t nth,
                                    size_t times) {
  size_t begin = 0;
  for (size_t end; nth > 0 && (end = text.find('\n', begin)) != text.npos;
       --nth) {
    begin = end + 1;
  }
  const std::string_view line =
      text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const bool is_name =
      !line.empty() && std::isalpha(static_cast<unsigned char>(line.back()));
  std::string longer(text.substr(0, begin));
  for (size_t i = 0; i < times; ++i) {
    longer += line;
    if (is_name) longer += std::to_string(i);
    longer += '\n';
  }
  longer += text.substr(begin);
  return longer;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_COST_PER_BYTE_H_
