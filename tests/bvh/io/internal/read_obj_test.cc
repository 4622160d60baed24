// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/mesh_bytes.h"

namespace orbox {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using ReadObjTest = meshes::ReaderTest<MeshFormat::kObj>;

constexpr char kSquare[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(ReadObjTest, VerticesAndFaces) {
  const Mesh mesh = Read("v 0 0 0\nv 1 0.5 -2e-3\nv 0 +1 .25\nf 1 2 3\n");
  EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0.5, -2e-3},
                                            Vec3{0, 1, 0.25}));
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2)));
}

TEST_F(ReadObjTest, EveryFormOfACorner) {
  const Mesh mesh =
      Read(std::string(kSquare) +
           "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
           "f 1/1/1 2/1/1 3/1/1\nf 1/ 2/ 3/\nf 1// 2// 3//\nf -4 -3 -2/-1/-1");
  EXPECT_THAT(TrianglesOf(mesh), SizeIs(7));
  EXPECT_THAT(TrianglesOf(mesh), testing::Each(T(0, 1, 2)));
}

TEST_F(ReadObjTest, NegativeIndicesCountFromTheFaceNotFromTheEnd) {
  const Mesh mesh = Read(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\n"
      "f -3 -2 -1\nv 9 9 9\n");
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(3, 4, 5)));
}

TEST_F(ReadObjTest, PolygonsAreFannedInFileOrder) {
  const Mesh mesh =
      Read(std::string(kSquare) + "v 2 2 2\nf 1 2 3 4 5\nf 4 3 2");
  EXPECT_THAT(TrianglesOf(mesh),
              ElementsAre(T(0, 1, 2), T(0, 2, 3), T(0, 3, 4), T(3, 2, 1)));
}

TEST_F(ReadObjTest, FacesMayComeBeforeTheirVertices) {
  const Mesh mesh = Read("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2)));
}

TEST_F(ReadObjTest, WeightsAndColoursAreNotCoordinates) {
  const Mesh mesh = Read(
      "v 0 0 0 1\nv 1 0 0 0.1 0.2 0.3\nv 0 1 0 0.1 0.2 0.3 nan # red\nf 1 2 3");
  EXPECT_THAT(VerticesOf(mesh),
              ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}));
}

TEST_F(ReadObjTest, OtherStatementsAreSkipped) {
  const Mesh mesh =
      Read("# comment \\\nmtllib C:\\models\\\no name\ng a b\ns off\n" +
           std::string(kSquare) +
           "vt 1 2\nvn 1 0 0\nvp 1\nusemtl red\\\nl 1 2 3\np 1\n"
           "curv 0 1 1 2 \\\n 3 4\ncstype bezier\n\n   \t \nf 1 2 3 # here\n"
           "fancy future statement\nend\n");
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2)));
  EXPECT_EQ(mesh.vertex_count(), 4u);
}

TEST_F(ReadObjTest, LinesContinueAfterABackslash) {
  const Mesh mesh = Read("v 0 0\\\n 0\nv 1 0 \\\r\n0\nv 0 1 0\nf 1 2\\\n 3\n");
  EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2)));
  EXPECT_EQ(mesh.vertices()[1], (Vec3{1, 0, 0}));
  // Line numbers count what an editor counts.
  EXPECT_THAT(Error("v 0 0\\\n 0\nv 1 0 \\\r\n0\nv 0 1 0\nf 1 2\\\n 9\n"),
              HasSubstr("line 7"));
}

TEST_F(ReadObjTest, AnyLineEndAndIndentation) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const Mesh mesh = Read("\xef\xbb\xbf# bom" + end + "v 0 0 0" + end +
                           "  v\t1 0 0  " + end + "v 0 1 0" + end + " f 1 2 3");
    EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2)));
  }
}

TEST_F(ReadObjTest, ErrorsNameTheLine) {
  EXPECT_THAT(Error("v 0\nf 1 1 1"),
              AllOf(HasSubstr("line 1"), HasSubstr("y coordinate")));
  EXPECT_THAT(
      Error("v 0 0 0\n\nv 0 x 0"),
      AllOf(HasSubstr("line 3"), HasSubstr("y coordinate"), HasSubstr("'x'")));
  EXPECT_THAT(Error("v 0 nan 0"),
              AllOf(HasSubstr("line 1"), HasSubstr("no finite double")));
  EXPECT_THAT(Error("v -inf 0 0"), HasSubstr("no finite double"));
  EXPECT_THAT(Error("v 1e999 0 0"), HasSubstr("no finite double"));
  EXPECT_THAT(Error("v 0 0 0 red"), HasSubstr("'red'"));
  EXPECT_THAT(Error("v 0 0 0#comment"), HasSubstr("'0#comment'"));
  EXPECT_THAT(Error("hello\n\x01\x02"), HasSubstr("line 2"));
  EXPECT_THAT(Error("0 0 0"), HasSubstr("no OBJ statement"));
}

TEST_F(ReadObjTest, ErrorsInFaces) {
  const std::string square = kSquare;
  EXPECT_THAT(Error(square + "f 1 2 3\nf 1 2 0\n"),
              AllOf(HasSubstr("line 6"), HasSubstr("counts from 1")));
  EXPECT_THAT(Error(square + "f 1 2 -5\n"),
              AllOf(HasSubstr("vertex -5"), HasSubstr("only 4")));
  EXPECT_THAT(Error(square + "f 1 2 3.5\n"), HasSubstr("'.5'"));
  EXPECT_THAT(Error(square + "f 1 2 3/x\n"), HasSubstr("'x'"));
  EXPECT_THAT(Error(square + "f 1 2 3/1/1/1\n"), HasSubstr("'/1'"));
  EXPECT_THAT(Error(square + "f 1 2 three\n"), HasSubstr("'three'"));
  EXPECT_THAT(Error(square + "f 1 2 99999999999999999999999\n"),
              HasSubstr("too large"));
  EXPECT_THAT(Error(square + "f 1 2 4294967297\n"), HasSubstr("at most"));
}

TEST_F(ReadObjTest, OutOfRangeNamesTheFirstFaceThatIs) {
  const std::string square = kSquare;
  EXPECT_THAT(
      Error(square + "f 1 2 3\nf 1 2 7\nf 1 2 9\nf 1 2 8\n"),
      AllOf(HasSubstr("line 6"), HasSubstr("vertex 7"), HasSubstr("has 4")));
  EXPECT_THAT(Error("f 1 2 3\nf 1 2 5\nf 4 6 9\n" + square),
              AllOf(HasSubstr("line 2"), HasSubstr("vertex 5")));
}

TEST_F(ReadObjTest, NoFacesIsAnError) {
  EXPECT_THAT(Error(kSquare),
              AllOf(HasSubstr("without faces"), HasSubstr("4 vertices")));
  EXPECT_THAT(Error("# nothing\n"), HasSubstr("without faces"));
  EXPECT_THAT(Error("\n"), HasSubstr("without faces"));
  EXPECT_THAT(Error(""), HasSubstr("is empty"));
}

}  // namespace
}  // namespace orbox
