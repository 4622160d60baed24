// SPDX-License-Identifier: Apache-2.0

// Feeds the reader of scenes with the inputs of libFuzzer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/scene_text_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static orbox::CostPerByte costs;
  orbox::FuzzSceneFile(
      std::string_view(reinterpret_cast<const char*>(data), size), &costs);
  return 0;
}
