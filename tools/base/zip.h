// SPDX-License-Identifier: Apache-2.0

// A ZIP archive of files in memory.
//
//   ZipWriter zip;
//   zip.Add("bcf.version", bytes);
//   std::string archive = zip.Finish();
//
// Files are stored as they are: those that are large here are pictures, which
// are compressed already. Equal files give equal bytes: each has the earliest
// date of ZIP.
#ifndef ORBOX_TOOLS_BASE_ZIP_H_
#define ORBOX_TOOLS_BASE_ZIP_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace orbox::tools {

class ZipWriter {
 public:
  // A name with slashes is in folders. Each name once.
  void Add(std::string_view name, std::string_view bytes);

  // The archive's bytes; nothing can be added afterwards. kResourceExhausted
  // beyond 65,535 files or 4 GB, which the format's first version cannot hold.
  absl::StatusOr<std::string> Finish();

 private:
  std::string bytes_;
  std::string directory_;
  uint64_t files_ = 0;
};

}  // namespace orbox::tools

#endif  // ORBOX_TOOLS_BASE_ZIP_H_
