// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/read_bodies.h"

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using meshes::TrianglesOf;
using meshes::VerticesOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<NamedBody> Bodies(std::string_view bytes, MeshFormat format) {
  const auto bodies = ReadBodies(bytes, format, "parts/house.x");
  EXPECT_TRUE(bodies.ok()) << bodies.status();
  return bodies.ok() ? *bodies : std::vector<NamedBody>();
}

std::vector<std::string> NamesOf(const std::vector<NamedBody>& bodies) {
  std::vector<std::string> names;
  for (const NamedBody& body : bodies) names.push_back(body.name);
  return names;
}

constexpr char kCorners[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST(ReadBodiesTest, ObjectsOfObj) {
  const auto bodies =
      Bodies(std::string(kCorners) +
                 "o wall # 7\ng a\nf 1 2 3\nf 1 2 4\no empty\no  roof  left \n"
                 "g b\nf 2 3 4\no wall # 7\nf 1 3 4\n",
             MeshFormat::kObj);
  EXPECT_THAT(NamesOf(bodies),
              ElementsAre("wall # 7", "roof  left", "wall # 7 (2)"));
  EXPECT_EQ(bodies[0].mesh.triangle_count(), 2u);
  EXPECT_THAT(VerticesOf(bodies[1].mesh),
              ElementsAre(Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}));
  EXPECT_THAT(TrianglesOf(bodies[1].mesh),
              ElementsAre(TriangleIndices{0, 1, 2}));
  EXPECT_TRUE(bodies[1].pose.IsIdentity());
  EXPECT_TRUE(bodies[1].properties.empty());
}

std::vector<std::string> LeftOut(std::string_view bytes, MeshFormat format) {
  std::vector<std::string> names;
  EXPECT_TRUE(
      ReadBodies(bytes, format, "parts/house.x", {.left_out = &names}).ok());
  return names;
}

TEST(ReadBodiesTest, ElementsWithoutFacesAreLeftOut) {
  EXPECT_THAT(LeftOut(std::string(kCorners) +
                          "o axis\no wall\nf 1 2 3\no grid\no roof\nf 1 2 4\n"
                          "o tab\there\n",
                      MeshFormat::kObj),
              ElementsAre("axis", "grid", "tab?here"));
  // Groups of one name are one body, or none.
  EXPECT_THAT(
      LeftOut(std::string(kCorners) +
                  "g default\ng a\ng b\ng c\nf 1 2 3\ng b\ng a\nf 1 2 4\n",
              MeshFormat::kObj),
      ElementsAre("b"));
  EXPECT_THAT(LeftOut("solid none\nendsolid\nsolid one\nfacet normal 0 0 1\n"
                      "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                      "endloop\nendfacet\nendsolid\nsolid\nendsolid\n",
                      MeshFormat::kStl),
              ElementsAre("none", "(without a name)"));
  EXPECT_THAT(
      LeftOut(*EncodeMesh(meshes::Cube(), MeshFormat::kPly), MeshFormat::kPly),
      ElementsAre());
}

TEST(ReadBodiesTest, GroupsOfObjWhereThereAreNoObjects) {
  const auto bodies = Bodies(
      std::string(kCorners) +
          "f 1 2 3\ng pipe\nf 1 2 4\ng valve\nf 2 3 4\ng pipe\nf 1 3 4\n",
      MeshFormat::kObj);
  EXPECT_THAT(NamesOf(bodies), ElementsAre("house", "pipe", "valve"));
  // Both runs of one group.
  EXPECT_EQ(bodies[1].mesh.triangle_count(), 2u);
  EXPECT_EQ(bodies[1].mesh.triangle(1).b, (Vec3{0, 1, 0}));
}

TEST(ReadBodiesTest, SolidsOfStl) {
  const auto solid = [](const std::string& name, int z) {
    const std::string corner = " " + std::to_string(z) + "\n";
    return "solid " + name + "\nfacet normal 0 0 1\nouter loop\nvertex 0 0" +
           corner + "vertex 1 0" + corner + "vertex 0 1" + corner +
           "endloop\nendfacet\nendsolid\n";
  };
  const auto bodies =
      Bodies(solid("a", 0) + solid("", 1) + solid("a", 2) + solid("a (2)", 3),
             MeshFormat::kStl);
  EXPECT_THAT(NamesOf(bodies), ElementsAre("a", "house", "a (2)", "a (2) (2)"));
  EXPECT_EQ(bodies[2].mesh.triangle(0).a.z, 2);
  // Binary STL is one body.
  EXPECT_THAT(NamesOf(Bodies(*EncodeMesh(meshes::Cube(), MeshFormat::kStl),
                             MeshFormat::kStl)),
              ElementsAre("house"));
}

TEST(ReadBodiesTest, TogetherTheyAreTheWholeMesh) {
  for (const auto& [name, mesh] : meshes::Assortment()) {
    SCOPED_TRACE(name);
    std::string obj = *EncodeMesh(mesh, MeshFormat::kObj);
    size_t at = obj.find("f ");
    for (int group = 0; at != std::string::npos; ++group) {
      const std::string line = "g " + std::to_string(group % 3) + "\n";
      obj.insert(at, line);
      at = obj.find("f ", at + line.size() + 2);
      if (group > 50) break;
    }
    size_t triangles = 0;
    Aabb bounds = mesh.bounds();
    for (const NamedBody& body : Bodies(obj, MeshFormat::kObj)) {
      triangles += body.mesh.triangle_count();
      bounds = Union(bounds, body.mesh.bounds());
    }
    EXPECT_EQ(triangles, mesh.triangle_count());
    EXPECT_EQ(bounds.lo, mesh.bounds().lo);
    EXPECT_EQ(bounds.hi, mesh.bounds().hi);
  }
}

TEST(ReadBodiesTest, NamesCanBeShown) {
  const auto bodies = Bodies(std::string(kCorners) +
                                 "o tab\there\nf 1 2 3\no w\xc3\xa9\nf 1 2 4\n"
                                 "o \xff\xed\xa0\x80\xf4\x90\x80\x80\nf 2 3 4\n"
                                 "o \xf0\x9f\x94\xa9\xc2\x85\xc0\xaf\nf 1 3 4",
                             MeshFormat::kObj);
  EXPECT_THAT(NamesOf(bodies), ElementsAre("tab?here", "w\xc3\xa9", "????????",
                                           "\xf0\x9f\x94\xa9????"));
}

TEST(ReadBodiesFileTest, PicksABodyByItsName) {
  const ScratchDirectory scratch;
  const std::string obj =
      std::string(kCorners) + "o wall\nf 1 2 3\nf 1 2 4\no roof\nf 2 3 4\n";
  const std::string path = scratch.Write("house.obj", obj);
  EXPECT_EQ(ReadBodiesFile(path)->size(), 2u);
  EXPECT_THAT(NamesOf(*ReadBodiesFile(path + "#roof")), ElementsAre("roof"));
  EXPECT_EQ(ReadMeshFile(path + "#roof")->triangle_count(), 1u);
  EXPECT_EQ(ReadMeshFile(path)->triangle_count(), 3u);
  const absl::Status lost = ReadMeshFile(path + "#door").status();
  EXPECT_EQ(lost.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(lost.message()),
            path + ": has no body 'door'; give one of 2: 'wall', 'roof'");
  // A file may have such a name.
  scratch.Write("house.obj#roof",
                *EncodeMesh(meshes::Cube(), MeshFormat::kOff));
  EXPECT_EQ(ReadBodiesFile(scratch.Path("no.obj#x")).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(SplitBodyPathTest, TheFileThatIsThereComesFirst) {
  const ScratchDirectory scratch;
  const std::string file = scratch.Write("a#b.obj", "");
  const auto is = [](const std::string& path, const std::string& wanted,
                     const std::optional<std::string>& body) {
    const BodyPath parts = SplitBodyPath(path);
    EXPECT_EQ(parts.file, wanted);
    EXPECT_EQ(parts.body, body);
  };
  is(file, file, std::nullopt);
  is(file + "#c#d", file, "c#d");
  is("-#c", "-", "c");
  is("none.glb#c#d", "none.glb", "c#d");
  is("none.glb", "none.glb", std::nullopt);
  is("no#extension", "no#extension", std::nullopt);
  is("none.obj#", "none.obj", "");
}

TEST(ReadMeshFileTest, FilesOfOtherProgramsNameOne) {
  for (const auto& [name, wanted] :
       std::vector<std::pair<std::string, std::string>>{
           {"a.step", "Gmsh"},
           {"a.STP", "FreeCAD"},
           {"a.ifc", "IfcConvert IN OUT.glb"},
           {"a.fbx", "Blender"},
           {"a.dae", "assimp export IN OUT.glb), and trimesh"},
           {"a.amf", "assimp export IN OUT.glb"},
           {"a.msh", "meshio convert IN OUT.ply"},
           {"a.vtk", "pip install pyvista"},
           {"a.vtu", "ParaView"},
           {"robot.urdf", "pip install yourdfpy"},
           {"robot.srdf", "has no triangles; its URDF names the mesh files"},
           {"package://robot/a.stl", "ros2 pkg prefix --share NAME"},
           {"a.las", "laspy reads it in Python (pip install laspy[lazrs])"},
           {"a.LAZ", "CloudCompare saves it as PLY or PCD"},
           {"a.e57", "pip install pye57"},
           {"a.pcd", "has no triangles; 'orbox nearest MESH --points FILE'"},
           {"a.pts", "is a point cloud"},
           {"a.skp", "SketchUp exports"},
           {"a.rvt", "Revit exports it as IFC"}}) {
    const absl::Status status = ReadMeshFile(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(wanted));
  }
  const auto of_bytes = [](std::string_view bytes) {
    return std::string(MeshFormatOf("-", bytes).status().message());
  };
  EXPECT_THAT(of_bytes("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));"),
              HasSubstr("IFC model"));
  EXPECT_THAT(of_bytes("ISO-10303-21;\nHEADER;"), HasSubstr("STEP model"));
  EXPECT_THAT(of_bytes("LASF\1\2"), HasSubstr("LAS point cloud"));
  EXPECT_THAT(of_bytes("ASTM-E57"), HasSubstr("E57 point cloud"));
  EXPECT_THAT(of_bytes("Kaydara FBX Binary  \0"), HasSubstr("FBX scene"));
  // Also if the name promises another format.
  using std::string_view_literals::operator""sv;
  for (const std::string_view text : {"\xff\xfev\0 \0"sv, "\xfe\xff\0v\0 "sv}) {
    for (const char* name : {"-", "a.obj", "a.stl"}) {
      EXPECT_THAT(std::string(MeshFormatOf(name, text).status().message()),
                  HasSubstr("is text in UTF-16, which Orbox does not read; "
                            "save it as UTF-8 (iconv"));
    }
  }
  EXPECT_EQ(*MeshFormatOf("a.stl", "\xff\xfexyz"), MeshFormat::kStl);
}

}  // namespace
}  // namespace orbox
