// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using meshes::ByteWriter;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using ReadStlTest = meshes::ReaderTest<MeshFormat::kStl>;

std::string Facet(const std::string& a, const std::string& b,
                  const std::string& c) {
  return "  facet normal 0 0 1\n    outer loop\n      vertex " + a +
         "\n      vertex " + b + "\n      vertex " + c +
         "\n    endloop\n  endfacet\n";
}

std::string Binary(const std::string& header, const std::vector<float>& corners,
                   uint32_t count) {
  ByteWriter writer(std::endian::little);
  std::string padded = header;
  padded.resize(80, '\0');
  writer.Text(padded).Number(count);
  for (size_t i = 0; i < corners.size(); i += 9) {
    for (int k = 0; k < 3; ++k) writer.Number(0.0f);
    for (size_t k = 0; k < 9; ++k) writer.Number(corners[i + k]);
    writer.Number(uint16_t{0xffff});
  }
  return writer.bytes();
}

// Two triangles with a common side, and zeros of both signs.
const std::vector<float> kTwo = {0, 0, 0,     1, 0, 0, 0, 1, 0,
                                 0, 1, -0.0f, 1, 0, 0, 1, 1, 0.25f};

TEST_F(ReadStlTest, AsciiWeldsEqualCornersInOrderOfFirstOccurrence) {
  const Mesh mesh =
      Read("solid part\n" + Facet("0 0 0", "1 0 0", "0 1 0") +
           Facet("0 1 -0.0", "1e0 0 0", "1 1 .25") + "endsolid part\n");
  EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                            Vec3{0, 1, 0}, Vec3{1, 1, 0.25}));
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(2, 1, 3)));
}

TEST_F(ReadStlTest, AsciiIsReadInDouble) {
  const Mesh mesh =
      Read("solid\n" + Facet("0.1 0 0", "1 0 0", "0 1 0") + "endsolid");
  EXPECT_EQ(mesh.vertices()[0].x, 0.1);
}

TEST_F(ReadStlTest, SeveralSolidsAnyCaseAnyLayout) {
  const Mesh mesh = Read(
      "SOLID one with a long name\r\nFACET NORMAL nan nan nan OUTER LOOP\r\n"
      "VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 1 0 ENDLOOP ENDFACET\r\n"
      "ENDSOLID one with a long name\r\n\r\nsolid\r\n" +
      Facet("5 5 5", "6 5 5", "5 6 5") + "endsolid");
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(3, 4, 5)));
}

TEST_F(ReadStlTest, Binary) {
  for (const std::string header :
       {"", "made by hand", "solid part", "solid\n"}) {
    const Mesh mesh = Read(Binary(header, kTwo, 2));
    EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                              Vec3{0, 1, 0}, Vec3{1, 1, 0.25}));
    EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(2, 1, 3)));
  }
  // Even a header that has "solid" and is blank to the end.
  const std::string padded = "solid" + std::string(75, ' ');
  EXPECT_EQ(Read(Binary(padded, kTwo, 2)).triangle_count(), 2u);
}

TEST_F(ReadStlTest, BinaryCountsThatLie) {
  EXPECT_THAT(Error(Binary("x", kTwo, 4000000000u)),
              AllOf(HasSubstr("byte 80"), HasSubstr("4000000000 facets"),
                    HasSubstr("cut short")));
  EXPECT_THAT(Error(Binary("solid", kTwo, 3)), HasSubstr("cut short"));
  EXPECT_THAT(Error(Binary("x", kTwo, 0)), HasSubstr("remove what follows"));
  EXPECT_THAT(Error(Binary("x", {}, 0)), HasSubstr("without facets"));
  EXPECT_THAT(Error("x"), AllOf(HasSubstr("byte 1"), HasSubstr("header")));
}

TEST_F(ReadStlTest, BinaryCoordinatesHaveToBeFinite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          -std::numeric_limits<float>::infinity()}) {
    std::vector<float> corners = kTwo;
    corners[9 + 4] = bad;
    // The second corner of the second facet: 84 + 50 + 12 + 12.
    EXPECT_THAT(Error(Binary("x", corners, 2)),
                AllOf(HasSubstr("byte 158"), HasSubstr("corner 1 of facet 1"),
                      HasSubstr("not finite")));
  }
}

TEST_F(ReadStlTest, AsciiErrorsNameTheLine) {
  const std::string good = Facet("0 0 0", "1 0 0", "0 1 0");
  EXPECT_THAT(Error("solid\n" + Facet("0 0 0", "1 nan 0", "0 1 0")),
              AllOf(HasSubstr("line 5"), HasSubstr("no finite double")));
  EXPECT_THAT(Error("solid\n" + Facet("0 0 0", "1 0 o", "0 1 0")),
              AllOf(HasSubstr("line 5"), HasSubstr("'o'")));
  EXPECT_THAT(Error("solid\n" + Facet("0 0 0", "1 0", "0 1 0")),
              AllOf(HasSubstr("line 5"), HasSubstr("line ends")));
  EXPECT_THAT(Error("solid\n" + Facet("0 0 0", "1 0 0 0", "0 1 0")),
              AllOf(HasSubstr("line 5"), HasSubstr("'0' stands where vertex")));
  EXPECT_THAT(Error("solid\n" + Facet("0 0 0", "1 0 0\nvertex 1 1 1", "0 1 0")),
              HasSubstr("more than 3"));
  EXPECT_THAT(Error("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                    "vertex 0 1 0\nendloop\n"),
              AllOf(HasSubstr("line 6"), HasSubstr("fewer than 3")));
  EXPECT_THAT(Error("solid\n" + good + "facet"), HasSubstr("cut short"));
  EXPECT_THAT(Error("solid\n" + good + "endsolid\nrubbish\n"),
              AllOf(HasSubstr("line 10"), HasSubstr("'rubbish'")));
  EXPECT_THAT(Error("solid x\nendsolid x\n"), HasSubstr("without facets"));
  EXPECT_THAT(Error("solid\nfoo\n"), HasSubstr("facet or endsolid"));
}

TEST_F(ReadStlTest, CutAnywhereItIsRefused) {
  const std::string facet = "solid a\n" + Facet("0 0 0", "1 0 0", "0 1 0");
  const std::string text = facet + "endsolid a";
  const std::string binary = Binary("solid", kTwo, 2);
  // Without the name, and all that "endsolid" is, the text is whole.
  for (size_t n = 0; n + 2 < text.size(); ++n) {
    // Between a facet and "endsolid", it has a note (read_notes_test.cc).
    if (n + 1 == facet.size() || n == facet.size()) continue;
    EXPECT_THAT(Error(text.substr(0, n)), StartsWith("bad: ")) << n;
  }
  for (size_t n = 0; n < binary.size(); ++n) {
    EXPECT_THAT(Error(binary.substr(0, n)), StartsWith("bad: ")) << n;
  }
}

TEST_F(ReadStlTest, ManyFacetsWithFewCorners) {
  std::vector<float> corners;
  for (int i = 0; i < 5000; ++i) {
    for (int k = 0; k < 9; ++k) {
      corners.push_back(static_cast<float>((i * 7 + k * 3) % 5));
    }
  }
  const Mesh mesh = Read(Binary("x", corners, 5000));
  EXPECT_LE(mesh.vertex_count(), 125u);
  EXPECT_EQ(mesh.triangle_count(), 5000u);
  for (size_t i = 0; i < corners.size(); i += 9) {
    const Triangle t = mesh.triangle(i / 9);
    ASSERT_EQ(t.b, (Vec3{corners[i + 3], corners[i + 4], corners[i + 5]}));
  }
}

}  // namespace
}  // namespace orbox
