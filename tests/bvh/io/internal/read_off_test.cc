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

class ReadOffTest : public meshes::ReaderTest<MeshFormat::kOff> {
 protected:
  static void ExpectSquare(const Mesh& mesh) {
    EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                              Vec3{1, 1, 0}, Vec3{0, 1, 0}));
    EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(0, 2, 3)));
  }
};

constexpr char kBody[] = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

TEST_F(ReadOffTest, EveryFormOfTheHeader) {
  const std::string body = kBody;
  ExpectSquare(Read("OFF\n4 2 5\n" + body));
  ExpectSquare(Read("OFF 4 2 5\n" + body));
  ExpectSquare(Read("OFF4 2 5\n" + body));
  ExpectSquare(Read("OFF\n4 2\n" + body));
  ExpectSquare(Read("4 2 5\n" + body));
  ExpectSquare(Read("# made by hand\n\nOFF # here\n# and\n\n4 2 5\n" + body));
  ExpectSquare(Read("\xef\xbb\xbfOFF\n4 2 5\n" + body));
}

TEST_F(ReadOffTest, WhatElseVerticesAndFacesCarry) {
  ExpectSquare(
      Read("COFF\n4 2 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n"
           "1 1 0 1 1 1 nan\n0 1 0 0 0 0 0 # black\n"
           "3 0 1 2 255 0 0\n3 0 2 3 0.5 0.5 0.5 1\n"));
  ExpectSquare(
      Read("NOFF\n4 2 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n"
           "0 1 0 0 0 1\n3 0 1 2 7\n3 0 2 3\n"));
  for (const std::string header : {"STOFF", "CNOFF", "NCOFF", "STCNOFF"}) {
    ExpectSquare(Read(header +
                      "\n4 2 0\n0 0 0 1 2 3\n1 0 0 1 2 3\n1 1 0 1 2 3\n"
                      "0 1 0 1 2 3\n3 0 1 2\n3 0 2 3\n"));
  }
}

TEST_F(ReadOffTest, PolygonsCommentsAndBlankLines) {
  ExpectSquare(
      Read("OFF\r\n4 1 0\r\n\r\n0 0 0\r\n# second\r\n1 0 0\r\n1 1 0\r\n"
           "0 1 0\r\n\r\n4 0 1\r\n2 3\r\n\r\n# end"));
}

TEST_F(ReadOffTest, ErrorsInTheHeader) {
  EXPECT_THAT(Error("solid"), HasSubstr("in place of OFF"));
  EXPECT_THAT(Error("4OFF\n1 1 0"), HasSubstr("another dimension"));
  EXPECT_THAT(Error("nOFF\n1 1 0"), HasSubstr("another dimension"));
  EXPECT_THAT(Error("OFF BINARY\n"), HasSubstr("file ends before"));
  EXPECT_THAT(Error("# only\n"), HasSubstr("blank"));
  EXPECT_THAT(Error("OFF\n"), HasSubstr("file ends"));
  EXPECT_THAT(Error("OFF\nx 2 3\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("'x'")));
  EXPECT_THAT(Error("OFF\n-4 2 3\n" + std::string(kBody)),
              HasSubstr("number of vertices is -4"));
  EXPECT_THAT(Error("OFF\n4 2 five\n" + std::string(kBody)),
              HasSubstr("'five'"));
}

TEST_F(ReadOffTest, CountsThatLieCostNothing) {
  EXPECT_THAT(Error("OFF\n4000000000 2 0\n" + std::string(kBody)),
              AllOf(HasSubstr("line 2"), HasSubstr("4000000000"),
                    HasSubstr("bytes follow")));
  EXPECT_THAT(Error("OFF\n4 4000000000 0\n" + std::string(kBody)),
              HasSubstr("number of faces is 4000000000"));
  EXPECT_THAT(Error("OFF\n9223372036854775807 1 0\n"), HasSubstr("too large"));
}

TEST_F(ReadOffTest, ErrorsInTheBodyNameTheLine) {
  EXPECT_THAT(Error("OFF\n4 2 0\n0 0 0\n1 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
              AllOf(HasSubstr("line 5"), HasSubstr("y coordinate of vertex 2"),
                    HasSubstr("no finite double")));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 zero\n3 0 1 2\n"),
              AllOf(HasSubstr("line 5"), HasSubstr("'zero'")));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 3\n"),
              AllOf(HasSubstr("line 6"), HasSubstr("vertex 3"),
                    HasSubstr("there are 3")));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 -1\n"),
              HasSubstr("vertex -1"));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n-2 0 1\n"),
              HasSubstr("number of corners of a face is -2"));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n4000000000 0 1 2\n"),
              HasSubstr("file ends before the corner 4 of 4000000000"));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2 red\n"),
              HasSubstr("'red'"));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n"),
              HasSubstr("file ends before the number of corners"));
  EXPECT_THAT(Error("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n3 0 2 1\n"),
              AllOf(HasSubstr("line 7"), HasSubstr("after the last of 1")));
  EXPECT_THAT(Error("OFF\n3 0 0\n0 0 0\n1 0 0\n1 1 0\n"),
              HasSubstr("without faces"));
}

}  // namespace
}  // namespace orbox
