// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/end_request.h"

#include "tools/orbox/output/unfinished_file.h"

namespace orbox::cli {
namespace {

std::atomic<bool> is_asked = false;
std::atomic<int> requested_by = 0;
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

extern "C" void RememberSignal(int signal) {
  requested_by = signal;
  is_asked = true;
}

}  // namespace

EndRequest::EndRequest() {
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

EndRequest::~EndRequest() {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
}

const std::atomic<bool>& EndRequest::flag() const { return is_asked; }

void EndRequest::EndIfRequested() const {
  if (is_asked) EndBySignal(requested_by);
}

}  // namespace orbox::cli
