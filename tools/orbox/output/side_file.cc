// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/side_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

absl::StatusOr<std::string> ReadSideFile(const Arguments& arguments,
                                         const Option& option) {
  const std::string path = arguments.Value(option.name);
  if (!arguments.Has(option.name) || (!path.empty() && path != "-")) {
    return path;
  }
  return UsageError(
      Cat(option.name, ": ", Quoted(path),
          " is no name, and the results go to standard output; name a file"));
}

absl::Status CheckWritable(const std::string& path) {
  if (path.empty() || path == "-") return absl::OkStatus();
  const std::string target = os::FollowLinks(path);
  const auto is_folder = [](const std::string& name) {
    const std::optional<os::FileFacts> facts = os::FactsOf(name);
    return facts.has_value() && facts->is_folder;
  };
  if (!is_folder(target) && is_folder(os::FolderOf(target))) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      Cat("cannot write ", path, ": ",
          std::strerror(is_folder(target) ? EISDIR : ENOENT)));
}

absl::Status WriteSideFile(const std::string& path, std::string_view bytes) {
  absl::StatusOr<Output> output = Output::Open(path);
  if (!output.ok()) return output.status();
  output->Write(bytes);
  return output->Close();
}

absl::StatusOr<picture::PictureSize> ReadPictureSize(
    const Arguments& arguments, std::string_view option,
    const picture::PictureSize& otherwise) {
  constexpr uint64_t kSmallest = 16, kLargest = 16384;
  if (!arguments.Has(option)) return otherwise;
  const std::string text = arguments.Value(option);
  const size_t x = text.find('x');
  if (x != std::string::npos) {
    const absl::StatusOr<uint64_t> width =
        ParseCount(std::string_view(text).substr(0, x), kSmallest, kLargest);
    const absl::StatusOr<uint64_t> height =
        ParseCount(std::string_view(text).substr(x + 1), kSmallest, kLargest);
    if (width.ok() && height.ok()) {
      return picture::PictureSize{static_cast<int>(*width),
                                  static_cast<int>(*height)};
    }
  }
  return UsageError(Cat(option, ": ", Quoted(text),
                        " is no size; give WIDTHxHEIGHT, each ", kSmallest,
                        " to ", kLargest, ", as 1200x900"));
}

}  // namespace orbox::cli
