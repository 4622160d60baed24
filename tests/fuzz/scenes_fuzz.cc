// SPDX-License-Identifier: Apache-2.0

// Feeds scenes and broad phases with bodies and frames made of the bytes.
#include "tests/fuzz/scenes_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzScenes(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
