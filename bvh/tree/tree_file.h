// SPDX-License-Identifier: Apache-2.0

// Trees in files: written once, then loaded in a fraction of the time of a
// build, or mapped and used in place.
//
//   absl::Status written = WriteTree(tree, "part.orbox");
//   absl::StatusOr<Tree> copy = ReadTree("part.orbox");
//   absl::StatusOr<Tree> view = MapTree("part.orbox",
//                                       {.check = TreeCheck::kChecksums});
//
// A file also contains the mesh, so nothing else is needed. A tree that was
// read gives the same query results as the tree that was written. Equal trees
// give equal bytes.
//
// Verification. ReadTree and DecodeTree accept arbitrary bytes. They return
// either an error or a tree for which queries are correct. They verify that
//   - the checksums are right;
//   - vertices are finite and indices in range;
//   - nodes and leaves are a tree in a builder's layout, with each triangle in
//     one leaf;
//   - leaves match the mesh, to the bit or to the error of the compact form;
//   - each volume contains all triangles below it.
// MapTree verifies all this unless TreeCheck requests less. A mapped file must
// not change while a copy of the tree or of its mesh exists. If the file is
// written to, queries may return wrong results or crash. If it is truncated,
// reading it ends the program (SIGBUS). WriteTree is safe: it renames a new
// file over the old one, and existing mappings keep the old one.
//
// The format, version 1. Numbers have the byte order of the machine that wrote
// them. The header marks it, and machines of the other byte order reject the
// file. Offsets count from the beginning of the file. In memory, the file needs
// an alignment of 64 bytes.
//
//   header, 192 bytes (TreeFileHeader in tree/internal/tree_file_format.h):
//     magic (8 bytes), byte order, version, number of sections, volumes, depth,
//     size of the file, checksum of header and table, degenerate triangles,
//     bounds of the mesh, tree space; the rest is zero
//   table: a row of 32 bytes for each section: id, size of an element, offset,
//     number of elements, checksum; zeros up to a multiple of 64
//   sections, in the order of the table, each at the next multiple of 64 and
//     filled up to one by zeros: vertices (Vec3), triangles (TriangleIndices),
//     nodes (Node), leaves (Leaf), corners (Triangle, eight a leaf); or, in
//     place of these three, compact nodes (CompactNode) and compact leaves
//     (CompactLeaf)
//
// Checksums have 64 bits (tree/internal/checksum.h). They detect every change
// within one aligned word of eight bytes. Any other change is missed with
// a probability of 2^-64. They do not protect from attackers, who can compute
// valid checksums.
//
// Errors name the file, the byte or the element, the fault and the remedy:
// kNotFound, kPermissionDenied and kUnavailable from the system,
// kInvalidArgument for bad contents, kResourceExhausted if memory runs out.
// Reading allocates the size of the file. Verification allocates one byte per
// triangle, and for a compact tree also the memory of a wide tree. Thread-safe.
#ifndef ORBOX_BVH_TREE_TREE_FILE_H_
#define ORBOX_BVH_TREE_TREE_FILE_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Extent to which a mapped file is verified. Each level includes the levels
// before it.
enum class TreeCheck {
  // Header and table: their checksum, their sizes, and that sections are inside
  // the file. O(1); pages are loaded on use. Only for files that nobody else
  // can write to, on reliable disks: a damaged file gives wrong results or
  // crashes.
  kHeader,
  // All checksums: a damaged file gives an error. Malicious changes are not
  // detected.
  kChecksums,
  // All checks of the list above: queries are correct for a file from any
  // source.
  kEverything,
};

struct WriteTreeOptions {
  // Maximum number of threads for the checksums; 0 means one per core.
  int threads = 0;
};

struct ReadTreeOptions {
  // Maximum number of threads; 0 means one per core.
  int threads = 0;
};

struct MapTreeOptions {
  TreeCheck check = TreeCheck::kEverything;
  int threads = 0;
};

// Returns true if the bytes start like a tree file. Eight bytes are enough.
ORBOX_EXPORT bool IsTreeFile(std::string_view bytes);

// Returns true if the file starts like a tree file. Returns false if it cannot
// be read, and for pipes, from which nothing is read.
ORBOX_EXPORT bool IsTreeFileAt(const std::string& path);

// Writes to a temporary file in the directory of `path`, syncs it, renames it
// over `path` and syncs the directory. So at each moment `path` has all of its
// old or all of its new contents. No temporary file remains. If `path` is a
// pipe or a device, the bytes are written to it directly; "-" is standard
// output. kInvalidArgument for a directory, kUnavailable for all other
// failures.
ORBOX_EXPORT absl::Status WriteTree(const Tree& tree, const std::string& path,
                                    const WriteTreeOptions& options = {});

// Returns the bytes that WriteTree writes.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeTree(
    const Tree& tree, const WriteTreeOptions& options = {});

// Encodes without a copy of the tree: calls `write` with each piece of the
// bytes, in order. A piece is valid during that call.
ORBOX_EXPORT void EncodeTree(const Tree& tree,
                             const std::function<void(std::string_view)>& write,
                             const WriteTreeOptions& options = {});

// Reads a copy. The file may change or be deleted afterwards. Reads pipes to
// their end; "-" is standard input.
ORBOX_EXPORT absl::StatusOr<Tree> ReadTree(const std::string& path,
                                           const ReadTreeOptions& options = {});

// Reads from bytes at any address, and copies them. `name` replaces the file's
// name in error messages.
ORBOX_EXPORT absl::StatusOr<Tree> DecodeTree(
    std::string_view bytes, std::string_view name,
    const ReadTreeOptions& options = {});

// Maps the file. All processes that map it share its pages. Requires a regular
// file; kInvalidArgument otherwise.
ORBOX_EXPORT absl::StatusOr<Tree> MapTree(const std::string& path,
                                          const MapTreeOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_FILE_H_
