// SPDX-License-Identifier: Apache-2.0

// The inputs that a fuzzer starts from, or once failed on.
#ifndef ORBOX_TESTS_FUZZ_FOR_EACH_INPUT_H_
#define ORBOX_TESTS_FUZZ_FOR_EACH_INPUT_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <type_traits>

#include "gtest/gtest.h"
#include "tests/support/scratch_directory.h"

namespace orbox {

// Calls check(input), or check(input, nullptr) where it would measure costs
// (cost_per_byte.h), with each input in the folder `fuzzer` of `corpus`;
// returns how many there are.
template <typename Check>
size_t ForEachInput(const std::filesystem::path& corpus,
                    const std::string& fuzzer, Check check) {
  size_t inputs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(corpus / fuzzer)) {
    SCOPED_TRACE(entry.path().string());
    const std::string input = ScratchDirectory::Read(entry.path().string());
    if constexpr (std::is_invocable_v<Check, const std::string&>) {
      check(input);
    } else {
      check(input, nullptr);
    }
    ++inputs;
  }
  return inputs;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_FOR_EACH_INPUT_H_
