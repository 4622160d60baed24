// SPDX-License-Identifier: Apache-2.0

// Files that break the rules of their format, and are read with notes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/read_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/package_3mf.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Noted {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<std::string> notes;
};

// Fails the test for bytes that cannot be read.
Noted ReadNoted(std::string_view bytes, MeshFormat format,
                bool skip_invalid = false) {
  std::vector<ReadNote> notes;
  const absl::StatusOr<Mesh> mesh = ReadMesh(
      bytes, format, "f", {.notes = &notes, .skip_invalid = skip_invalid});
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  Noted noted;
  for (const ReadNote& note : notes) noted.notes.push_back(TextOf(note));
  if (!mesh.ok()) return noted;
  noted.vertices = meshes::VerticesOf(*mesh);
  noted.triangles = meshes::TrianglesOf(*mesh);
  return noted;
}

TriangleIndices Corners(uint32_t a, uint32_t b, uint32_t c) {
  return {a, b, c};
}

const std::string kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
    "vertex 0 1 0\nendloop\nendfacet\n";

TEST(ReadNotesTest, GoodFilesHaveNone) {
  EXPECT_THAT(
      ReadNoted("solid\n" + kFacet + "endsolid\n", MeshFormat::kStl).notes,
      IsEmpty());
  EXPECT_THAT(ReadNoted("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
                        MeshFormat::kObj)
                  .notes,
              IsEmpty());
}

TEST(ReadNotesTest, BytesAfterTheLastFacetOfBinaryStl) {
  meshes::ByteWriter out(std::endian::little);
  out.Text(std::string(80, 'x')).Number(uint32_t{1});
  for (int i = 0; i < 3; ++i) out.Number(0.0f);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0}) out.Number(x);
  out.Number(uint16_t{0}).Text("\r\nend");
  const Noted noted = ReadNoted(out.bytes(), MeshFormat::kStl);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes,
              ElementsAre("bytes after the last facet, skipped: 5, the first "
                          "at byte 134"));
}

TEST(ReadNotesTest, EndsOfAsciiStl) {
  std::string two_words = kFacet;
  two_words.replace(two_words.find("endfacet"), 8, "end facet");
  Noted noted = ReadNoted("solid\n" + two_words + two_words + "END SOLID x\n",
                          MeshFormat::kStl);
  EXPECT_EQ(noted.triangles.size(), 2u);
  EXPECT_THAT(noted.notes, ElementsAre("'end' and its keyword as two words: 3, "
                                       "the first at line 8"));
  for (const std::string& end :
       {std::string(), "solid b\n" + kFacet + "endsolid b"}) {
    noted = ReadNoted("solid a\n" + kFacet + end, MeshFormat::kStl);
    EXPECT_EQ(noted.triangles.size(), end.empty() ? 1u : 2u);
    EXPECT_THAT(noted.notes,
                ElementsAre("solids without their 'endsolid': 1, at line 1"));
  }
}

const std::string kPly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
    "property float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n";

TEST(ReadNotesTest, RowsOfAsciiPly) {
  Noted noted = ReadNoted(kPly + "0 0 0 9\n1 0 0 9 9\n0 1 0\n3 0 1 2 7\n",
                          MeshFormat::kPly);
  EXPECT_THAT(noted.vertices,
              ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}));
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes,
              ElementsAre("rows with values beyond those declared, skipped: 3, "
                          "the first at line 10"));
  noted = ReadNoted(kPly + "0 0\n0\n1 0 0\n0\n1\n\n0\n3 0\n1 2\n",
                    MeshFormat::kPly);
  EXPECT_THAT(noted.vertices,
              ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}));
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre("rows that are broken over lines: 3, "
                                       "the first at line 10"));
}

TEST(ReadNotesTest, WordsAfterTheEndsOfAsciiStl) {
  std::string text = kFacet;
  text.replace(text.find("endloop"), 7, "endloop foo");
  text.replace(text.find("endfacet"), 8, "endfacet bar  baz ");
  Noted noted =
      ReadNoted("solid\n" + text + kFacet + "endsolid\n", MeshFormat::kStl);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2), Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes,
              ElementsAre("words after 'endloop' and 'endfacet', skipped: 2, "
                          "the first at line 7"));
  // A facet may follow on the line.
  text = kFacet;
  std::replace(text.begin(), text.end(), '\n', ' ');
  noted = ReadNoted("solid\n" + text + text + "endsolid", MeshFormat::kStl);
  EXPECT_EQ(noted.triangles.size(), 2u);
  EXPECT_THAT(noted.notes, IsEmpty());
  // No facet is skipped with them.
  EXPECT_THAT(ReadMesh("solid\n" + text + "face " + text + "endsolid",
                       MeshFormat::kStl, "f")
                  .status()
                  .message(),
              HasSubstr("'face' stands where facet or endsolid should"));
}

TEST(ReadNotesTest, VerticesOfObjWithoutZ) {
  const Noted noted =
      ReadNoted("v 0 0\nv 2 0 \nv 0 3\nf 1 2 3\n", MeshFormat::kObj);
  EXPECT_THAT(noted.vertices,
              ElementsAre(Vec3{0, 0, 0}, Vec3{2, 0, 0}, Vec3{0, 3, 0}));
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre("vertices without z, which is read as "
                                       "0: 3, the first at line 1"));
  // A file that is cut within a vertex.
  EXPECT_THAT(
      ReadMesh("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1", MeshFormat::kObj, "f")
          .status()
          .message(),
      HasSubstr("line 4: the line ends before the z coordinate"));
  EXPECT_THAT(ReadMesh("v 0 0\nv 1 0 0\nv 0 1\nf 1 2 3", MeshFormat::kObj, "f")
                  .status()
                  .message(),
              HasSubstr("line 2: a vertex with z after vertices without"));
}

TEST(ReadNotesTest, CountsInFrontOfObj) {
  const Noted noted = ReadNoted(
      "# a comment\n3 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
      "f 1 2 3\n",
      MeshFormat::kObj);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre("counts in front of the first "
                                       "statement, skipped: 1, at line 2"));
  // Numbers elsewhere, or more of them, are not counts.
  for (const char* text :
       {"v 0 0 0\n3 1\n", "3 1\n3 1\n", "3 1 2\n", "3 1.5\n"}) {
    EXPECT_THAT(ReadMesh(text, MeshFormat::kObj, "f").status().message(),
                HasSubstr("no OBJ statement"))
        << text;
  }
}

TEST(ReadNotesTest, UnknownLinesAtTheBeginningOfAPlyHeader) {
  std::string text = kPly + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  text.insert(text.find("element"), "Created by Blender3D 2.42\n");
  const Noted noted = ReadNoted(text, MeshFormat::kPly);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes,
              ElementsAre("unknown lines of the header, skipped: 1, at line "
                          "3"));
}

TEST(ReadNotesTest, FacesOfFewCorners) {
  constexpr char kNote[] =
      "faces of fewer than 3 corners, skipped: 2, the first "
      "at ";
  Noted noted = ReadNoted("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf 1 2 3\nf 1\n",
                          MeshFormat::kObj);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre(std::string(kNote) + "line 4"));
  noted = ReadNoted("OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n0\n",
                    MeshFormat::kOff);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre(std::string(kNote) + "line 6"));
  std::string ply = kPly;
  ply.replace(ply.find("face 1"), 6, "face 3");
  noted = ReadNoted(ply + "0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n1 0\n",
                    MeshFormat::kPly);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2)));
  EXPECT_THAT(noted.notes, ElementsAre(std::string(kNote) + "line 13"));
}

TEST(ReadNotesTest, VerticesThatAreNotFinite) {
  const std::string obj = "v 0 0 0\nv nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 inf 1\n";
  const std::string off =
      "OFF\n5 1 0\n0 0 0\nnan 0 0\n1 0 0\n0 1 0\n0 1e999 0\n";
  std::string ply = kPly;
  ply.replace(ply.find("vertex 3"), 8, "vertex 5");
  ply += "0 0 0\nnan 0 0\n1 0 0\n0 1 0\n0 inf 0\n";
  const struct {
    MeshFormat format;
    std::string used;
    std::string unused;
  } kFiles[] = {{MeshFormat::kObj, obj + "f 1 2 3\n", obj + "f 1 3 4\n"},
                {MeshFormat::kOff, off + "3 0 1 2\n", off + "3 0 2 3\n"},
                {MeshFormat::kPly, ply + "3 0 1 2\n", ply + "3 0 2 3\n"}};
  for (const auto& file : kFiles) {
    EXPECT_FALSE(ReadMesh(file.unused, file.format, "f").ok());
    const absl::StatusOr<Mesh> bad =
        ReadMesh(file.used, file.format, "f", {.skip_invalid = true});
    EXPECT_THAT(std::string(bad.status().message()),
                HasSubstr("vertex 1 is not finite, and triangle 0 uses it"));
    const Noted noted = ReadNoted(file.unused, file.format, true);
    EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 2, 3)));
    EXPECT_EQ(noted.vertices[3], (Vec3{0, 1, 0}));
    EXPECT_THAT(noted.notes,
                ElementsAre("vertices that are not finite and that "
                            "no face uses: 2, the first at vertex "
                            "1"));
  }
}

TEST(ReadNotesTest, VerticesOf3mfThatAreNotFinite) {
  if (!meshes::Reads3mf()) GTEST_SKIP() << "without Expat and zlib";
  const auto file = [](const std::string& corners) {
    return meshes::Package3mf(meshes::Model3mfText(
        "<object id='1'><mesh><vertices><vertex x='0' y='0' z='0'/>"
        "<vertex x='nan' y='0' z='0'/><vertex x='1' y='0' z='0'/>"
        "<vertex x='0' y='1' z='0'/></vertices><triangles><triangle " +
            corners + "/></triangles></mesh></object>",
        "<item objectid='1'/>"));
  };
  const std::string unused = file("v1='0' v2='2' v3='3'");
  EXPECT_FALSE(ReadMesh(unused, MeshFormat::k3mf, "f").ok());
  const Noted noted = ReadNoted(unused, MeshFormat::k3mf, true);
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 2, 3)));
  EXPECT_THAT(noted.notes,
              ElementsAre("vertices that are not finite and that no face uses: "
                          "1, at vertex 1"));
  const absl::StatusOr<Mesh> bad =
      ReadMesh(file("v1='0' v2='1' v3='3'"), MeshFormat::k3mf, "f",
               {.skip_invalid = true});
  EXPECT_THAT(std::string(bad.status().message()),
              HasSubstr("vertex 1 is not finite, and triangle 0 uses it"));
}

// Big-endian, with normals and colors, a quad and a face of two corners.
TEST(ReadNotesTest, BinaryOff) {
  meshes::ByteWriter out(std::endian::big);
  out.Text("NCOFF BINARY\n").Number(uint32_t{4}).Number(uint32_t{2});
  out.Number(uint32_t{0});
  for (const Vec3& v : {Vec3{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      out.Number(static_cast<float>(v[axis]));
    }
    for (int i = 0; i < 7; ++i) out.Number(0.5f);
  }
  for (const uint32_t i : {4, 0, 1, 2, 3, 1}) out.Number(i);
  out.Number(1.0f);
  for (const uint32_t i : {2, 0, 1, 0}) out.Number(i);
  const Noted noted = ReadNoted(out.bytes(), MeshFormat::kOff);
  EXPECT_THAT(noted.vertices, ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                          Vec3{1, 1, 0}, Vec3{0, 1, 0}));
  EXPECT_THAT(noted.triangles, ElementsAre(Corners(0, 1, 2), Corners(0, 2, 3)));
  EXPECT_EQ(noted.notes.size(), 1u);
  const std::string bytes = out.bytes();
  for (size_t n = 13; n < bytes.size(); ++n) {
    EXPECT_FALSE(ReadMesh(bytes.substr(0, n), MeshFormat::kOff, "f").ok()) << n;
  }
}

const std::string kGap =
    "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    "v 1 0.25 0\nv 0 1 0\nv 1 1 0\nf 4 5 6\nf 2 4 6\n"
    "o b\nv 1 0 0.125\nv 9 0 0\nv 9 9 0\nf 7 8 9\n";

TEST(ReadNotesTest, WeldingIsNoted) {
  std::vector<ReadNote> notes;
  const absl::StatusOr<Mesh> mesh =
      ReadMesh(kGap, MeshFormat::kObj, "f", {.notes = &notes, .weld = 0.25});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(TextOf(notes[0]),
            "vertices welded, moved by at most 0.25: 2, the first at triangle "
            "1");
  EXPECT_EQ(TextOf(notes[1]),
            "triangles that welding left without area: 1, at triangle 2");
  EXPECT_THAT(meshes::TrianglesOf(*mesh),
              ElementsAre(Corners(0, 1, 2), Corners(1, 2, 3), Corners(1, 1, 3),
                          Corners(1, 4, 5)));
  EXPECT_EQ(meshes::VerticesOf(*mesh)[1], (Vec3{1, 0, 0}));
}

TEST(ReadNotesTest, BodiesAreWeldedOneByOne) {
  std::vector<ReadNote> notes;
  const auto bodies =
      ReadBodies(kGap, MeshFormat::kObj, "f", {.notes = &notes, .weld = 0.25});
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  ASSERT_EQ(bodies->size(), 2u);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(TextOf(notes[0]), "vertices welded, moved by at most 0.25: 1");
  EXPECT_EQ((*bodies)[0].mesh.vertex_count(), 4u);
  EXPECT_EQ(meshes::VerticesOf((*bodies)[1].mesh)[0], (Vec3{1, 0, 0.125}));
}

TEST(ReadNotesTest, WeldingWithinNothingHasNoNotes) {
  std::vector<ReadNote> notes;
  const absl::StatusOr<Mesh> mesh =
      ReadMesh(kGap, MeshFormat::kObj, "f", {.notes = &notes, .weld = 0.0});
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->vertex_count(), 8u);  // of nine, two are equal
  EXPECT_THAT(notes, IsEmpty());
  EXPECT_EQ(
      ReadMesh(kGap, MeshFormat::kObj, "f", {.weld = -1.0}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
