// SPDX-License-Identifier: Apache-2.0

// Tree files that are damaged, cut or foreign: each is an error that names the
// fault. Those with right checksums: tree_file_contents_test.cc.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/tree_file_editor.h"
#include "tests/support/tree_file_errors.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;
using namespace tree_internal;  // NOLINT(google-build-using-namespace)

std::string SmallFile(Storage storage = Storage::kWide) {
  return *EncodeTree(*Build(meshes::Tetrahedron(), {.storage = storage}));
}

TEST(TreeFileHostileTest, CutAtEveryByte) {
  for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
    const std::string bytes = SmallFile(storage);
    for (size_t size = 0; size < bytes.size(); ++size) {
      SCOPED_TRACE(size);
      EXPECT_THAT(ErrorFor(std::string_view(bytes).substr(0, size)),
                  HasSubstr(size < 8 ? "is no tree file" : "it was cut"));
    }
    EXPECT_THAT(ErrorFor(bytes + "x"), HasSubstr("it was cut"));
  }
}

TEST(TreeFileHostileTest, FilesCutAtEveryByte) {
  const ScratchDirectory scratch;
  const std::string bytes = SmallFile();
  for (size_t size = 0; size < bytes.size(); size += 7) {
    const std::string path = scratch.Write("a", bytes.substr(0, size));
    ErrorOf(ReadTree(path).status(), path);
    ErrorOf(MapTree(path, {.check = TreeCheck::kHeader}).status(), path);
  }
}

TEST(TreeFileHostileTest, AFlipOfEveryBit) {
  for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
    std::string bytes = SmallFile(storage);
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      SCOPED_TRACE(bit);
      char& byte = bytes[bit / 8];
      byte = static_cast<char>(byte ^ (1 << (bit % 8)));
      ErrorFor(bytes);
      byte = static_cast<char>(byte ^ (1 << (bit % 8)));
    }
    EXPECT_TRUE(DecodeTree(bytes, "good").ok());
  }
}

TEST(TreeFileHostileTest, FlipsInFiles) {
  const ScratchDirectory scratch;
  std::string bytes = SmallFile();
  for (size_t i = 0; i < bytes.size(); i += 5) {
    SCOPED_TRACE(i);
    const char byte = bytes[i];
    bytes[i] = static_cast<char>(byte ^ (1 << (i % 8)));
    const std::string path = scratch.Write("a", bytes);
    ErrorOf(
        MapTree(path, {.check = TreeCheck::kChecksums, .threads = 1}).status(),
        path);
    ErrorOf(ReadTree(path, {.threads = 1}).status(), path);
    if (i < kFirstSection) {
      ErrorOf(MapTree(path, {.check = TreeCheck::kHeader}).status(), path);
    }
    bytes[i] = byte;
  }
}

TEST(TreeFileHostileTest, OtherMachinesAndVersions) {
  TreeFileEditor file(SmallFile());
  file.EditFront(
      [](TreeFileFront& front) { front.header.byte_order = kOtherByteOrder; });
  EXPECT_THAT(ErrorFor(file.Sealed()), HasSubstr("a machine with the other"));
  file.EditFront([](TreeFileFront& front) {
    front.header.byte_order = kByteOrder;
    front.header.version = kVersion + 1;
  });
  EXPECT_THAT(ErrorFor(file.Sealed()), HasSubstr("is of version 2"));
  // A later version may have another layout, so only the version is read.
  EXPECT_THAT(ErrorFor(file.bytes().substr(0, 500)), HasSubstr("version 2"));
}

}  // namespace
}  // namespace orbox
