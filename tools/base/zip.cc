// SPDX-License-Identifier: Apache-2.0

#include "tools/base/zip.h"

#include <boost/crc.hpp>
#include <utility>

#include "absl/status/status.h"

namespace orbox::tools {
namespace {

void AppendNumber(uint64_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>(value >> (8 * i) & 255);
  }
}

constexpr uint64_t kVersion = 20;  // folders; the first that all readers know
constexpr uint64_t kUtf8Names = 1 << 11;
constexpr uint64_t kStored = 0;
constexpr uint64_t kFirstDay = 1 << 5 | 1;  // the 1st of January 1980

}  // namespace

void ZipWriter::Add(std::string_view name, std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  // Common fields of a file's header and its entry in the directory.
  std::string common;
  AppendNumber(kVersion, 2, common);
  AppendNumber(kUtf8Names, 2, common);
  AppendNumber(kStored, 2, common);
  AppendNumber(0, 2, common);  // midnight
  AppendNumber(kFirstDay, 2, common);
  AppendNumber(crc.checksum(), 4, common);
  AppendNumber(bytes.size(), 4, common);  // in the archive
  AppendNumber(bytes.size(), 4, common);
  AppendNumber(name.size(), 2, common);
  AppendNumber(0, 2, common);  // no further fields

  const uint64_t offset = bytes_.size();
  bytes_ += "PK\x03\x04";
  bytes_ += common;
  bytes_ += name;
  bytes_ += bytes;

  directory_ += "PK\x01\x02";
  AppendNumber(kVersion, 2, directory_);
  directory_ += common;
  AppendNumber(0, 2, directory_);  // no remark
  AppendNumber(0, 2, directory_);  // on the first disk
  AppendNumber(0, 2, directory_);
  AppendNumber(0, 4, directory_);
  AppendNumber(offset, 4, directory_);
  directory_ += name;
  ++files_;
}

absl::StatusOr<std::string> ZipWriter::Finish() {
  const uint64_t offset = bytes_.size();
  if (files_ > 0xffff || offset + directory_.size() > 0xffffffff) {
    return absl::ResourceExhaustedError(
        "too much for one ZIP archive: it holds 65,535 files and 4 GB");
  }
  bytes_ += directory_;
  bytes_ += "PK\x05\x06";
  AppendNumber(0, 4, bytes_);  // one disk
  AppendNumber(files_, 2, bytes_);
  AppendNumber(files_, 2, bytes_);
  AppendNumber(directory_.size(), 4, bytes_);
  AppendNumber(offset, 4, bytes_);
  AppendNumber(0, 2, bytes_);  // no remark
  return std::move(bytes_);
}

}  // namespace orbox::tools
