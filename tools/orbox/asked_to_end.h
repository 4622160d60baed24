// SPDX-License-Identifier: Apache-2.0

// Detects that the user wants to end a long build, so that the build cleans up
// first.
//
//   AskedToEnd asked;
//   auto tree = BuildChunked(files, path, {.cancelled = &asked.flag()});
//   asked.EndIfAsked();                // ends by the same signal
#ifndef ORBOX_TOOLS_ORBOX_ASKED_TO_END_H_
#define ORBOX_TOOLS_ORBOX_ASKED_TO_END_H_

#include <array>
#include <atomic>
#include <csignal>

namespace orbox::cli {

// During its lifetime, SIGINT, SIGTERM and SIGHUP set the flag, unless they are
// ignored. At most one object may exist at a time.
class AskedToEnd {
 public:
  AskedToEnd();
  AskedToEnd(const AskedToEnd&) = delete;
  AskedToEnd& operator=(const AskedToEnd&) = delete;
  ~AskedToEnd();

  const std::atomic<bool>& flag() const;
  void EndIfAsked() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ASKED_TO_END_H_
