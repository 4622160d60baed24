// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/side_file.h"

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

absl::Status WriteSideFile(const std::string& path, std::string_view bytes) {
  absl::StatusOr<Output> output = Output::Open(path);
  if (!output.ok()) return output.status();
  output->Write(bytes);
  return output->Close();
}

}  // namespace orbox::cli
