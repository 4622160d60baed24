// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/phase.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace orbox {

absl::Status StatusOrCode(absl::StatusCode code, std::string_view text,
                          std::string_view more) {
  std::array<char, Communicator::kMessageBytes> whole{};
  size_t length = std::min(text.size(), whole.size());
  std::memcpy(whole.data(), text.data(), length);
  const size_t rest = std::min(more.size(), whole.size() - length);
  std::memcpy(whole.data() + length, more.data(), rest);
  length += rest;
  try {
    return {code, {whole.data(), length}};
  } catch (const std::bad_alloc&) {
    return {code, {}};
  }
}

}  // namespace orbox
