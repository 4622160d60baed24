// SPDX-License-Identifier: Apache-2.0

// Random bytes for what a fuzzer calls. A build without sanitizers runs
// hundreds of times as many as libFuzzer does: it looks for new paths, this for
// numbers that are seldom.
//
//   EXPECT_GT(FeedRandomBytes("mesh_pairs", FuzzMeshPairs), 0u);
//
//   env ORBOX_FUZZ_SECONDS=600 ORBOX_FUZZ_SEED=7
//       build/release/tests/fuzz_corpus_test --gtest_filter='*RandomBytes*'
#ifndef ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_
#define ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/support/meshes.h"

namespace orbox {

// Calls `feed` with one input after another, for a second of processor time or
// ORBOX_FUZZ_SECONDS; returns how many it were. Where the process ends in one,
// its bytes are in `failed-NAME` in the working folder.
size_t FeedRandomBytes(const std::string& name, void (*feed)(std::string_view));

// Implementation.

// Writes the input at hand to a file where a signal ends the process.
class InputKeeper {
 public:
  explicit InputKeeper(const std::string& file) {
    file_ = file.c_str();
    struct sigaction keep = {};
    keep.sa_handler = Keep;
    for (size_t i = 0; i < kCount; ++i) {
      sigaction(kSignals[i], &keep, &before_[i]);
    }
  }
  ~InputKeeper() { Restore(); }
  InputKeeper(const InputKeeper&) = delete;
  InputKeeper& operator=(const InputKeeper&) = delete;

  void Set(std::string_view input) { input_ = input; }

 private:
  static constexpr int kSignals[] = {SIGABRT, SIGSEGV, SIGFPE};
  static constexpr size_t kCount = std::size(kSignals);

  static void Restore() {
    for (size_t i = 0; i < kCount; ++i) {
      sigaction(kSignals[i], &before_[i], nullptr);
    }
  }

  // What raised the signal raises it again for whoever had it before: a
  // sanitizer that reports it, say.
  static void Keep(int /*signal*/) {
    const int file = open(file_, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (write(file, input_.data(), input_.size()) < 0) std::perror(file_);
    close(file);
    Restore();
  }

  // A signal has no other way to them.
  static inline const char* file_;
  static inline std::string_view input_;
  static inline struct sigaction before_[kCount];
};

inline double NumberInEnvironment(const char* name, double otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atof(text);
}

// Short, since inputs choose small meshes and few questions; half of them of
// mostly small bytes, which stand for usual numbers.
inline std::string RandomBytes(meshes::Random& random) {
  std::string bytes;
  const bool is_calm = random.Below(2) == 0;
  for (size_t n = 30 + random.Below(300); n > 0; --n) {
    const bool is_small = is_calm && random.Below(3) != 0;
    bytes.push_back(static_cast<char>(random.Below(is_small ? 160 : 256)));
  }
  return bytes;
}

inline size_t FeedRandomBytes(const std::string& name,
                              void (*feed)(std::string_view)) {
  const double seconds = NumberInEnvironment("ORBOX_FUZZ_SECONDS", 1);
  meshes::Random random(
      static_cast<uint64_t>(NumberInEnvironment("ORBOX_FUZZ_SEED", 1)));
  const std::string file = "failed-" + name;
  InputKeeper keeper(file);
  const std::clock_t begin = std::clock();
  size_t runs = 0;
  while (static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC) {
    const std::string bytes = RandomBytes(random);
    keeper.Set(bytes);
    feed(bytes);
    ++runs;
  }
  std::printf("%s: %zu inputs\n", name.c_str(), runs);
  return runs;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_
