// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/lines.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// Maximum length of a line, far above any row of numbers. A file with a longer
// line is of another kind, and is rejected before the line fills the memory.
constexpr size_t kLongestLine = size_t{1} << 16;

absl::Status OpenError(const std::string& path, int error) {
  const std::string reason = std::strerror(error);
  if (error == ENOENT || error == ENOTDIR) {
    return absl::NotFoundError(Cat(path, ": ", reason, "; check the name"));
  }
  if (error == EACCES || error == EPERM) {
    return absl::PermissionDeniedError(
        Cat(path, ": ", reason, "; make it readable"));
  }
  return absl::UnavailableError(Cat("cannot open ", path, ": ", reason));
}

// Joins pieces of a file into lines.
class LineReader {
 public:
  LineReader(std::string name, std::string_view wanted, LineVisitor visit)
      : name_(std::move(name)), wanted_(wanted), visit_(visit) {}

  // Takes the next bytes of the file. If `is_last`, also ends the last line.
  absl::Status AddBytes(std::string_view bytes, bool is_last);

 private:
  absl::Status AddLine(std::string_view line);
  absl::Status Error(const absl::Status& why) const {
    return absl::Status(
        why.code(), Cat(name_, ":", number_, ": ", std::string(why.message())));
  }

  const std::string name_;
  const std::string_view wanted_;
  const LineVisitor visit_;
  std::string unfinished_;  // the beginning of an incomplete line
  size_t number_ = 0;
};

absl::Status LineReader::AddBytes(std::string_view bytes, bool is_last) {
  while (!bytes.empty()) {
    const size_t newline = bytes.find('\n');
    unfinished_ += bytes.substr(0, newline);
    if (unfinished_.size() > kLongestLine) {
      ++number_;
      return Error(absl::InvalidArgumentError(
          Cat("a line of more than ", Grouped(kLongestLine),
              " characters; give ", wanted_)));
    }
    if (newline == std::string_view::npos) break;
    bytes.remove_prefix(newline + 1);
    const absl::Status status = AddLine(unfinished_);
    if (!status.ok()) return status;
    unfinished_.clear();
  }
  return is_last ? AddLine(std::exchange(unfinished_, {})) : absl::OkStatus();
}

absl::Status LineReader::AddLine(std::string_view line) {
  ++number_;
  if (number_ == 1) {
    const std::string advice = mesh_internal::HowToConvertBytes(line);
    if (!advice.empty()) return Error(absl::InvalidArgumentError(advice));
    if (line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    }
  }
  line = line.substr(0, line.find('#'));
  const std::string_view text = TrimSpaces(line);
  if (text.empty()) return absl::OkStatus();
  const absl::Status status =
      visit_({.text = text, .whole = line, .number = number_});
  return status.ok() ? status : Error(status);
}

}  // namespace

std::string NameOfInput(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

absl::Status VisitLines(const std::string& path, std::string_view wanted,
                        LineVisitor visit) {
  const Descriptor file(path == "-" ? os::Duplicate(os::kStandardInput)
                                    : os::Open(path, os::Access::kRead));
  const int error = errno;
  const std::optional<os::FileFacts> facts = os::FactsOf(file.get());
  if (facts.has_value() ? facts->is_folder : error == EISDIR) {
    return absl::InvalidArgumentError(
        Cat(path, ": is a directory; give a file with ", wanted));
  }
  if (file.get() < 0) return OpenError(path, error);
  LineReader reader(NameOfInput(path), wanted, visit);
  std::string bytes(size_t{1} << 18, '\0');
  for (;;) {
    const ptrdiff_t count = os::Read(file.get(), bytes);
    if (count < 0) {
      return absl::UnavailableError(
          Cat("cannot read ", path, ": ", std::strerror(errno)));
    }
    const absl::Status status = reader.AddBytes(
        std::string_view(bytes).substr(0, count), /*is_last=*/count == 0);
    if (!status.ok() || count == 0) return status;
  }
}

}  // namespace orbox::cli
