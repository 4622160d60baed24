// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/mesh_format.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"

namespace orbox::mesh_internal {
namespace {

// A reader of a format without bodies.
template <absl::StatusOr<Mesh> (*kRead)(const MeshSource&)>
absl::StatusOr<Mesh> WithoutMarks(const MeshSource& source, BodyMarks*) {
  return kRead(source);
}

// OBJ has no function that recognises its bytes.
constexpr FormatRow kFormatRows[] = {
    {MeshFormat::kObj, ".obj", nullptr, ReadObj, nullptr},
    {MeshFormat::kPly, ".ply", IsPly, WithoutMarks<ReadPly>, nullptr},
    {MeshFormat::kStl, ".stl", IsStl, ReadStl, nullptr},
    {MeshFormat::kOff, ".off", IsOff, WithoutMarks<ReadOff>, nullptr},
    {MeshFormat::kGltf, ".gltf", IsGltf, nullptr, ReadGltf},
    {MeshFormat::kGltf, ".glb", IsGltf, nullptr, ReadGltf},
    {MeshFormat::k3mf, ".3mf", Is3mf, nullptr, Read3mf},
};

// Common files that are not meshes, or that only other programs can convert.
struct Foreign {
  std::string_view extension;
  std::string_view what;
  std::string_view remedy;
  std::string_view fault = "Orbox does not read";
};
constexpr std::string_view kFreeCad =
    "FreeCAD and Gmsh turn it into STL (gmsh -2 IN -o OUT.stl)";
constexpr std::string_view kIfcConvert =
    "IfcConvert, of IfcOpenShell, turns it into GLB (IfcConvert IN OUT.glb)";
constexpr std::string_view kBlender = "Blender turns it into GLB or OBJ";
constexpr std::string_view kAssimp =
    "assimp turns it into GLB (assimp export IN OUT.glb)";
constexpr std::string_view kCollada =
    "assimp turns it into GLB (assimp export IN OUT.glb), and trimesh reads it "
    "in Python (pip install trimesh pycollada)";
constexpr std::string_view kMeshio =
    "meshio turns its triangles into PLY (pip install meshio; meshio convert "
    "IN OUT.ply)";
constexpr std::string_view kPyVista =
    "ParaView saves its surface as PLY or STL, and PyVista reads it in Python "
    "(pip install pyvista)";
constexpr std::string_view kUrdf =
    "yourdfpy reads it in Python (pip install yourdfpy), and its mesh files "
    "are bodies of a scene (orbox clash --help)";
constexpr std::string_view kLas =
    "CloudCompare saves it as PLY or PCD, and laspy reads it in Python (pip "
    "install laspy[lazrs])";
constexpr std::string_view kNoTriangles = "has no triangles";
constexpr std::string_view kCloud =
    "'orbox nearest MESH --points FILE' and 'orbox hausdorff' take it";
constexpr std::string_view kSketchUp = "SketchUp exports it as OBJ or STL";
constexpr std::string_view kRevit =
    "Revit exports it as IFC, which IfcConvert, of IfcOpenShell, turns into "
    "GLB";
constexpr std::string_view kAutoCad =
    "AutoCAD and FreeCAD export their solids as STL";
constexpr Foreign kForeign[] = {
    {".step", "a STEP model", kFreeCad},
    {".stp", "a STEP model", kFreeCad},
    {".iges", "an IGES model", kFreeCad},
    {".igs", "an IGES model", kFreeCad},
    {".brep", "an OpenCASCADE model", kFreeCad},
    {".fcstd", "a FreeCAD model", "FreeCAD exports it as GLB or STL"},
    {".ifc", "an IFC model", kIfcConvert},
    {".ifczip", "an IFC model", kIfcConvert},
    {".ifcxml", "an IFC model", kIfcConvert},
    {".fbx", "an FBX scene", kBlender},
    {".dae", "a COLLADA scene", kCollada},
    {".amf", "an AMF model", kAssimp},
    {".msh", "a Gmsh mesh", kMeshio},
    {".vtk", "a VTK data set", kPyVista},
    {".vtp", "a VTK data set", kPyVista},
    {".vtu", "a VTK data set", kPyVista},
    {".urdf", "a URDF robot", kUrdf},
    {".xacro", "a URDF robot", kUrdf},
    {".srdf", "an SRDF description of a robot",
     "its URDF names the mesh files, which are bodies of a scene (orbox clash "
     "--help)",
     kNoTriangles},
    {".las", "a LAS point cloud", kLas},
    {".laz", "a LAZ point cloud", kLas},
    {".e57", "an E57 point cloud",
     "CloudCompare saves it as PLY or PCD, and pye57 reads it in Python (pip "
     "install pye57)"},
    {".pcd", "a point cloud", kCloud, kNoTriangles},
    {".pts", "a point cloud", kCloud, kNoTriangles},
    {".xyz", "a point cloud", kCloud, kNoTriangles},
    {".asc", "a point cloud", kCloud, kNoTriangles},
    {".3ds", "a 3ds scene", kBlender},
    {".blend", "a Blender scene", kBlender},
    {".usd", "a USD scene", kBlender},
    {".usdz", "a USD scene", kBlender},
    {".x3d", "an X3D scene", kBlender},
    {".wrl", "a VRML scene", kBlender},
    {".skp", "a SketchUp model", kSketchUp},
    {".rvt", "a Revit model", kRevit},
    {".dwg", "an AutoCAD drawing", kAutoCad},
    {".dxf", "an AutoCAD drawing", kAutoCad},
    {".sldprt", "a SolidWorks part", "SolidWorks exports it as STL"},
    {".sldasm", "a SolidWorks assembly", "SolidWorks exports it as STL"},
};

constexpr Foreign kUtf16 = {
    "", "text in UTF-16",
    "save it as UTF-8 (iconv -f UTF-16 -t UTF-8 IN > OUT)"};

// Returns true for the byte order mark of UTF-16, if an ASCII character or
// nothing follows it.
bool IsUtf16(std::string_view bytes) {
  const auto is_zero = [bytes](size_t i) {
    return i >= bytes.size() || bytes[i] == '\0';
  };
  return (bytes.starts_with("\xff\xfe") && is_zero(3)) ||
         (bytes.starts_with("\xfe\xff") && is_zero(2));
}

std::string Advice(const Foreign& foreign) {
  return absl::StrCat("is ", std::string(foreign.what), ", which ",
                      std::string(foreign.fault), "; ",
                      std::string(foreign.remedy));
}

}  // namespace

std::span<const FormatRow> FormatRows() { return kFormatRows; }

const FormatRow& RowOf(MeshFormat format) {
  return *std::find_if(
      std::begin(kFormatRows), std::end(kFormatRows) - 1,
      [format](const FormatRow& row) { return row.format == format; });
}

const FormatRow* RowOfExtension(std::string_view extension) {
  for (const FormatRow& row : kFormatRows) {
    if (row.extension == extension) return &row;
  }
  return nullptr;
}

std::string KnownExtensions() {
  std::string list;
  for (const FormatRow& row : kFormatRows) {
    if (&row != kFormatRows) {
      list += &row == std::end(kFormatRows) - 1 ? " or " : ", ";
    }
    list += row.extension;
  }
  return list;
}

std::string ExtensionOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view file =
      slash == std::string_view::npos ? path : path.substr(slash + 1);
  const size_t dot = file.rfind('.');
  // A leading dot only hides a file.
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string extension(file.substr(dot));
  std::transform(
      extension.begin(), extension.end(), extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
  return extension;
}

std::string HowToConvert(std::string_view extension) {
  for (const Foreign& foreign : kForeign) {
    if (foreign.extension == extension) return Advice(foreign);
  }
  return {};
}

std::string HowToConvertBytes(std::string_view bytes) {
  if (IsUtf16(bytes)) return Advice(kUtf16);
  constexpr std::string_view kStep = "ISO-10303-21;";
  constexpr std::string_view kFbx = "Kaydara FBX Binary";
  constexpr std::string_view kE57 = "ASTM-E57";
  constexpr std::string_view kLasf = "LASF";
  if (bytes.starts_with(kStep)) {
    // The schema is in the header, within the first lines.
    const bool is_ifc =
        bytes.substr(0, 4096).find("'IFC") != std::string_view::npos;
    return HowToConvert(is_ifc ? ".ifc" : ".step");
  }
  if (bytes.starts_with(kE57)) return HowToConvert(".e57");
  if (bytes.starts_with(kLasf)) return HowToConvert(".las");
  return bytes.starts_with(kFbx) ? HowToConvert(".fbx") : std::string();
}

}  // namespace orbox::mesh_internal
