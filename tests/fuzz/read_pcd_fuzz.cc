// SPDX-License-Identifier: Apache-2.0

// Feeds the reader of PCD files with the inputs of libFuzzer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/pcd_points_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzPcd(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
