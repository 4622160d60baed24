#include "tools/orbox/rows.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tools/orbox/numbers.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

// Far longer than any row of numbers: what has such lines is some other file,
// and must not be gathered in memory until a newline turns up.
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

// A file descriptor, closed at the end unless it is standard input.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : descriptor_(path == "-" ? STDIN_FILENO
                                : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

// Gathers rows line by line.
class RowReader {
 public:
  RowReader(std::string name, std::string_view columns, RowCheck check)
      : columns_(columns), check_(check) {
    rows_.name_ = std::move(name);
    rows_.columns_ = SplitAtCommas(columns).size();
  }

  // Takes what has been read since the last call; `is_last` ends the last line.
  absl::Status Take(std::string_view bytes, bool is_last);
  absl::StatusOr<Rows> Finish();

 private:
  absl::Status TakeLine(std::string_view line);
  absl::Status Error(std::string_view what) const;

  std::string_view columns_;
  RowCheck check_;
  Rows rows_;
  std::string unfinished_;  // the begin of a line whose end is not read yet
  size_t line_ = 0;
  bool header_possible_ = true;
};

absl::Status RowReader::Take(std::string_view bytes, bool is_last) {
  while (!bytes.empty()) {
    const size_t newline = bytes.find('\n');
    unfinished_ += bytes.substr(0, newline);
    if (unfinished_.size() > kLongestLine) {
      ++line_;
      return Error(Cat("a line of more than ", Grouped(kLongestLine),
                       " characters; give rows of ", columns_));
    }
    if (newline == std::string_view::npos) break;
    bytes.remove_prefix(newline + 1);
    const absl::Status status = TakeLine(unfinished_);
    if (!status.ok()) return status;
    unfinished_.clear();
  }
  return is_last ? TakeLine(std::exchange(unfinished_, {})) : absl::OkStatus();
}

absl::Status RowReader::TakeLine(std::string_view line) {
  ++line_;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (line_ == 1 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  line = TrimSpaces(line.substr(0, line.find('#')));
  if (line.empty()) return absl::OkStatus();
  if (std::exchange(header_possible_, false)) {
    const std::vector<std::string_view> parts = SplitAtCommas(line);
    if (std::none_of(parts.begin(), parts.end(), LooksLikeNumber)) {
      return absl::OkStatus();
    }
  }
  const absl::StatusOr<std::vector<double>> values =
      ParseRow(line, columns_, check_);
  if (!values.ok()) return Error(std::string(values.status().message()));
  rows_.values_.insert(rows_.values_.end(), values->begin(), values->end());
  rows_.lines_.push_back(line_);
  return absl::OkStatus();
}

absl::StatusOr<Rows> RowReader::Finish() {
  if (rows_.size() == 0) {
    return absl::InvalidArgumentError(
        Cat(rows_.name_, ": there are no rows in it; give rows of ", columns_));
  }
  return std::move(rows_);
}

absl::Status RowReader::Error(std::string_view what) const {
  return absl::InvalidArgumentError(Cat(rows_.name_, ":", line_, ": ", what));
}

std::string Rows::Place(size_t i) const { return Cat(name_, ":", lines_[i]); }

absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check) {
  const InputFile file(path);
  if (file.descriptor() < 0) return OpenError(path, errno);
  struct stat info;
  if (fstat(file.descriptor(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        Cat(path, ": is a directory; give a file with rows of ", columns));
  }
  RowReader reader(path == "-" ? "standard input" : path, columns, check);
  std::string bytes(size_t{1} << 18, '\0');
  for (;;) {
    const ssize_t count = read(file.descriptor(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return absl::UnavailableError(
          Cat("cannot read ", path, ": ", std::strerror(errno)));
    }
    const absl::Status status = reader.Take(
        std::string_view(bytes).substr(0, count), /*is_last=*/count == 0);
    if (!status.ok()) return status;
    if (count == 0) return reader.Finish();
  }
}

absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check) {
  absl::StatusOr<std::vector<double>> values =
      ParseReals(text, SplitAtCommas(columns).size());
  if (!values.ok()) {
    return absl::InvalidArgumentError(
        Cat(std::string(values.status().message()), "; give ", columns));
  }
  const absl::Status status = check(*values);
  if (!status.ok()) return status;
  return values;
}

}  // namespace orbox::cli
