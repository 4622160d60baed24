// SPDX-License-Identifier: Apache-2.0

// Header and table of a tree file: computed for a tree, or read from untrusted
// bytes.
//
//   absl::StatusOr<TreeFileFront> front = ReadFront(bytes, file_size);
//   const TreeFileFront front = FrontOf(tree, workers);
#ifndef ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FRONT_H_
#define ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FRONT_H_

#include <cstddef>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox::tree_internal {

// Returns header and table, including all checksums. O(size of the tree).
ORBOX_EXPORT TreeFileFront FrontOf(const Tree& tree, const Workers& workers);

// Reads header and table. `begin` is the first kFirstSection bytes of the file,
// or all of a shorter file. If the result is ok, all sections are inside the
// file, aligned, and consecutive; their counts are consistent with each other
// and within the limits of meshes and trees; and the file has exactly
// header.file_bytes. kInvalidArgument otherwise; the caller adds the name of
// the file to the message. O(1).
absl::StatusOr<TreeFileFront> ReadFront(std::span<const std::byte> begin,
                                        size_t file_size);

// Returns the bytes of a section, without its padding.
std::span<const std::byte> SectionOf(const SectionEntry& entry,
                                     std::span<const std::byte> file);

// Returns the bytes of a file from an offset on, perhaps after reading them.
using BytesAt = absl::FunctionRef<absl::StatusOr<std::span<const std::byte>>(
    size_t offset, size_t size)>;

// Compares the checksums of all sections. Requests each piece once, from any of
// the threads. kInvalidArgument for a wrong checksum; passes on errors of
// `bytes_at`.
absl::Status VerifyChecksums(const TreeFileFront& front, const Workers& workers,
                             BytesAt bytes_at);

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FRONT_H_
