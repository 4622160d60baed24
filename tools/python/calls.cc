// SPDX-License-Identifier: Apache-2.0

#include "tools/python/calls.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>

namespace orbox::python {

namespace {

// Time between two checks for Ctrl-C.
constexpr std::chrono::milliseconds kGlance{50};

[[noreturn]] void ThrowAs(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

// Returns the exception that a signal handler or `progress` raised, if any.
std::exception_ptr Glance(nb::handle progress, double share) {
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(share);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

void Throw(const absl::Status& status, Subject subject) {
  const std::string message(status.message());
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      ThrowAs(PyExc_ValueError, message);
    case absl::StatusCode::kResourceExhausted:
      ThrowAs(PyExc_MemoryError, message);
    case absl::StatusCode::kNotFound:
      ThrowAs(
          subject == Subject::kFile ? PyExc_FileNotFoundError : PyExc_KeyError,
          message);
    case absl::StatusCode::kPermissionDenied:
      ThrowAs(PyExc_PermissionError, message);
    case absl::StatusCode::kUnavailable:
      ThrowAs(PyExc_OSError, message);
    case absl::StatusCode::kCancelled:
      ThrowAs(PyExc_KeyboardInterrupt, message);
    default:
      ThrowAs(PyExc_RuntimeError, message);
  }
}

void ThrowIfBad(const absl::Status& status, Subject subject) {
  if (!status.ok()) Throw(status, subject);
}

void CheckFinite(std::span<const double> numbers, size_t width,
                 const char* argument) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    char message[256];
    std::snprintf(
        message, sizeof(message),
        "%s: row %zu has %s in column %zu, and has to be finite; leave such "
        "rows out: %s[np.isfinite(%s).all(axis=-1)]",
        argument, i / width, std::isnan(numbers[i]) ? "NaN" : "an infinity",
        i % width, argument, argument);
    ThrowAs(PyExc_ValueError, message);
  }
}

void RunWatched(nb::handle progress, Control& control,
                absl::FunctionRef<void()> work) {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::exception_ptr error;
  std::thread thread([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    finished.notify_one();
  });
  std::exception_ptr raised;
  while (true) {
    {
      const nb::gil_scoped_release unlocked;
      std::unique_lock lock(mutex);
      if (finished.wait_for(lock, kGlance, [&] { return done; })) break;
    }
    if (raised) continue;
    raised = Glance(progress, control.share);
    if (raised) control.cancelled = true;
  }
  {
    const nb::gil_scoped_release unlocked;
    thread.join();
  }
  if (!raised && !error) raised = Glance(progress, 1);
  if (raised) std::rethrow_exception(raised);
  if (error) std::rethrow_exception(error);
}

}  // namespace orbox::python
