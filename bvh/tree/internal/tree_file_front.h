// Header and table of a tree file: made for a tree, and read with care.
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

namespace orbox::tree_internal {

// With all checksums. O(size of the tree).
TreeFileFront FrontOf(const Tree& tree, const Workers& workers);

// `begin` are the file's first bytes: kFirstSection of them, or all that there
// are. Behind it all sections lie in the file, aligned, one after the other,
// and have counts that fit each other and the limits of meshes and trees. The
// file has just header.file_bytes. kInvalidArgument otherwise; messages leave
// the name of the file to the caller. O(1).
absl::StatusOr<TreeFileFront> ReadFront(std::span<const std::byte> begin,
                                        size_t file_size);

// Where a section lies, without what fills it up.
std::span<const std::byte> SectionOf(const SectionEntry& entry,
                                     std::span<const std::byte> file);

// The bytes of a file from an offset on; perhaps they are fetched first.
using BytesAt = absl::FunctionRef<absl::StatusOr<std::span<const std::byte>>(
    size_t offset, size_t size)>;

// Compares the checksums of all sections, asking for each piece of them once,
// from any of the threads. kInvalidArgument for one that is wrong; errors of
// `bytes_at` as they are.
absl::Status VerifyChecksums(const TreeFileFront& front, const Workers& workers,
                             BytesAt bytes_at);

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FRONT_H_
