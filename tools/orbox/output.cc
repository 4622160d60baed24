#include "tools/orbox/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

// Large enough that the cost of a system call vanishes.
constexpr size_t kBufferSize = size_t{1} << 16;

absl::Status SystemError(std::string_view what, std::string_view name,
                         int error) {
  return absl::UnavailableError(
      Cat("cannot ", what, " ", name, ": ", std::strerror(error)));
}

// The permissions that a new file gets: those of the one that it replaces, or
// what the user's mask leaves.
mode_t ModeFor(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0) return info.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

absl::StatusOr<Output> Output::Open(const std::string& path) {
  if (path == "-") return ToDescriptor(STDOUT_FILENO, "standard output");
  Output output;
  output.name_ = path;
  output.owned_ = true;
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    output.descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (output.descriptor_ < 0) return SystemError("write", path, errno);
    return output;
  }
  // Through symbolic links, so that the file behind them is replaced.
  std::error_code ignored;
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  output.target_ = ignored ? path : target.string();
  std::string temporary = output.target_ + ".XXXXXX";
  output.descriptor_ = mkostemp(temporary.data(), O_CLOEXEC);
  if (output.descriptor_ < 0) return SystemError("write", path, errno);
  output.temporary_ = std::move(temporary);
  if (fchmod(output.descriptor_, ModeFor(output.target_)) != 0) {
    return SystemError("set the permissions of", path, errno);
  }
  return output;
}

Output Output::ToDescriptor(int descriptor, std::string name) {
  Output output;
  output.descriptor_ = descriptor;
  output.name_ = std::move(name);
  return output;
}

Output Output::ToSink(std::function<void(std::string_view)> sink) {
  Output output;
  output.sink_ = std::move(sink);
  return output;
}

Output::Output(Output&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sink_(std::move(other.sink_)),
      owned_(std::exchange(other.owned_, false)),
      buffer_(std::exchange(other.buffer_, {})),
      status_(std::move(other.status_)) {}

Output::~Output() {
  if (owned_ && descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Output::Write(std::string_view text) {
  if (failed()) return;
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) Flush();
}

bool Output::is_terminal() const { return isatty(descriptor_) != 0; }

absl::Status Output::Close() {
  Flush();
  if (!owned_) return status_;
  if (!temporary_.empty() && !failed() && fsync(descriptor_) != 0) {
    Fail("write", errno);
  }
  if (close(std::exchange(descriptor_, -1)) != 0) Fail("write", errno);
  if (!temporary_.empty() && !failed()) {
    if (rename(temporary_.c_str(), target_.c_str()) != 0) {
      Fail("rename the finished file to", errno);
    } else {
      temporary_.clear();
    }
  }
  return status_;
}

void Output::Flush() {
  if (sink_) {
    sink_(buffer_);
    buffer_.clear();
    return;
  }
  std::string_view rest = buffer_;
  while (!rest.empty() && !failed()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(written);
    } else if (errno != EINTR) {
      Fail("write", errno);
    }
  }
  buffer_.clear();
}

void Output::Fail(std::string_view what, int error) {
  if (!failed()) status_ = SystemError(what, name_, error);
}

void WriteToStandardError(std::string_view text) {
  Output errors = Output::ToDescriptor(STDERR_FILENO, "standard error");
  errors.Write(text);
  errors.Close().IgnoreError();
}

}  // namespace orbox::cli
