// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/asked_to_end.h"

#include "tools/orbox/unfinished_file.h"

namespace orbox::cli {
namespace {

std::atomic<bool> is_asked = false;
std::atomic<int> asked_by = 0;
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

extern "C" void RememberSignal(int signal) {
  asked_by = signal;
  is_asked = true;
}

}  // namespace

AskedToEnd::AskedToEnd() {
  is_asked = false;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = RememberSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(kSignals[i], &action, nullptr);
  }
}

AskedToEnd::~AskedToEnd() {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
}

const std::atomic<bool>& AskedToEnd::flag() const { return is_asked; }

void AskedToEnd::EndIfAsked() const {
  if (is_asked) EndBySignal(asked_by);
}

}  // namespace orbox::cli
