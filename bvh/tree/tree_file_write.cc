// SPDX-License-Identifier: Apache-2.0

// Writes trees to files.
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"
#include "orbox/bvh/tree/internal/tree_file_front.h"
#include "orbox/bvh/tree/tree_file.h"

namespace orbox {
namespace {

using tree_internal::FrontBytes;
using tree_internal::kAlignment;
using tree_internal::SectionRow;

std::string_view CharsOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the pieces of the file, in order. Most of them are the tree's own
// memory.
std::vector<std::string_view> SectionsOf(const FrontBytes& front,
                                         const Tree& tree) {
  static constexpr std::array<char, kAlignment> kZeros = {};
  std::vector<std::string_view> sections = {CharsOf(front)};
  for (const SectionRow& row : tree_internal::Sections()) {
    const std::string_view bytes = CharsOf(row.bytes_of(tree));
    sections.push_back(bytes);
    sections.emplace_back(
        kZeros.data(),
        tree_internal::RoundUpToAlignment(bytes.size()) - bytes.size());
  }
  return sections;
}

FrontBytes FrontBytesOf(const Tree& tree, const WriteTreeOptions& options) {
  return BytesOf(tree_internal::FrontOf(tree, Workers(options.threads)));
}

}  // namespace

absl::Status WriteTree(const Tree& tree, const std::string& path,
                       const WriteTreeOptions& options) try {
  const FrontBytes front = FrontBytesOf(tree, options);
  return WriteFileWhole(path, SectionsOf(front, tree));
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": not enough memory to write it"));
}

void EncodeTree(const Tree& tree,
                const std::function<void(std::string_view)>& write,
                const WriteTreeOptions& options) {
  const FrontBytes front = FrontBytesOf(tree, options);
  for (const std::string_view part : SectionsOf(front, tree)) write(part);
}

absl::StatusOr<std::string> EncodeTree(const Tree& tree,
                                       const WriteTreeOptions& options) try {
  const FrontBytes front = FrontBytesOf(tree, options);
  const std::vector<std::string_view> sections = SectionsOf(front, tree);
  size_t size = 0;
  for (const std::string_view part : sections) size += part.size();
  std::string bytes;
  bytes.reserve(size);
  for (const std::string_view part : sections) bytes += part;
  return bytes;
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      "not enough memory for the bytes of a tree");
}

}  // namespace orbox
