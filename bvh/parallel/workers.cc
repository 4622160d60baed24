#include "orbox/bvh/parallel/workers.h"

#include <algorithm>

#if ORBOX_WITH_TBB
#include "oneapi/tbb/info.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/parallel_invoke.h"
#include "oneapi/tbb/task_arena.h"
#endif

// The thread sanitizer does not see into the oneTBB of a distribution, so it is
// told what that library guarantees: what was written before a call is seen by
// its pieces, and what they wrote by who waited for them.
#if defined(__SANITIZE_THREAD__)
#define ORBOX_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORBOX_TSAN 1
#endif
#endif
#ifdef ORBOX_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace orbox {

#if ORBOX_WITH_TBB

namespace {

// Where one call hands over to its pieces, and they to it.
class Handover {
 public:
#ifdef ORBOX_TSAN
  Handover() { __tsan_release(&out_); }
  ~Handover() { __tsan_acquire(&back_); }
  template <typename Work>
  void Run(Work work) {
    __tsan_acquire(&out_);
    work();
    __tsan_release(&back_);
  }

 private:
  char out_ = 0;
  char back_ = 0;
#else
  template <typename Work>
  void Run(Work work) {
    work();
  }
#endif
};

}  // namespace

struct Workers::Arena {
  explicit Arena(int threads) : arena(threads) {}

  tbb::task_arena arena;
};

Workers::Workers(int threads) {
  // oneTBB complains on stderr where it is asked for more than there are.
  const int most = tbb::info::default_concurrency();
  count_ = threads > 0 ? std::min(threads, most) : most;
  if (count_ > 1) arena_ = std::make_unique<Arena>(count_);
}

void Workers::For(
    size_t count, size_t grain,
    absl::FunctionRef<void(size_t begin, size_t end)> work) const {
  grain = std::max<size_t>(grain, 1);
  const size_t pieces = count / grain + (count % grain != 0 ? 1 : 0);
  const auto run = [&](size_t piece) {
    work(piece * grain, std::min(count, piece * grain + grain));
  };
  if (arena_ == nullptr || pieces <= 1) {
    for (size_t piece = 0; piece < pieces; ++piece) run(piece);
    return;
  }
  Handover handover;
  arena_->arena.execute([&] {
    tbb::parallel_for(size_t{0}, pieces,
                      [&](size_t piece) { handover.Run([&] { run(piece); }); });
  });
}

void Workers::Invoke(absl::FunctionRef<void()> a,
                     absl::FunctionRef<void()> b) const {
  if (arena_ == nullptr) {
    a();
    b();
    return;
  }
  Handover handover;
  arena_->arena.execute([&] {
    tbb::parallel_invoke([&] { handover.Run(a); }, [&] { handover.Run(b); });
  });
}

#else  // !ORBOX_WITH_TBB

struct Workers::Arena {};

Workers::Workers(int /*threads*/) : count_(1) {}

void Workers::For(
    size_t count, size_t grain,
    absl::FunctionRef<void(size_t begin, size_t end)> work) const {
  grain = std::max<size_t>(grain, 1);
  for (size_t begin = 0; begin < count;) {
    const size_t end = count - begin > grain ? begin + grain : count;
    work(begin, end);
    begin = end;
  }
}

void Workers::Invoke(absl::FunctionRef<void()> a,
                     absl::FunctionRef<void()> b) const {
  a();
  b();
}

#endif  // ORBOX_WITH_TBB

Workers::~Workers() = default;

void ParallelFor(size_t count, size_t grain, int threads,
                 absl::FunctionRef<void(size_t begin, size_t end)> work) {
  Workers(threads).For(count, grain, work);
}

}  // namespace orbox
