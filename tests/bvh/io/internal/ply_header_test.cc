// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/ply_header.h"

#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_mesh.h"

namespace orbox::mesh_internal {
namespace {

using testing::HasSubstr;

absl::StatusOr<PlyHeader> ReadHeader(const std::string& text) {
  const ReadOptions options;
  return ReadPlyHeader({text, "t.ply", options});
}

// A header with `properties` more properties of vertices, and `elements` more
// elements.
std::string LongHeader(size_t properties, size_t elements) {
  std::string text = "ply\nformat ascii 1.0\n";
  for (size_t i = 0; i < elements; ++i) {
    text += "element e" + std::to_string(i) + " 0\nproperty int a\n";
  }
  text += "element vertex 3\n";
  for (const char* axis : {"x", "y", "z"}) {
    text += std::string("property float ") + axis + "\n";
  }
  for (size_t i = 0; i < properties; ++i) {
    text += "property float p" + std::to_string(i) + "\n";
  }
  return text +
         "element face 1\nproperty list uchar int vertex_indices\n"
         "end_header\n";
}

TEST(PlyHeaderTest, NamesAreComparedALogarithmOfTheirNumberOfTimes) {
  for (const size_t n : {10, 1000, 80'000}) {
    const absl::StatusOr<PlyHeader> header = ReadHeader(LongHeader(n, n));
    ASSERT_TRUE(header.ok()) << header.status();
    EXPECT_EQ(header->elements.size(), n + 2);
    EXPECT_EQ(header->elements[n].properties.size(), n + 3);
    // A balanced tree is at most twice as deep as it has to be. In libc++, the
    // name is compared twice at each node; elsewhere, once more at the end.
    const auto depth = static_cast<size_t>(std::bit_width(n + 3));
    EXPECT_LE(header->name_comparisons, (n + 3) * (4 * depth + 1) + n);
  }
}

TEST(PlyHeaderTest, ASecondPropertyOfOneNameIsAnErrorWhereverItIs) {
  std::string text = LongHeader(1000, 0);
  const std::string last = "property float p999\n";
  const size_t at = text.find(last);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, last.size(), "property float p0\n");
  EXPECT_THAT(std::string(ReadHeader(text).status().message()),
              HasSubstr("line 1006: a second property 'p0'"));
  // Elements do not share their names.
  EXPECT_TRUE(ReadHeader("ply\nformat ascii 1.0\nelement vertex 3\n"
                         "property float x\nproperty float y\n"
                         "property float z\nelement face 1\n"
                         "property float x\n"
                         "property list uchar int vertex_indices\nend_header\n")
                  .ok());
}

}  // namespace
}  // namespace orbox::mesh_internal
