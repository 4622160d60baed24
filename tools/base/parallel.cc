// SPDX-License-Identifier: Apache-2.0

#include "tools/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace orbox::tools {

size_t DefaultThreads() {
  return std::max(1U, std::thread::hardware_concurrency());
}

void ParallelFor(size_t count, size_t threads,
                 absl::FunctionRef<void(size_t item, size_t worker)> work) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&](size_t worker) {
    try {
      for (size_t item = next++; item < count; item = next++) {
        work(item, worker);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  const size_t workers = std::min(threads, count);
  helpers.reserve(workers);
  for (size_t worker = 1; worker < workers; ++worker) {
    try {
      helpers.emplace_back(run, worker);
    } catch (const std::system_error&) {
      break;  // Fewer threads than requested do all of the work.
    }
  }
  run(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace orbox::tools
