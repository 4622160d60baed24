// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/phase.h"

#include <algorithm>
#include <array>

namespace orbox {

absl::Status StatusOrCode(absl::StatusCode code, std::string_view text,
                          std::string_view more) {
  std::array<char, Communicator::kMessageBytes> whole{};
  size_t length = std::min(text.size(), whole.size());
  std::copy_n(text.data(), length, whole.data());
  const size_t rest = std::min(more.size(), whole.size() - length);
  std::copy_n(more.data(), rest, whole.data() + length);
  length += rest;
  try {
    return {code, {whole.data(), length}};
  } catch (const std::bad_alloc&) {
    return {code, {}};
  }
}

}  // namespace orbox
