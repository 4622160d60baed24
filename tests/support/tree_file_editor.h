// SPDX-License-Identifier: Apache-2.0

// Tree files with something changed in them, and checksums that are right all
// the same: what a reader must not be fooled by.
//
//   TreeFileEditor file(*EncodeTree(tree));
//   file.Edit<Node>(kNodes, 1, [](Node& node) { node.count = 9; });
//   DecodeTree(file.Sealed(), "hostile");
#ifndef ORBOX_TESTS_SUPPORT_TREE_FILE_EDITOR_H_
#define ORBOX_TESTS_SUPPORT_TREE_FILE_EDITOR_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"

namespace orbox {

class TreeFileEditor {
 public:
  explicit TreeFileEditor(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string& bytes() { return bytes_; }

  // Both copy, as the bytes need not be aligned.
  tree_internal::TreeFileFront Front() const {
    tree_internal::TreeFileFront front;
    std::memcpy(&front.header, bytes_.data(), sizeof front.header);
    std::memcpy(front.table.data(), bytes_.data() + sizeof front.header,
                sizeof front.table);
    return front;
  }
  void SetFront(const tree_internal::TreeFileFront& front) {
    std::memcpy(bytes_.data(), &front.header, sizeof front.header);
    std::memcpy(bytes_.data() + sizeof front.header, front.table.data(),
                sizeof front.table);
  }

  template <typename Change>
  TreeFileEditor& EditFront(Change change) {
    tree_internal::TreeFileFront front = Front();
    change(front);
    SetFront(front);
    return *this;
  }

  // Element `index` of a section, which holds Ts.
  template <typename T, typename Change>
  TreeFileEditor& Edit(tree_internal::Section section, size_t index,
                       Change change) {
    char* const at =
        bytes_.data() + Front().table[section].offset + index * sizeof(T);
    T element;
    std::memcpy(static_cast<void*>(&element), at, sizeof element);
    change(element);
    std::memcpy(at, static_cast<const void*>(&element), sizeof element);
    return *this;
  }

  // The bytes with their checksums made right, as far as sections are there.
  std::string Sealed() const {
    if (bytes_.size() < tree_internal::kFirstSection) return bytes_;
    TreeFileEditor sealed(bytes_);
    sealed.EditFront([&](tree_internal::TreeFileFront& front) {
      const auto all = std::as_bytes(std::span(bytes_));
      for (tree_internal::SectionEntry& entry : front.table) {
        if (entry.offset > all.size()) continue;
        // Multiplying wraps around, and may; min sees to the rest.
        const size_t size = tree_internal::RoundUpToAlignment(
            entry.count * entry.element_bytes);
        entry.checksum = tree_internal::ChecksumOf(all.subspan(
            entry.offset, std::min(size, all.size() - entry.offset)));
      }
      front.header.checksum = tree_internal::ChecksumOfFront(front);
    });
    return sealed.bytes_;
  }

 private:
  std::string bytes_;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_TREE_FILE_EDITOR_H_
