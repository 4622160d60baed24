// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/tree_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"
#include "orbox/bvh/tree/internal/tree_file_front.h"
#include "orbox/bvh/tree/internal/verify_tree.h"

namespace orbox {
namespace {

using tree_internal::FrontBytes;
using tree_internal::kAlignment;
using tree_internal::kFirstSection;
using tree_internal::SectionRow;
using tree_internal::TreeFileFront;

using Bytes = std::span<const std::byte>;

// A buffer for a file, not initialised.
class Buffer {
 public:
  explicit Buffer(size_t size) : size_(size) {
    const size_t alignment =
        size >= 2 * os::kLargePage ? os::kLargePage : kAlignment;
    auto* const data = static_cast<std::byte*>(
        ::operator new(size, std::align_val_t(alignment)));
    owner_ = std::shared_ptr<std::byte>(data, [alignment](std::byte* p) {
      ::operator delete(p, std::align_val_t(alignment));
    });
    PreferLargePages(data, size);
  }

  std::span<std::byte> bytes() const { return {owner_.get(), size_}; }
  const std::shared_ptr<std::byte>& owner() const { return owner_; }

 private:
  size_t size_;
  std::shared_ptr<std::byte> owner_;
};

// Adds the name of the file to errors about contents. Errors of the system
// already have it.
absl::Status In(std::string_view name, const absl::Status& status) {
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(name), ": ", status.message()));
}

absl::Status OutOfMemory(std::string_view name) {
  return absl::ResourceExhaustedError(
      absl::StrCat(std::string(name), ": not enough memory to read it"));
}

// Returns a tree in the memory of `file`. Verifies its contents if `check` is
// kEverything. The caller verifies checksums.
absl::StatusOr<Tree> TreeIn(const TreeFileFront& front, Bytes file,
                            const std::shared_ptr<const void>& owner,
                            TreeCheck check, const Workers& workers) {
  tree_internal::TreeSections sections;
  for (size_t i = 0; i < tree_internal::kSectionCount; ++i) {
    tree_internal::Sections()[i].place(SectionOf(front.table[i], file), owner,
                                       sections);
  }
  if (check == TreeCheck::kEverything) {
    const absl::Status status =
        tree_internal::VerifyTree(front.header, sections, workers);
    if (!status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat(status.message(),
                                       ", though the checksums are right; "
                                       "build the tree again"));
    }
  }
  return Tree({.mesh = mesh_internal::MeshAccess::Make(
                   {.vertices = std::move(sections.vertices),
                    .triangles = std::move(sections.triangles),
                    .bounds = front.header.bounds,
                    .degenerate_count = front.header.degenerate_count}),
               .space = front.header.space,
               .nodes = std::move(sections.nodes),
               .leaves = std::move(sections.leaves),
               .corners = std::move(sections.corners),
               .compact_nodes = std::move(sections.compact_nodes),
               .compact_leaves = std::move(sections.compact_leaves),
               .volumes = static_cast<Volumes>(front.header.volumes),
               .depth = static_cast<int>(front.header.depth)});
}

// Reads a file that starts with `begin`. `read(offset, out)` reads the rest
// directly to its place in the tree.
template <typename Read>
absl::StatusOr<Tree> CopyTree(std::string_view name, Bytes begin,
                              size_t file_size, int threads, Read read) {
  const absl::StatusOr<TreeFileFront> front =
      tree_internal::ReadFront(begin, file_size);
  if (!front.ok()) return In(name, front.status());
  const Buffer buffer(file_size);
  const Workers workers(threads);
  const absl::Status sums = tree_internal::VerifyChecksums(
      *front, workers,
      [&](size_t offset, size_t size) -> absl::StatusOr<Bytes> {
        const std::span<std::byte> out = buffer.bytes().subspan(offset, size);
        if (absl::Status s = read(offset, out); !s.ok()) return s;
        return out;
      });
  if (!sums.ok()) return In(name, sums);
  absl::StatusOr<Tree> tree = TreeIn(*front, buffer.bytes(), buffer.owner(),
                                     TreeCheck::kEverything, workers);
  if (!tree.ok()) return In(name, tree.status());
  return tree;
}

absl::StatusOr<Tree> CopyTree(const InputFile& file, const std::string& path,
                              int threads) {
  std::array<std::byte, kFirstSection> memory;
  const std::span<std::byte> begin =
      std::span(memory).first(std::min(file.size(), kFirstSection));
  if (absl::Status s = file.ReadAt(0, begin); !s.ok()) return s;
  return CopyTree(path, begin, file.size(), threads,
                  [&file](size_t offset, std::span<std::byte> out) {
                    return file.ReadAt(offset, out);
                  });
}

absl::StatusOr<Tree> MapTreeFile(const std::string& path,
                                 const MapTreeOptions& options) {
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  // An empty file cannot be mapped.
  if (file->size() == 0) {
    return In(path, tree_internal::ReadFront({}, 0).status());
  }
  const absl::StatusOr<std::shared_ptr<const std::byte>> owner =
      file->Map(/*load=*/options.check != TreeCheck::kHeader);
  if (!owner.ok()) return owner.status();
  const Bytes bytes(owner->get(), file->size());
  const absl::StatusOr<TreeFileFront> front = tree_internal::ReadFront(
      bytes.first(std::min(bytes.size(), kFirstSection)), bytes.size());
  if (!front.ok()) return In(path, front.status());
  const Workers workers(options.check == TreeCheck::kHeader ? 1
                                                            : options.threads);
  if (options.check != TreeCheck::kHeader) {
    const absl::Status sums = tree_internal::VerifyChecksums(
        *front, workers,
        [&](size_t offset, size_t size) -> absl::StatusOr<Bytes> {
          return bytes.subspan(offset, size);
        });
    if (!sums.ok()) return In(path, sums);
  }
  absl::StatusOr<Tree> tree =
      TreeIn(*front, bytes, *owner, options.check, workers);
  if (!tree.ok()) return In(path, tree.status());
  return tree;
}

std::string_view CharsOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the pieces of the file, in order. Most of them are in the memory of
// the tree.
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

bool IsTreeFile(std::string_view bytes) {
  constexpr auto& kMagic = tree_internal::kMagic;
  return bytes.substr(0, kMagic.size()) ==
         std::string_view(kMagic.data(), kMagic.size());
}

bool IsTreeFileAt(const std::string& path) try {
  if (!IsRegularFile(path)) return false;
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  std::array<char, tree_internal::kMagic.size()> begin;
  return file.ok() && file->size() >= begin.size() &&
         file->ReadAt(0, std::as_writable_bytes(std::span(begin))).ok() &&
         IsTreeFile({begin.data(), begin.size()});
} catch (const std::bad_alloc&) {
  return false;
}

absl::StatusOr<Tree> ReadTree(const std::string& path,
                              const ReadTreeOptions& options) try {
  if (path != "-" && IsRegularFile(path)) {
    const absl::StatusOr<InputFile> file = InputFile::Open(path);
    if (!file.ok()) return file.status();
    return CopyTree(*file, path, options.threads);
  }
  const absl::StatusOr<FileBytes> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  return DecodeTree(file->view(), path == "-" ? "standard input" : path,
                    options);
} catch (const std::bad_alloc&) {
  return OutOfMemory(path);
}

absl::StatusOr<Tree> DecodeTree(std::string_view bytes, std::string_view name,
                                const ReadTreeOptions& options) try {
  const Bytes all = std::as_bytes(std::span(bytes.data(), bytes.size()));
  return CopyTree(name, all.first(std::min(all.size(), kFirstSection)),
                  all.size(), options.threads,
                  [all](size_t offset, std::span<std::byte> out) {
                    std::memcpy(out.data(), all.data() + offset, out.size());
                    return absl::OkStatus();
                  });
} catch (const std::bad_alloc&) {
  return OutOfMemory(name);
}

absl::StatusOr<Tree> MapTree(const std::string& path,
                             const MapTreeOptions& options) try {
  return MapTreeFile(path, options);
} catch (const std::bad_alloc&) {
  return OutOfMemory(path);
}

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
