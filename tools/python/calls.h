// SPDX-License-Identifier: Apache-2.0

// Calls the library without the interpreter's lock, converts errors to
// exceptions, and lets Ctrl-C end long calls.
//
//   Answer Closest(const Tree& tree, const Points& points,
//                  const CallOptions& run) {
//     auto found = RunQuery(
//         run, points.size() > kWatchedQueries, QueryOptions(),
//         [&](const QueryOptions& options) {
//           return ClosestPoint(tree, points, options);
//         });
//     return NumpyColumns(ValueOf(found));
//   }
#ifndef ORBOX_TOOLS_PYTHON_CALLS_H_
#define ORBOX_TOOLS_PYTHON_CALLS_H_

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox::python {

namespace nb = nanobind;

// Subject of a status. Decides if kNotFound becomes a KeyError or a
// FileNotFoundError.
enum class Subject { kValue, kFile };

// Throws an exception that becomes ValueError, MemoryError, KeyError, OSError,
// KeyboardInterrupt or RuntimeError in Python. Requires the lock, and a status
// that is not OK.
[[noreturn]] void Throw(const absl::Status& status,
                        Subject subject = Subject::kValue);
void ThrowIfBad(const absl::Status& status, Subject subject = Subject::kValue);

template <typename T>
T ValueOf(absl::StatusOr<T> value, Subject subject = Subject::kValue) {
  if (!value.ok()) Throw(value.status(), subject);
  return *std::move(value);
}

// Returns the inside rule that the Python caller chose.
inline InsideRule RuleOf(bool by_parity) {
  return by_parity ? InsideRule::kParity : InsideRule::kWinding;
}

// Throws a ValueError that names the argument and the first row that is not
// finite. A row has `width` numbers.
void CheckFinite(std::span<const double> numbers, size_t width,
                 const char* argument);

// State shared by a long call and the thread that waits for it.
struct Control {
  // Makes the query report its progress, and end if the call is cancelled.
  template <typename Options>
  void Steer(Options& options) {
    if (!watched) return;
    options.progress = [this](double done) { share = done; };
    if constexpr (requires { options.cancelled; }) {
      options.cancelled = &cancelled;
    } else {
      // Ends the query by an exception, which Run recognises.
      options.progress = [this](double done) {
        share = done;
        if (cancelled) throw Cancelled();
      };
    }
  }

  struct Cancelled {};

  bool watched = false;
  std::atomic<bool> cancelled{false};
  std::atomic<double> share{0};
};

// Calls with more queries or triangles than this are watched, because they may
// take long. Watching costs about twenty microseconds.
inline constexpr size_t kWatchedQueries = 10'000;
inline constexpr size_t kWatchedTriangles = 20'000;

struct Job {
  nb::handle progress;  // None, or a callable that receives the finished share
  bool watched = false;
};

// Runs `work` on a separate thread, and returns when it is finished. Meanwhile
// handles signals and calls `progress`. If one of these raises an exception,
// cancels the work and rethrows the exception.
void RunWatched(nb::handle progress, Control& control,
                absl::FunctionRef<void()> work);

// Returns work(control), called without the lock.
template <typename Work>
auto Run(const Job& job, Work work) {
  Control control;
  control.watched = job.watched || !job.progress.is_none();
  if (!control.watched) {
    const nb::gil_scoped_release unlocked;
    return work(control);
  }
  std::optional<decltype(work(control))> result;
  RunWatched(job.progress, control, [&] { result.emplace(work(control)); });
  return *std::move(result);
}

// Options of a query, from the tuple (threads, progress, statistics) that
// `run_options` of the Python layer returns. Valid during the call.
struct CallOptions {
  int threads = 1;
  nb::handle progress;
  TraversalStatistics* statistics = nullptr;
};

// Returns call(options), with the library's options made from those of Python.
template <typename Options, typename Question>
auto RunQuery(const CallOptions& run, bool watched, Options options,
              const Question& call) {
  return Run({.progress = run.progress, .watched = watched},
             [&](Control& control) {
               options.threads = run.threads;
               options.statistics = run.statistics;
               control.Steer(options);
               return call(std::as_const(options));
             });
}

}  // namespace orbox::python

namespace nanobind::detail {

template <>
struct type_caster<orbox::python::CallOptions> {
  NB_TYPE_CASTER(orbox::python::CallOptions,
                 const_name("tuple[int, object, Statistics | None]"))

  bool from_python(handle source, uint8_t /*flags*/,
                   cleanup_list* /*cleanup*/) noexcept {
    PyObject* tuple = source.ptr();
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != 3) return false;
    const auto item = [&](int i) { return handle(PyTuple_GetItem(tuple, i)); };
    value.progress = item(1);
    value.statistics = nullptr;
    return try_cast(item(0), value.threads) &&
           (item(2).is_none() || try_cast(item(2), value.statistics));
  }
};

}  // namespace nanobind::detail

#endif  // ORBOX_TOOLS_PYTHON_CALLS_H_
