// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/output.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// Large enough to make the cost of system calls negligible.
constexpr size_t kBufferSize = size_t{1} << 16;

absl::Status SystemError(std::string_view what, std::string_view name,
                         int error) {
  return absl::UnavailableError(
      Cat("cannot ", what, " ", name, ": ", std::strerror(error)));
}

}  // namespace

absl::StatusOr<Output> Output::Open(const std::string& path) {
  if (path == "-") return ToDescriptor(os::kStandardOutput, "standard output");
  Output output;
  output.name_ = path;
  const std::optional<os::FileFacts> old = os::FactsOf(path);
  if (old.has_value() && !old->is_regular) {
    output.descriptor_ = os::Open(path, os::Access::kWrite);
    if (output.descriptor_ < 0) return SystemError("write", path, errno);
    output.owned_ = true;
    return output;
  }
  absl::StatusOr<UnfinishedFile> file = UnfinishedFile::Create(path);
  if (!file.ok()) return file.status();
  output.file_.emplace(*std::move(file));
  output.descriptor_ = output.file_->descriptor();
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
      file_(std::exchange(other.file_, std::nullopt)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sink_(std::move(other.sink_)),
      owned_(std::exchange(other.owned_, false)),
      buffer_(std::exchange(other.buffer_, {})),
      is_at_line_start_(other.is_at_line_start_),
      status_(std::move(other.status_)) {}

Output::~Output() {
  if (owned_ && descriptor_ >= 0) os::Close(descriptor_);
}

void Output::Write(std::string_view text) {
  if (failed() || text.empty()) return;
  is_at_line_start_ = text.back() == '\n';
  if (!sink_ && text.size() >= kBufferSize) {
    // Does not copy a long text into the buffer, because it may take most of
    // the memory.
    Flush();
    WriteAll(text);
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) Flush();
}

bool Output::is_terminal() const { return os::IsTerminal(descriptor_); }

absl::Status Output::Close() {
  Flush();
  if (file_.has_value()) {
    if (!failed()) status_ = file_->Finish();
    file_.reset();  // removes an unfinished file
  } else if (owned_ && !os::Close(std::exchange(descriptor_, -1))) {
    Fail("write", errno);
  }
  return status_;
}

void Output::Flush() {
  if (sink_) {
    sink_(buffer_);
    buffer_.clear();
    return;
  }
  WriteAll(buffer_);
  buffer_.clear();
}

void Output::WriteAll(std::string_view bytes) {
  if (!failed() && !os::Write(descriptor_, bytes)) Fail("write", errno);
}

void Output::Fail(std::string_view what, int error) {
  if (failed()) return;
  const bool reader_gone = error == EPIPE && descriptor_ == os::kStandardOutput;
  status_ = reader_gone ? ReaderGone() : SystemError(what, name_, error);
}

void WriteToStandardError(std::string_view text) {
  Output errors = Output::ToDescriptor(os::kStandardError, "standard error");
  errors.Write(text);
  errors.Close().IgnoreError();
}

}  // namespace orbox::cli
