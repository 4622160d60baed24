// SPDX-License-Identifier: Apache-2.0

// Detects that the user wants to end a long build, so that the build cleans up
// first.
//
//   EndRequest asked;
//   auto tree = BuildChunked(files, path, {.cancelled = &asked.flag()});
//   asked.EndIfRequested();                // ends by the same signal
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_END_REQUEST_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_END_REQUEST_H_

#include <array>
#include <atomic>
#include <csignal>

namespace orbox::cli {

// During its lifetime, SIGINT, SIGTERM and SIGHUP set the flag, unless they are
// ignored. At most one object may exist at a time.
class EndRequest {
 public:
  EndRequest();
  EndRequest(const EndRequest&) = delete;
  EndRequest& operator=(const EndRequest&) = delete;
  ~EndRequest();

  const std::atomic<bool>& flag() const;
  void EndIfRequested() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_END_REQUEST_H_
