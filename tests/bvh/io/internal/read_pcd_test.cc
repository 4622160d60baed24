// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/internal/pcd_points.h"

namespace orbox {
namespace {

using mesh_internal::AppendLittle;
using mesh_internal::AppendLittleFloat;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// As the Point Cloud Library writes it.
std::string HeaderOf(std::string_view data, int points) {
  const std::string count = std::to_string(points);
  return "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
         "FIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH " +
         count + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + count +
         "\nDATA " + std::string(data) + "\n";
}

std::vector<Vec3> PointsOf(const std::string& bytes,
                           const ReadOptions& options = {}) {
  EXPECT_TRUE(IsPcdFile(bytes));
  const auto points = ReadPcdPoints(bytes, "a.pcd", options);
  EXPECT_TRUE(points.ok()) << points.status();
  return points.ok() ? *points : std::vector<Vec3>();
}

std::string ErrorOf(const std::string& bytes) {
  const auto points = ReadPcdPoints(bytes, "a.pcd");
  EXPECT_EQ(points.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(points.status().message());
}

TEST(ReadPcdTest, Text) {
  EXPECT_THAT(
      PointsOf(HeaderOf("ascii", 2) + "0.5 -1 2e3 4.2e+06\n\n3 4 5 nan\n"),
      ElementsAre(Vec3{0.5, -1, 2000}, Vec3{3, 4, 5}));
  EXPECT_THAT(PointsOf(HeaderOf("ascii", 0)), SizeIs(0));
}

// Fields of any order, type and number; an old header without COUNT and POINTS;
// lines of Windows.
TEST(ReadPcdTest, FieldsByName) {
  EXPECT_THAT(
      PointsOf("VERSION .5\r\nCOLUMNS id z normal y x\r\nSIZE 4 8 4 4 2\r\n"
               "TYPE U F F F I\r\nCOUNT 1 1 3 1 1\r\nWIDTH 1\r\nHEIGHT 2\r\n"
               "DATA ascii\r\n7 3 0 0 1 2 1\r\n8 6 0 0 1 5 4\r\n"),
      ElementsAre(Vec3{1, 2, 3}, Vec3{4, 5, 6}));
  EXPECT_THAT(PointsOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\n"
                       "HEIGHT 1\nDATA ascii\n1 2 3\n"),
              ElementsAre(Vec3{1, 2, 3}));
}

TEST(ReadPcdTest, Binary) {
  std::string bytes = HeaderOf("binary", 2);
  for (const float value : {1.5F, 2.F, -3.F, 99.F, 4.F, 5.F, 0.1F, 99.F}) {
    AppendLittleFloat(value, bytes);
  }
  EXPECT_THAT(PointsOf(bytes),
              ElementsAre(Vec3{1.5, 2, -3}, Vec3{4, 5, double{0.1F}}));
  std::vector<ReadNote> notes;
  EXPECT_THAT(PointsOf(bytes + "xyz", {.notes = &notes}), SizeIs(2));
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(TextOf(notes[0]),
            "bytes after the last point, skipped: 3, the first at byte " +
                std::to_string(bytes.size()));
  EXPECT_THAT(ErrorOf(bytes.substr(0, bytes.size() - 1)),
              HasSubstr("2 points of 16 bytes do not fit the 31 bytes"));
}

TEST(ReadPcdTest, BinaryDoublesBetweenOtherFields) {
  std::string bytes =
      "VERSION 0.7\nFIELDS _ z y x\nSIZE 1 8 4 8\nTYPE U F F F\n"
      "COUNT 3 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA binary\n";
  for (const double base : {0.1, 0.7}) {
    bytes += "abc";
    AppendLittle(std::bit_cast<uint64_t>(base + 2), bytes);
    AppendLittleFloat(8, bytes);
    AppendLittle(std::bit_cast<uint64_t>(base), bytes);
  }
  EXPECT_THAT(PointsOf(bytes),
              ElementsAre(Vec3{0.1, 8, 0.1 + 2}, Vec3{0.7, 8, 0.7 + 2}));
}

std::string Compressed(const std::string& packed, uint32_t size) {
  std::string bytes =
      HeaderOf("binary_compressed", static_cast<int>(size / 16));
  AppendLittle(static_cast<uint32_t>(packed.size()), bytes);
  AppendLittle(size, bytes);
  return bytes + packed;
}

// All x, all y, all z, all rgb: by literal runs alone, and by copies that
// overlap themselves.
TEST(ReadPcdTest, BinaryCompressed) {
  std::string fields;
  for (const float value : {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 9.F, 9.F}) {
    AppendLittleFloat(value, fields);
  }
  const std::string run = std::string(1, '\x1f') + fields;
  EXPECT_THAT(PointsOf(Compressed(run, 32)),
              ElementsAre(Vec3{1, 3, 5}, Vec3{2, 4, 6}));
  // One float, and 47 copies of it: a distance of 4, a length of 188, which is
  // 9 and 179. Two bytes of the control are the distance, less one.
  std::string one(1, '\x03');
  AppendLittleFloat(-2.5F, one);
  one += {'\xe0', '\xb3', '\x03'};
  EXPECT_THAT(
      PointsOf(Compressed(one, 192)),
      testing::AllOf(SizeIs(12), testing::Each(Vec3{-2.5, -2.5, -2.5})));
  // A short copy, of five bytes, from a distance of 4.
  std::string short_copy(1, '\x0a');
  for (const float value : {1.F, 1.F}) AppendLittleFloat(value, short_copy);
  short_copy += std::string("\0\0\x80", 3);
  short_copy += {'\x60', '\x03'};
  EXPECT_THAT(PointsOf(Compressed(short_copy, 16)), ElementsAre(Vec3{1, 1, 1}));
}

TEST(ReadPcdTest, DamagedCompression) {
  const std::string run = std::string(1, '\x0f') + std::string(16, 'a');
  EXPECT_THAT(PointsOf(Compressed(run, 16)), SizeIs(1));
  const std::string damaged[] = {
      run.substr(0, 16),                // a run that ends early
      run + std::string(1, '\x20'),     // a copy without distance
      run + std::string(2, '\0'),       // more than declared
      std::string("\x20\0", 2),         // a copy of nothing
      std::string("\0a\xe0\x0f", 4),    // a long one, cut short
      std::string("\0a\x20\x07", 4),    // from before the begin
      std::string("\0a\xe0\xff\0", 5),  // longer than declared
      std::string()};
  for (const std::string& packed : damaged) {
    EXPECT_THAT(ErrorOf(Compressed(packed, 16)), HasSubstr("damaged"))
        << &packed - damaged;
  }
  // No memory is taken for a size that the bytes cannot make.
  const uint32_t most = std::numeric_limits<uint32_t>::max() / 16 * 16;
  EXPECT_THAT(ErrorOf(Compressed(run, most)), HasSubstr("damaged"));
  EXPECT_THAT(ErrorOf(Compressed(run, 24)),
              HasSubstr("24 bytes are not 1 poi"));
  const std::string whole = Compressed(run, 16);
  EXPECT_THAT(ErrorOf(whole.substr(0, whole.size() - 1)),
              HasSubstr("17 bytes of points are not in the 16"));
  EXPECT_THAT(ErrorOf(HeaderOf("binary_compressed", 1) + "abc"),
              HasSubstr("cut short"));
}

TEST(ReadPcdTest, PointsThatAreNotFinite) {
  const std::string text = HeaderOf("ascii", 2) + "nan nan nan 0\n1 2 3 0\n";
  std::string binary = HeaderOf("binary", 2);
  for (const float value : {NAN, NAN, NAN, 0.F, 1.F, 2.F, 3.F, 0.F}) {
    AppendLittleFloat(value, binary);
  }
  EXPECT_THAT(ErrorOf(text), HasSubstr("a.pcd: line 12: "));
  EXPECT_THAT(ErrorOf(binary), HasSubstr("point 0 is not finite"));
  for (const std::string& bytes : {text, binary}) {
    std::vector<ReadNote> notes;
    EXPECT_THAT(PointsOf(bytes, {.notes = &notes, .skip_invalid = true}),
                ElementsAre(Vec3{1, 2, 3}));
    ASSERT_THAT(notes, SizeIs(1));
    EXPECT_EQ(TextOf(notes[0]),
              "points that are not finite, skipped: 1, at point 0");
  }
}

TEST(ReadPcdTest, ErrorsOfHeadersNameTheLine) {
  const std::string good = HeaderOf("ascii", 1) + "1 2 3 4\n";
  EXPECT_THAT(PointsOf(good), SizeIs(1));
  const struct {
    std::string_view from;
    std::string_view to;
    std::string_view error;
  } cases[] = {
      {"SIZE 4 4 4 4", "SIZE 4 4 4", "line 4: SIZE does not have a value"},
      {"TYPE F F F F", "TYPE F F F F F", "line 5: TYPE does not have"},
      {"COUNT 1 1", "COUNT 1 x", "line 6: the COUNT is 'x', which"},
      {"WIDTH 1", "WIDTH", "line 7: "},
      {"HEIGHT 1", "HEIGHT -1", "line 8: HEIGHT is -1"},
      {"HEIGHT", "HIGHT", "line 8: 'HIGHT' is not a keyword"},
      {"x y z rgb", "x y Z rgb", "no field 'z'"},
      {"COUNT 1 1 1 1", "COUNT 1 2 1 1", "field 'y' is not one float"},
      {"DATA ascii", "DATA text", "line 11: the data is 'text'"},
      {"DATA ascii\n1 2 3 4\n", "", "ends without DATA"},
      {"1 2 3 4\n", "", "the file ends before point 0 of 1"},
      {"1 2 3 4", "1 2 3", "line 12: the row ends before field 'rgb'"},
      {"1 2 3 4", "1 2", "line 12: "},
      {"1 2 3 4", "1 2 3 4 5", "line 12: after the last field comes '5'"},
      {"1 2 3 4", "1 2 3 4\n5 6 7 8", "line 13: after the last point comes"},
  };
  for (const auto& [from, to, error] : cases) {
    std::string bytes = good;
    bytes.replace(bytes.find(from), from.size(), to);
    EXPECT_THAT(ErrorOf(bytes), HasSubstr(std::string(error))) << to;
  }
  std::string whole_numbers = HeaderOf("binary", 1) + std::string(16, 'a');
  whole_numbers.replace(whole_numbers.find("TYPE F"), 6, "TYPE I");
  EXPECT_THAT(ErrorOf(whole_numbers),
              HasSubstr("field 'x' is not one float or double"));
}

TEST(ReadPcdTest, OtherFilesAreNone) {
  for (const char* text : {"", "# .PCD", "1 2 3", "VERSION 2\nx,y,z\n1,2,3",
                           "ply\nformat ascii 1.0", "FIELDS"}) {
    EXPECT_FALSE(IsPcdFile(text)) << text;
  }
}

}  // namespace
}  // namespace orbox
