// Trees in files: written once, loaded in a fraction of the time that a build
// takes, or mapped and used where they lie.
//
//   absl::Status written = WriteTree(tree, "part.orbox");
//   absl::StatusOr<Tree> copy = ReadTree("part.orbox");
//   absl::StatusOr<Tree> view = MapTree("part.orbox",
//                                       {.check = TreeCheck::kChecksums});
//
// A file holds the mesh, too: it is all that is needed. Answers of a tree that
// was read are those of the tree that was written, and the same tree gives the
// same bytes.
//
// What is believed. ReadTree and DecodeTree believe nothing: any bytes are an
// error or a tree whose answers are right. They verify the checksums; that
// vertices are finite and indices in range; that nodes and leaves are a tree,
// laid out as builders do, each triangle in one leaf; that leaves hold what the
// mesh says, to the bit, or as near as the compact form promises; and that each
// volume contains all triangles below it. MapTree verifies as much unless told
// to verify less (TreeCheck). A mapped file must not change for as long as a
// copy of the tree or of its mesh lives: were it written to, answers would be
// wrong or worse; were it cut, reading it would end the program (SIGBUS). Files
// written by WriteTree are safe to replace, since it renames a new file over
// the old one, which mappings keep.
//
// The format, version 1. Numbers are as in the memory of the machine that
// wrote; the mark of byte order tells, and others refuse. Offsets count from
// the beginning of the file, so it may lie anywhere in memory that is aligned
// to 64 bytes.
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
// Checksums have 64 bits (tree/internal/checksum.h). Any change within one
// aligned word of eight bytes is certain to be seen, others but for one in
// 2^64; they are no protection from people, who can compute them too.
//
// Errors name the file, the byte or the element, what is wrong and what to do:
// kNotFound, kPermissionDenied and kUnavailable as the system has it,
// kInvalidArgument for what is in the file, kResourceExhausted where memory
// does not suffice. No memory is asked for but the size of the file, and while
// it is verified a byte a triangle, or that of a wide tree for a compact one.
// Thread-safe.
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

// How much of a mapped file is verified. Each includes the ones before.
enum class TreeCheck {
  // Header and table: their checksum, sizes, and that sections lie in the file.
  // O(1), and pages are loaded when they are asked for. For files that nobody
  // else can write to, on disks that do not err: damage gives wrong answers, or
  // crashes.
  kHeader,
  // All checksums: damage is an error. What a malicious writer may do remains.
  kChecksums,
  // Everything. The answers are right, whoever wrote the file.
  kEverything,
};

struct WriteTreeOptions {
  // How many threads at most, for the checksums; 0 is as many as the machine
  // runs at a time.
  int threads = 0;
};

struct ReadTreeOptions {
  // How many threads at most; 0 is as many as the machine runs at a time.
  int threads = 0;
};

struct MapTreeOptions {
  TreeCheck check = TreeCheck::kEverything;
  int threads = 0;
};

// Whether bytes begin as a tree file does; eight are enough to tell.
ORBOX_EXPORT bool IsTreeFile(std::string_view bytes);

// The same of a file; false where it cannot be read, and of pipes, of which
// nothing is taken.
ORBOX_EXPORT bool IsTreeFileAt(const std::string& path);

// Writes to a temporary file beside `path`, syncs it, renames it over `path`
// and syncs the directory: at each moment `path` has its old contents or all of
// the new. No temporary stays behind on failure. A path that is a pipe or a
// device is written to as it is; "-" is standard output. kInvalidArgument for a
// directory, kUnavailable for what else fails.
ORBOX_EXPORT absl::Status WriteTree(const Tree& tree, const std::string& path,
                                    const WriteTreeOptions& options = {});

// The bytes of that file.
ORBOX_EXPORT absl::StatusOr<std::string> EncodeTree(
    const Tree& tree, const WriteTreeOptions& options = {});

// The same bytes, piece by piece in order, without a copy of them: `write` is
// called with each piece, which is valid for that call.
ORBOX_EXPORT void EncodeTree(const Tree& tree,
                             const std::function<void(std::string_view)>& write,
                             const WriteTreeOptions& options = {});

// By copy: the file may change or vanish afterwards. Pipes are read to their
// end; "-" is standard input.
ORBOX_EXPORT absl::StatusOr<Tree> ReadTree(const std::string& path,
                                           const ReadTreeOptions& options = {});

// From bytes, which may be at any address and are copied. `name` stands for the
// file in error messages.
ORBOX_EXPORT absl::StatusOr<Tree> DecodeTree(
    std::string_view bytes, std::string_view name,
    const ReadTreeOptions& options = {});

// By mapping: pages are shared with all processes that map the file. A regular
// file only; kInvalidArgument otherwise.
ORBOX_EXPORT absl::StatusOr<Tree> MapTree(const std::string& path,
                                          const MapTreeOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_FILE_H_
