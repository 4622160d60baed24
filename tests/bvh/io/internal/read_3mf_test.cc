// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/package_3mf.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using meshes::Model3mfText;
using meshes::Object3mfText;
using meshes::Package3mf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string OneObject() {
  return Package3mf(Model3mfText(Object3mfText(1), "<item objectid=\"1\"/>"));
}

class Read3mfTest : public meshes::ReaderTest<MeshFormat::k3mf> {
 protected:
  void SetUp() override {
    if (!meshes::Reads3mf()) GTEST_SKIP() << "without Expat and zlib";
  }
  static std::vector<NamedBody> Bodies(const std::string& bytes) {
    const auto bodies = ReadBodies(bytes, MeshFormat::k3mf, "f.3mf");
    EXPECT_TRUE(bodies.ok()) << bodies.status();
    return bodies.ok() ? *bodies : std::vector<NamedBody>();
  }
};

TEST_F(Read3mfTest, AnObjectIsABody) {
  const std::vector<NamedBody> bodies = Bodies(OneObject());
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].name, "f");
  EXPECT_TRUE(bodies[0].pose.IsIdentity());
  EXPECT_TRUE(bodies[0].properties.empty());
  // In double: what float would round stays.
  EXPECT_THAT(VerticesOf(bodies[0].mesh),
              ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0},
                          Vec3{0, 0, 0.1}));
  EXPECT_THAT(TrianglesOf(bodies[0].mesh),
              ElementsAre(T(0, 2, 1), T(0, 1, 3), T(0, 3, 2), T(1, 2, 3)));
}

TEST_F(Read3mfTest, ComponentsHavePosesNamesAndProperties) {
  const std::string model = Model3mfText(
      Object3mfText(3, "name=\"bolt\" partnumber=\"M8\" type=\"model\"",
                    "<metadatagroup><metadata name=\"steel\">A&amp;4"
                    "</metadata></metadatagroup>") +
          "<object id=\"7\" name=\"plate\"><components>"
          "<component objectid=\"3\"/><component objectid=\"3\" "
          "transform=\"0 1 0 -1 0 0 0 0 1 5 6 7\"/></components></object>",
      "<item objectid=\"7\" transform=\"1 0 0 0 1 0 0 0 1 100 0 0\">"
      "<metadatagroup><metadata name=\"steel\">own</metadata></metadatagroup>"
      "</item><item objectid=\"3\" partnumber=\"spare\"/>");
  const std::vector<NamedBody> bodies = Bodies(Package3mf(model));
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[0].name, "bolt");
  EXPECT_EQ(bodies[1].name, "bolt (2)");
  EXPECT_EQ(bodies[2].name, "bolt (3)");
  EXPECT_EQ(bodies[0].properties, (BodyProperties{{"partnumber", "M8"},
                                                  {"type", "model"},
                                                  {"steel", "own"},
                                                  {"parent", "plate"}}));
  EXPECT_EQ(bodies[2].properties,
            (BodyProperties{
                {"partnumber", "spare"}, {"type", "model"}, {"steel", "A&4"}}));
  // The rows of the transform are where the axes go.
  EXPECT_EQ(bodies[1].pose.Apply(Vec3{1, 0, 0}), (Vec3{105, 7, 7}));
  EXPECT_EQ(bodies[1].pose.Apply(Vec3{0, 1, 0}), (Vec3{104, 6, 7}));
  EXPECT_EQ(bodies[2].pose, Pose::Identity());
  // All share one mesh.
  EXPECT_EQ(bodies[0].mesh.vertices().data(), bodies[2].mesh.vertices().data());
}

TEST_F(Read3mfTest, ObjectsWithoutTrianglesAreLeftOut) {
  const std::string empty =
      "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/></vertices>"
      "<triangles/></mesh></object>";
  const std::string model = Model3mfText(
      Object3mfText(3, "name=\"bolt\"", "") +
          "<object id=\"4\" name=\"mark\">" + empty + "<object id=\"5\">" +
          empty +
          "<object id=\"7\" name=\"plate\"><components><component "
          "objectid=\"3\"/><component objectid=\"5\"/></components></object>",
      "<item objectid=\"4\"/><item objectid=\"7\"/>");
  std::vector<std::string> left_out;
  const auto bodies = ReadBodies(Package3mf(model), MeshFormat::k3mf, "f.3mf",
                                 {.left_out = &left_out});
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  EXPECT_EQ(bodies->size(), 1u);
  EXPECT_THAT(left_out, ElementsAre("mark", "plate"));
}

TEST_F(Read3mfTest, AllIsInMillimetres) {
  const auto corner = [](const std::string& unit) {
    const std::string file = Package3mf(
        Model3mfText(Object3mfText(1),
                     "<item objectid=\"1\" transform=\"1 0 0 0 1 0 0 0 1 "
                     "2 0 0\"/>",
                     unit));
    return Read(file).triangle(1).b;
  };
  EXPECT_EQ(corner(""), (Vec3{3, 0, 0}));
  EXPECT_EQ(corner("unit=\"micron\""), (Vec3{0.003, 0, 0}));
  EXPECT_EQ(corner("unit=\"centimeter\""), (Vec3{30, 0, 0}));
  EXPECT_EQ(corner("unit=\"inch\""), (Vec3{3 * 25.4, 0, 0}));
  EXPECT_EQ(corner("unit=\"foot\""), (Vec3{3 * 304.8, 0, 0}));
  EXPECT_EQ(corner("unit=\"meter\""), (Vec3{3000, 0, 0}));
  EXPECT_THAT(Error(Package3mf(Model3mfText("", "", "unit=\"mile\""))),
              HasSubstr("'/3D/3dmodel.model': line 1: the unit 'mile' is not"));
}

// Some writers require extensions that their files do not use.
TEST_F(Read3mfTest, ExtensionsThatChangeShapesAreErrorsWhereUsed) {
  const auto file = [](const std::string& attributes, const std::string& more) {
    std::string model = Model3mfText(
        Object3mfText(1, attributes), "<item objectid=\"1\"/>",
        "xmlns:s=\"http://schemas.microsoft.com/3dmanufacturing/slice/2015/"
        "07\" "
        "xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/"
        "2017/02\" requiredextensions=\"s b\"");
    return model.insert(model.find("</mesh>"), more);
  };
  EXPECT_EQ(Read(Package3mf(file("", ""))).triangle_count(), 4u);
  EXPECT_EQ(Read(Package3mf(file("s:meshresolution=\"fullres\"", "")))
                .triangle_count(),
            4u);
  EXPECT_THAT(Error(Package3mf(file("s:meshresolution=\"lowres\"", ""))),
              HasSubstr("object 1 is a stack of slices"));
  const std::string beams = file("", "<b:beamlattice radius=\"1\"/>");
  EXPECT_THAT(Error(Package3mf(beams)), HasSubstr("has a lattice of beams"));
  // Those that are not required are notes.
  std::string optional =
      file("s:meshresolution=\"lowres\"", "<b:beamlattice radius=\"1\"/>");
  const std::string required = "requiredextensions=\"s b\"";
  optional.erase(optional.find(required), required.size());
  std::vector<ReadNote> notes;
  const absl::StatusOr<Mesh> mesh =
      ReadMesh(Package3mf(optional), MeshFormat::k3mf, "f", {.notes = &notes});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangle_count(), 4u);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(TextOf(notes[0]),
            "meshes that are previews of stacks of slices: 1, at line 1");
  EXPECT_EQ(TextOf(notes[1]), "lattices of beams, skipped: 1, at line 1");
}

TEST_F(Read3mfTest, TheNamespaceOfTheDraftOf2013) {
  std::string model = Model3mfText(Object3mfText(1), "<item objectid=\"1\"/>");
  const std::string core = "3dmanufacturing/core/2015/02";
  model.replace(model.find(core), core.size(), "3dmanufacturing/2013/01");
  const Mesh mesh = Read(Package3mf(model));
  EXPECT_EQ(mesh.triangle_count(), 4u);
  EXPECT_EQ(mesh.bounds().hi, (Vec3{1, 1, 0.1}));
}

TEST_F(Read3mfTest, ObjectsInOtherPartsOfThePackage) {
  const std::string root = Model3mfText(
      "<object id=\"2\" name=\"both\"><components><component p:path=\"/3D/"
      "Objects/a.model\" objectid=\"1\"/></components></object>",
      "<item objectid=\"2\"/><item p:path=\"/3d/objects/A.model\" "
      "objectid=\"1\"/>",
      "requiredextensions=\"p\"");
  const std::string part = Model3mfText(Object3mfText(1, "name=\"a\""), "");
  const std::vector<NamedBody> bodies =
      Bodies(meshes::Zip({meshes::Relationships3mf(),
                          {"3D/3dmodel.model", root},
                          {"3D/Objects/a.model", part}}));
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].name, "a");
  EXPECT_EQ(bodies[0].properties.at("parent"), "both");
  // A part that names others could name itself.
  const std::string circle = Model3mfText(
      "<object id=\"1\"><components><component p:path=\"/3D/Objects/a.model\" "
      "objectid=\"1\"/></components></object>",
      "");
  EXPECT_THAT(Error(meshes::Zip({meshes::Relationships3mf(),
                                 {"3D/3dmodel.model", root},
                                 {"3D/Objects/a.model", circle}})),
              HasSubstr("names another part"));
  EXPECT_THAT(Error(meshes::Zip(
                  {meshes::Relationships3mf(), {"3D/3dmodel.model", root}})),
              HasSubstr("not in the archive"));
}

TEST_F(Read3mfTest, DeflatedFilesAndSizesOf64Bits) {
  const std::string model =
      Model3mfText(Object3mfText(1), "<item objectid=\"1\"/>");
  // A block of deflate that is stored: its length, and that inverted.
  const auto size = static_cast<uint16_t>(model.size());
  meshes::ByteWriter packed(std::endian::little);
  packed.Text("\x01").Number(size).Number(static_cast<uint16_t>(~size));
  packed.Text(model);
  meshes::ZippedFile file = {"3D/3dmodel.model", packed.bytes(), 8, model};
  const auto bytes = [&] {
    return meshes::Zip({meshes::Relationships3mf(), file});
  };
  EXPECT_EQ(Read(bytes()).triangle_count(), 4u);
  file.is_wide = true;
  EXPECT_EQ(Read(bytes()).triangle_count(), 4u);
  file.unpacked += " ";
  EXPECT_THAT(Error(bytes()), HasSubstr("cannot be unpacked"));
  file.method = 12;
  EXPECT_THAT(Error(bytes()), HasSubstr("is compressed by method 12"));
}

TEST_F(Read3mfTest, ErrorsSayWhatAndWhere) {
  const auto error = [](const std::string& resources,
                        const std::string& build = "",
                        const std::string& attributes = "") {
    return Error(Package3mf(Model3mfText(resources, build, attributes)));
  };
  EXPECT_THAT(error(""), HasSubstr("builds no object with triangles"));
  EXPECT_THAT(error("", "<item objectid=\"9\"/>"),
              HasSubstr("object 9: is named, and not there"));
  EXPECT_THAT(error("", "<item objectid=\"x\"/>"),
              HasSubstr("objectid is 'x' and no number"));
  EXPECT_THAT(error(Object3mfText(1) + Object3mfText(1)),
              HasSubstr("two objects 1"));
  EXPECT_THAT(error("<object id=\"1\"><components><component objectid=\"1\"/>"
                    "</components></object>"),
              HasSubstr("not there yet"));
  EXPECT_THAT(error(Object3mfText(1),
                    "<item objectid=\"1\" transform=\"1 2\""
                    "/>"),
              HasSubstr("not 12 numbers"));
  EXPECT_THAT(error("<object id=\"1\"><mesh><vertices><vertex x=\"0\" y=\"nan\""
                    " z=\"0\"/></vertices></mesh></object>"),
              HasSubstr("y of vertex 0 is 'nan'"));
  EXPECT_THAT(error("<object id=\"1\"><mesh><triangles><triangle v1=\"0\" "
                    "v2=\"0\" v3=\"0\"/></triangles></mesh></object>"),
              HasSubstr("names vertex 0, and there are 0"));
  EXPECT_THAT(error("", "", "requiredextensions=\"b\" xmlns:b=\"http://beam\""),
              HasSubstr("needs the extension 'http://beam'"));
  EXPECT_THAT(error("", "",
                    "requiredextensions=\"b\" xmlns:b=\"http://schemas."
                    "microsoft.com/3dmanufacturing/volumetric/2015/02\""),
              HasSubstr("needs the extension 'volumetric/2015/02'"));
  EXPECT_THAT(error("<object>", "</object>"), HasSubstr("id is ''"));
  EXPECT_THAT(error("</resources>"), HasSubstr("line 1: mismatched tag"));
  EXPECT_THAT(Error(Package3mf("<!DOCTYPE model [<!ENTITY a \"b\">]><model/>")),
              HasSubstr("has a DOCTYPE"));
  EXPECT_THAT(Error(Package3mf("<model/>")), HasSubstr("is no 3MF model"));
  EXPECT_THAT(Error(meshes::Zip({{"a.txt", ""}})), HasSubstr("_rels/.rels"));
  EXPECT_THAT(Error("PK"), HasSubstr("no directory of a ZIP archive"));
}

TEST_F(Read3mfTest, CopiesOfCopiesAreRefused) {
  std::string objects = Object3mfText(1);
  for (int id = 2; id < 40; ++id) {
    const std::string component =
        "<component objectid=\"" + std::to_string(id - 1) + "\"/>";
    objects += "<object id=\"" + std::to_string(id) + "\"><components>" +
               component + component + "</components></object>";
  }
  EXPECT_THAT(
      Error(Package3mf(Model3mfText(objects, "<item objectid=\"39\"/>"))),
      HasSubstr("more than 100000 times"));
}

TEST_F(Read3mfTest, FilesAreKnownByTheirBytesAndReadByName) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("a.stl", OneObject());
  EXPECT_EQ(ReadMeshFile(path)->triangle_count(), 4u);
  const std::string named = scratch.Write(
      "b.3mf", Package3mf(Model3mfText(Object3mfText(1, "name=\"roof\""),
                                       "<item objectid=\"1\"/>")));
  EXPECT_EQ(ReadMeshFile(named + "#roof")->triangle_count(), 4u);
  EXPECT_EQ(*MeshFormatOf("-", OneObject()), MeshFormat::k3mf);
  EXPECT_THAT(std::string(MeshFormatToWrite("a.3mf").status().message()),
              HasSubstr("a.3mf: 3MF is read and not written"));
}

TEST_F(Read3mfTest, MirroredObjectsKeepTheirOutside) {
  const std::string model = Model3mfText(
      Object3mfText(1) +
          "<object id=\"2\"><components><component objectid=\"1\" "
          "transform=\"-1 0 0 0 1 0 0 0 1 0 0 0\"/></components></object>",
      "<item objectid=\"1\"/><item objectid=\"2\"/>"
      "<item objectid=\"2\" transform=\"1 0 0 0 -1 0 0 0 1 0 0 0\"/>");
  const std::vector<NamedBody> bodies = Bodies(Package3mf(model));
  ASSERT_EQ(bodies.size(), 3u);
  for (const NamedBody& body : bodies) {
    double volume = 0;
    for (size_t i = 0; i < body.mesh.triangle_count(); ++i) {
      const Triangle t = body.mesh.triangle(i);
      volume += Dot(body.pose.Apply(t.a),
                    Cross(body.pose.Apply(t.b), body.pose.Apply(t.c)));
    }
    EXPECT_EQ(volume, 0.1);
  }
}

TEST_F(Read3mfTest, AnEmptyObjectIsNamedOnce) {
  const std::string empty =
      "<object id=\"5\" name=\"mark\"><mesh><vertices/><triangles/></mesh>"
      "</object>";
  const std::string model = Model3mfText(
      Object3mfText(1) + empty +
          "<object id=\"7\"><components><component objectid=\"1\"/>"
          "<component objectid=\"5\"/><component objectid=\"5\"/></components>"
          "</object>",
      "<item objectid=\"5\"/><item objectid=\"7\"/>");
  std::vector<std::string> left_out;
  std::vector<ReadNote> notes;
  ASSERT_TRUE(ReadBodies(Package3mf(model), MeshFormat::k3mf, "f.3mf",
                         {.left_out = &left_out, .notes = &notes})
                  .ok());
  EXPECT_THAT(left_out, ElementsAre("mark"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(TextOf(notes[0]), "elements without triangles, left out: 1");
}

}  // namespace
}  // namespace orbox
