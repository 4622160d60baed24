// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/mesh_bytes.h"

namespace orbox {
namespace {

using meshes::ByteWriter;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ReadPlyTest : public meshes::ReaderTest<MeshFormat::kPly> {
 protected:
  static void ExpectSquare(const Mesh& mesh) {
    EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                              Vec3{1, 1, 0.5}, Vec3{0, 1, 0}));
    EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(0, 1, 2), T(0, 2, 3)));
  }
};

constexpr char kXyz[] =
    "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
constexpr char kFaces[] =
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
constexpr char kSquareBody[] = "0 0 0\n1 0 0\n1 1 0.5\n0 1 0\n4 0 1 2 3\n";

std::string Ascii(const std::string& rest) {
  return "ply\nformat ascii 1.0\n" + rest;
}

TEST_F(ReadPlyTest, Ascii) {
  ExpectSquare(Read(Ascii(kXyz) + kFaces + kSquareBody));
  ExpectSquare(Read(Ascii(kXyz) + kFaces + kSquareBody + "\n  \n"));
}

TEST_F(ReadPlyTest, AsciiWithAnyLineEnd) {
  for (const std::string end : {"\r\n", "\r"}) {
    std::string text;
    for (const char c : Ascii(kXyz) + kFaces + kSquareBody) {
      text += c == '\n' ? end : std::string(1, c);
    }
    ExpectSquare(Read(text));
  }
}

TEST_F(ReadPlyTest, AsciiIsReadInDoubleWhateverTheDeclaredType) {
  const Mesh mesh = Read(Ascii(kXyz) + kFaces +
                         "0.1 0 0\n1 0 0\n1 1 0.5\n0 1 0\n4 0 1 2 3\n");
  EXPECT_EQ(mesh.vertices()[0].x, 0.1);
}

TEST_F(ReadPlyTest, CommentsOrderExtrasAndOtherElements) {
  ExpectSquare(Read(
      "ply\ncomment made by hand\nformat ascii 1.0\nobj_info anything at all\n"
      "element camera 2\nproperty list int float matrix\nproperty double f\n"
      "element nothing 5\n"
      "element face 1\ncomment faces first\nproperty uchar flags\n"
      "property list uint8 uint32 vertex_index\n"
      "property list uchar float texcoord\n"
      "element vertex 4\nproperty float nx\nproperty float64 z\n"
      "property list uchar short tags\nproperty int32 x\nproperty float32 y\n"
      "property uchar red\nend_header\n"
      "2 1.5 2.5 7\n0 nan\n"
      "255 4 0 1 2 3 8 0 0 0 1 1 1 1 0\n"
      "nan 0 0 0 0 9\n0 0 1 5 1 0 9\nnan 0.5 3 1 2 3 1 1 9\n1 0 2 4 4 0 1 "
      "9\n"));
}

TEST_F(ReadPlyTest, TriangleStrips) {
  const std::string vertices =
      "element vertex 5\nproperty float x\nproperty float y\n"
      "property float z\nelement tristrips 1\n"
      "property list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";
  EXPECT_THAT(TrianglesOf(Read(Ascii(vertices) + "9 0 1 2 3 4 -1 4 3 2\n")),
              ElementsAre(T(0, 1, 2), T(2, 1, 3), T(2, 3, 4), T(4, 3, 2)));
  // Separators at either end, doubled, and strips too short for a triangle.
  EXPECT_THAT(
      TrianglesOf(Read(Ascii(vertices) + "12 -1 -1 0 1 -1 3 -1 0 1 2 -1 -1\n")),
      ElementsAre(T(0, 1, 2)));
  EXPECT_THAT(Error(Ascii(vertices) + "4 0 1 2 -2\n"),
              AllOf(HasSubstr("line 15"), HasSubstr("vertex -2")));
  EXPECT_THAT(Error(Ascii(vertices) + "2 0 1\n"), HasSubstr("without faces"));
}

TEST_F(ReadPlyTest, FacesAndStripsTogetherKeepTheirOrder) {
  EXPECT_THAT(
      TrianglesOf(Read(Ascii("element tristrips 1\n"
                             "property list uchar int vertex_indices\n") +
                       kXyz + kFaces + "4 3 2 1 0\n" + kSquareBody)),
      ElementsAre(T(3, 2, 1), T(1, 2, 0), T(0, 1, 2), T(0, 2, 3)));
}

std::string BinaryHeader(std::endian order, const std::string& rest) {
  return std::string("ply\nformat binary_") +
         (order == std::endian::little ? "little" : "big") + "_endian 1.0\n" +
         rest;
}

template <typename Coordinate, typename Length, typename Index>
std::string BinarySquare(std::endian order, const std::string& coordinate,
                         const std::string& length, const std::string& index) {
  ByteWriter out(order);
  out.Text(BinaryHeader(
      order, "element vertex 4\nproperty " + coordinate + " x\nproperty " +
                 coordinate + " y\nproperty double z\n" +
                 "element face 1\nproperty list " + length + " " + index +
                 " vertex_indices\nend_header\n"));
  const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {0, 1, 0}};
  for (const auto& p : points) {
    out.Number(static_cast<Coordinate>(p[0]))
        .Number(static_cast<Coordinate>(p[1]))
        .Number(p[2]);
  }
  out.Number(Length{4});
  for (int i = 0; i < 4; ++i) out.Number(static_cast<Index>(i));
  return out.bytes();
}

TEST_F(ReadPlyTest, BinaryInBothOrdersAndEveryType) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    ExpectSquare(Read(
        BinarySquare<float, uint8_t, int32_t>(order, "float", "uchar", "int")));
    ExpectSquare(Read(BinarySquare<float, int8_t, uint32_t>(order, "float32",
                                                            "int8", "uint32")));
    ExpectSquare(Read(BinarySquare<double, uint16_t, int16_t>(
        order, "float64", "ushort", "short")));
    ExpectSquare(Read(BinarySquare<int8_t, int16_t, uint16_t>(
        order, "char", "int16", "uint16")));
    ExpectSquare(Read(BinarySquare<uint8_t, int32_t, uint8_t>(
        order, "uint8", "int32", "uint8")));
    ExpectSquare(Read(BinarySquare<int16_t, uint32_t, int8_t>(order, "short",
                                                              "uint", "char")));
    ExpectSquare(Read(BinarySquare<uint32_t, uint32_t, int32_t>(
        order, "uint", "uint32", "int32")));
  }
}

TEST_F(ReadPlyTest, BinaryValuesAreExact) {
  ByteWriter out(std::endian::big);
  out.Text(
      BinaryHeader(std::endian::big,
                   "element vertex 3\nproperty float x\nproperty double y\n"
                   "property int z\nelement face 1\n"
                   "property list uchar uint vertex_indices\nend_header\n"));
  out.Number(0.1f).Number(0.1).Number(int32_t{-2147483647});
  out.Number(-0.0f).Number(1e-60).Number(int32_t{7});
  out.Number(3e38f).Number(-1e60).Number(int32_t{0});
  out.Number(uint8_t{3});
  for (uint32_t i = 0; i < 3; ++i) out.Number(i);
  EXPECT_THAT(VerticesOf(Read(out.bytes())),
              ElementsAre(Vec3{0.1f, 0.1, -2147483647}, Vec3{0, 1e-60, 7},
                          Vec3{3e38f, -1e60, 0}));
}

// The border of the range of numbers (shapes/range.h), in bytes and in text.
TEST_F(ReadPlyTest, WhatIsTooLargeIsRefusedAndWhatIsTooSmallIsZero) {
  const auto binary = [&](double x) {
    ByteWriter out(std::endian::little);
    out.Text(
        BinaryHeader(std::endian::little,
                     "element vertex 2\nproperty double x\nproperty double y\n"
                     "property double z\nelement face 1\n"
                     "property list uchar uint vertex_indices\nend_header\n"));
    for (int i = 0; i < 3; ++i) out.Number(1.0);
    out.Number(x).Number(0.0).Number(0.0);
    out.Number(uint8_t{3});
    for (const uint32_t i : {0, 1, 1}) out.Number(i);
    return out.bytes();
  };
  EXPECT_THAT(VerticesOf(Read(binary(1e-70))),
              ElementsAre(Vec3{1, 1, 1}, Vec3{0, 0, 0}));
  EXPECT_THAT(Error(binary(-1e70)),
              AllOf(HasSubstr("byte "), HasSubstr("vertex 1 is too large"),
                    HasSubstr("at most 2^200 (1.6e60) in size"),
                    HasSubstr("scale the model by 2^-33")));
  const std::string head = Ascii(kXyz) + kFaces;
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1e70 0\n0 1 0\n4 0 1 2 3\n"),
              AllOf(HasSubstr("vertex 2 is (1, 1e+70, 0)"),
                    HasSubstr("scale the model by 2^-33")));
  EXPECT_EQ(VerticesOf(Read(head + "0 0 0\n1 1e-70 0\n1 1 0\n0 1 0\n"
                                   "4 0 1 2 3\n"))[1],
            (Vec3{1, 0, 0}));
}

TEST_F(ReadPlyTest, BinaryExtrasOtherElementsAndStrips) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    ByteWriter out(order);
    out.Text(BinaryHeader(
        order,
        "element other 2\nproperty short a\nproperty double b\n"
        "element lists 1\nproperty list ushort double c\nproperty char d\n"
        "element tristrips 1\nproperty uchar flags\n"
        "property list int int vertex_indices\n"
        "element vertex 4\nproperty uchar red\nproperty float x\n"
        "property list uchar short tags\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar float uv\n"
        "property list uchar ushort vertex_index\nproperty int material\n"
        "end_header\n"));
    for (int i = 0; i < 2; ++i) out.Number(int16_t{1}).Number(2.0);
    out.Number(uint16_t{2}).Number(1.0).Number(2.0).Number(int8_t{3});
    out.Number(uint8_t{9}).Number(int32_t{5});
    for (const int32_t v : {3, 2, 1, -1, 0}) out.Number(v);
    const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {0, 1, 0}};
    for (uint8_t i = 0; i < 4; ++i) {
      out.Number(uint8_t{255}).Number(points[i][0]).Number(i);
      for (uint8_t k = 0; k < i; ++k) out.Number(int16_t{-1});
      out.Number(points[i][1]).Number(points[i][2]);
    }
    out.Number(uint8_t{2}).Number(1.0f).Number(2.0f);
    out.Number(uint8_t{3});
    for (const uint16_t v : {0, 1, 2}) out.Number(v);
    out.Number(int32_t{-5});
    const Mesh mesh = Read(out.bytes());
    EXPECT_THAT(VerticesOf(mesh), ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                              Vec3{1, 1, 0.5}, Vec3{0, 1, 0}));
    EXPECT_THAT(TrianglesOf(mesh), ElementsAre(T(3, 2, 1), T(0, 1, 2)));
  }
}

TEST_F(ReadPlyTest, BinaryHeadersMayEndLinesInCrLf) {
  std::string bytes = BinarySquare<float, uint8_t, int32_t>(
      std::endian::little, "float", "uchar", "int");
  const size_t body = bytes.find("end_header\n") + 11;
  std::string header;
  for (const char c : bytes.substr(0, body)) {
    header += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  ExpectSquare(Read(header + bytes.substr(body)));
}

TEST_F(ReadPlyTest, ErrorsInTheHeaderNameTheLine) {
  const std::string faces = kFaces;
  EXPECT_THAT(Error("plz\n"), HasSubstr("not 'ply'"));
  EXPECT_THAT(Error("ply\nformat ascii 1.0\nelement vertex 4\n"),
              HasSubstr("end_header"));
  EXPECT_THAT(Error("ply\nformat ascii 2.0\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("'2.0'")));
  EXPECT_THAT(Error("ply\nformat utf8 1.0\n"), HasSubstr("'utf8'"));
  EXPECT_THAT(Error("ply\nformat ascii 1.0\nformat ascii 1.0\n"),
              HasSubstr("second 'format'"));
  EXPECT_THAT(Error(std::string("ply\n") + kXyz + faces),
              HasSubstr("no 'format'"));
  EXPECT_THAT(Error(Ascii("property float x\n")),
              AllOf(HasSubstr("line 3"), HasSubstr("before any element")));
  EXPECT_THAT(Error(Ascii("element vertex 4\nelephant vertex 4\n")),
              HasSubstr("'elephant'"));
  EXPECT_THAT(Error(Ascii("element vertex\n")),
              HasSubstr("number of 'vertex'"));
  EXPECT_THAT(Error(Ascii("element vertex 4 4\n")),
              HasSubstr("one word too many"));
  EXPECT_THAT(Error(Ascii("element vertex -4\n")), HasSubstr("is -4"));
  EXPECT_THAT(Error(Ascii("element vertex 4\nproperty real x\n")),
              HasSubstr("'real'"));
  EXPECT_THAT(Error(Ascii("element vertex 4\nproperty float\n")),
              HasSubstr("without name"));
  EXPECT_THAT(Error(Ascii("element vertex 4\nproperty float x\n"
                          "property int x\n")),
              HasSubstr("second property 'x'"));
  EXPECT_THAT(Error(Ascii("element face 1\nproperty list float int i\n")),
              HasSubstr("no integer type"));
}

TEST_F(ReadPlyTest, ErrorsInWhatTheHeaderDeclares) {
  EXPECT_THAT(Error(Ascii(kFaces)), HasSubstr("no element 'vertex'"));
  EXPECT_THAT(Error(Ascii(kXyz) + "end_header\n"),
              HasSubstr("neither 'face' nor 'tristrips'"));
  EXPECT_THAT(Error(Ascii(std::string(kXyz) + kXyz) + kFaces),
              AllOf(HasSubstr("line 7"), HasSubstr("second element")));
  EXPECT_THAT(Error(Ascii("element vertex 4\nproperty float x\n"
                          "property float y\n") +
                    kFaces),
              AllOf(HasSubstr("line 3"), HasSubstr("no number 'z'")));
  EXPECT_THAT(Error(Ascii("element vertex 4\nproperty float x\n"
                          "property float y\nproperty list uchar int z\n") +
                    kFaces),
              HasSubstr("no number 'z'"));
  EXPECT_THAT(
      Error(Ascii(kXyz) + "element face 1\nproperty list uchar int ids\n"
                          "end_header\n"),
      HasSubstr("no list 'vertex_indices'"));
  EXPECT_THAT(Error(Ascii(kXyz) + "element face 1\nproperty list uchar float "
                                  "vertex_indices\nend_header\n"),
              HasSubstr("no integer type"));
  EXPECT_THAT(Error(Ascii("element vertex 4000000000\nproperty float x\n"
                          "property float y\nproperty float z\n") +
                    kFaces + "0 0 0\n"),
              HasSubstr("at most"));
}

TEST_F(ReadPlyTest, ErrorsInTheTextNameTheLine) {
  const std::string head = Ascii(kXyz) + kFaces;  // 9 lines
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 inf 0\n0 1 0\n4 0 1 2 3\n"),
              AllOf(HasSubstr("line 12"), HasSubstr("'y'"),
                    HasSubstr("no finite double")));
  EXPECT_THAT(Error(head + "0 0 0\n1 0\n"),
              AllOf(HasSubstr("line 11"), HasSubstr("'z'")));
  // Values of the next row are no rest of this one.
  EXPECT_THAT(Error(head + "0 0\n1 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"),
              AllOf(HasSubstr("line 10"), HasSubstr("the line ends before")));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n"),
              AllOf(HasSubstr("file ends before 'vertex' 3 of 4")));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 1\n"),
              HasSubstr("without faces"));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 4\n"),
              AllOf(HasSubstr("vertex 4"), HasSubstr("there are 4")));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 -1\n"),
              HasSubstr("vertex -1"));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n-3 0 1 1\n"),
              HasSubstr("is -3"));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4000000000 0 1 2\n"),
              AllOf(HasSubstr("line 14"), HasSubstr("line ends")));
  EXPECT_THAT(Error(head + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2.0\n"),
              HasSubstr("'2.0'"));
  EXPECT_THAT(Error(head + kSquareBody + "extra\n"),
              AllOf(HasSubstr("line 15"), HasSubstr("after the last")));
}

TEST_F(ReadPlyTest, ErrorsInBinaryNameTheByte) {
  const std::string good = BinarySquare<float, uint8_t, int32_t>(
      std::endian::little, "float", "uchar", "int");
  const size_t body = good.find("end_header\n") + 11;
  const size_t face = body + 4 * 16;
  EXPECT_THAT(Error(good + "x"),
              AllOf(HasSubstr("byte " + std::to_string(good.size())),
                    HasSubstr("1 bytes more")));

  std::string bad = good;
  bad[face] = static_cast<char>(255);
  EXPECT_THAT(Error(bad),
              AllOf(HasSubstr("length 255"), HasSubstr("16 bytes are left")));
  bad = good;
  bad[face + 1] = 4;
  EXPECT_THAT(Error(bad), HasSubstr("vertex 4"));
  bad = good;
  bad[body + 16 + 3] = bad[body + 16 + 2] = static_cast<char>(0x7f);
  bad[body + 16 + 2] = static_cast<char>(0xc0);  // x of vertex 1 is NaN
  EXPECT_THAT(Error(bad),
              AllOf(HasSubstr("byte " + std::to_string(body + 16)),
                    HasSubstr("vertex 1"), HasSubstr("not finite")));
}

TEST_F(ReadPlyTest, CountsThatLieCostNothing) {
  const std::string body(60, '\0');
  const std::string faces =
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string xyz =
      "property float x\nproperty float y\nproperty float z\n";
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    EXPECT_THAT(
        Error(BinaryHeader(order, "element vertex 2000000000\n" + xyz + faces) +
              body),
        AllOf(HasSubstr("'vertex' 5 of 2000000000"),
              HasSubstr("count in line 3")));
    EXPECT_THAT(Error(BinaryHeader(order,
                                   "element x 9223372036854775\n"
                                   "property double a\nelement vertex 4\n" +
                                       xyz + faces) +
                      body),
                HasSubstr("'x' 7 of 9223372036854775"));
    // Elements that take no bytes are no work, however many there are.
    EXPECT_THAT(Error(BinaryHeader(order,
                                   "element x 9223372036854775\n"
                                   "element vertex 5\n" +
                                       xyz + faces) +
                      body),
                HasSubstr("'face'"));
  }
  ByteWriter list(std::endian::little);
  list.Text(BinaryHeader(std::endian::little,
                         "element vertex 1\n" + xyz +
                             "element face 1\nproperty list uint int "
                             "vertex_indices\nend_header\n"));
  list.Number(0.0f).Number(0.0f).Number(0.0f).Number(uint32_t{4000000000u});
  EXPECT_THAT(Error(list.bytes()), HasSubstr("length 4000000000"));
  EXPECT_THAT(
      Error(Ascii("element vertex 2000000000\n" + xyz) + kFaces + "0 0 0\n"),
      HasSubstr("'vertex' 1 of 2000000000"));
}

}  // namespace
}  // namespace orbox
