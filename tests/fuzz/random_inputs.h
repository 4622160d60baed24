// SPDX-License-Identifier: Apache-2.0

// Random inputs for the function of a fuzzer: a fixed number of them from a
// fixed seed. A build without sanitizers runs hundreds of times as many as
// libFuzzer does: libFuzzer searches for new paths, this for rare numbers.
//
//   EXPECT_EQ(FeedRandomBytes("mesh_pairs", FuzzMeshPairs, 3000), 3000u);
//
//   env ORBOX_FUZZ_INPUTS=100000 ORBOX_FUZZ_SEED=7
//       build/release/tests/fuzz_tests --gtest_filter='*RandomBytes*'
#ifndef ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_
#define ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/fuzz/require.h"
#include "tests/support/meshes.h"

namespace orbox {

// Calls `feed` with `count` inputs, or ORBOX_FUZZ_INPUTS of them, made from the
// seed 1 or ORBOX_FUZZ_SEED; returns how many. If one ends the process, its
// bytes are in the file `failed-NAME` in the working directory.
size_t FeedRandomBytes(const std::string& name, void (*feed)(std::string_view),
                       size_t count);

// Implementation.

// Writes the current input to a file if a signal ends the process.
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

  // The cause raises the signal again for its previous handler, such as a
  // sanitizer that reports it.
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

// The whole number in an environment variable, or `otherwise`. Ends the process
// if the variable has anything else: a typing error must not run nothing.
inline uint64_t NumberInEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const uint64_t number = std::strtoull(text, &end, 10);
  Require(end != text && *end == '\0', name);
  return number;
}

// Short: inputs choose small meshes and few queries. Half of them consist
// mostly of small bytes, which encode usual numbers.
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
                              void (*feed)(std::string_view), size_t count) {
  const uint64_t inputs = NumberInEnvironment("ORBOX_FUZZ_INPUTS", count);
  meshes::Random random(NumberInEnvironment("ORBOX_FUZZ_SEED", 1));
  const std::string file = "failed-" + name;
  InputKeeper keeper(file);
  for (uint64_t i = 0; i < inputs; ++i) {
    const std::string bytes = RandomBytes(random);
    keeper.Set(bytes);
    feed(bytes);
  }
  return inputs;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_RANDOM_INPUTS_H_
