// SPDX-License-Identifier: Apache-2.0

// Reads a mesh from a file or from bytes.
//
//   absl::StatusOr<Mesh> mesh = ReadMeshFile("part.stl");
//
// If the contents are unmistakable, they decide the format instead of the
// extension: a PLY file named part.stl is read as PLY.
//
// Formats: OBJ, PLY (ascii, both binary endians, triangle strips), STL (ascii,
// binary), OFF (and COFF, NOFF, STOFF, binary; 4OFF is rejected for its
// weights), glTF and GLB, 3MF. All bodies of a file become one mesh, each at
// its pose; read_bodies.h reads them separately. For files that another program
// has to convert (STEP, IFC, FBX, ...), the error names such a program.
// Coordinates are read in double. Mesh::Create defines their range. Errors
// contain the range, and a scale that brings the model into it. Convex polygons
// become fans of triangles (0,1,2), (0,2,3), ... Others are cut by ear
// clipping, and polygons that cross themselves become fans. A polygon of n
// corners becomes n - 2 triangles, numbered in file order. STL corners with
// bitwise equal coordinates become one vertex (0 and -0 are equal).
//
// Errors in a file that leave no doubt about the surface are tolerated, with
// notes: bytes after the last facet of binary STL; "end facet", solids without
// an end, and words after "endfacet"; chunks of GLB that are not padded;
// elements of ASCII PLY on several lines or with more values than declared, and
// unknown lines at the beginning of its header; OBJ whose vertices all lack z,
// or that begins with counts; faces of fewer than three corners.
//
// Errors name the file, the line (text) or byte (binary), the fault and the
// remedy: kNotFound and kPermissionDenied for files that cannot be opened,
// kUnavailable for reads that fail, kInvalidArgument for bad contents,
// kResourceExhausted if memory runs out. Memory is proportional to the bytes in
// the file, for any counts in its header. There are two exceptions: a mesh that
// glTF or 3MF places many times, and the compression of 3MF, up to a
// thousandfold. Thread-safe.
#ifndef ORBOX_BVH_IO_READ_MESH_H_
#define ORBOX_BVH_IO_READ_MESH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/mesh/weld_vertices.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class MeshFormat { kObj, kPly, kStl, kOff, kGltf, k3mf };

// Returns the format of a file. The bytes decide if they are unmistakably PLY,
// STL, OFF, glTF or 3MF, or if there is no extension. Otherwise the extension
// decides, in upper or lower case. Without bytes, only the extension decides.
// Returns kInvalidArgument for an unknown extension.
ORBOX_EXPORT absl::StatusOr<MeshFormat> MeshFormatOf(std::string_view path,
                                                     std::string_view bytes);

// A kind of irregularity in a file that the reader tolerates, skips or omits.
struct ReadNote {
  std::string what;    // "faces of fewer than 3 corners, skipped"
  uint64_t count = 0;  // at least 1
  std::string first;   // place of the first: "line 12"; empty without a place
};
// Returns "faces of fewer than 3 corners, skipped: 2, the first at line 12".
ORBOX_EXPORT std::string TextOf(const ReadNote& note);

// Returns the notes of ReadOptions::weld: none if no vertex moved.
ORBOX_EXPORT std::vector<ReadNote> NotesOn(const WeldedMesh& welded);

struct ReadOptions {
  // Called from time to time, in the reading thread, with the parsed fraction
  // of the input, 0 .. 1.
  std::function<void(double)> progress = {};
  // If not null, receives the names of elements of the file that are not
  // bodies, because they have no triangles (read_bodies.h). Names are appended
  // in the order of the file, and need not be distinct.
  std::vector<std::string>* left_out = nullptr;
  // If not null, receives one note for each kind, in the order of their first
  // places. Use a separate list for each file.
  std::vector<ReadNote>* notes = nullptr;
  // If false, vertices of OBJ, PLY, OFF and 3MF that are not finite are errors.
  // If true, only those that a face uses are errors; the others are moved to
  // the origin, with a note.
  bool skip_invalid = false;
  // If set, vertices within this distance become one (mesh/weld_vertices.h).
  // Notes say how many moved, the largest move, and how many triangles lost
  // their area. A mesh is welded as a whole, and bodies one by one. The
  // distance is that of the file's space: bodies with a pose are welded within
  // the distance divided by the length of the longest row of the pose.
  // Otherwise only equal corners of STL are joined. kInvalidArgument if it is
  // negative or not finite.
  std::optional<double> weld = {};
};

// Reads a file. `path` "-" is standard input; its bytes decide the format. A
// body's name may follow, as in "house.obj#roof" (read_bodies.h).
ORBOX_EXPORT absl::StatusOr<Mesh> ReadMeshFile(const std::string& path,
                                               const ReadOptions& options = {});

// Reads bytes. `name` replaces the file's name in error messages.
ORBOX_EXPORT absl::StatusOr<Mesh> ReadMesh(std::string_view bytes,
                                           MeshFormat format,
                                           std::string_view name,
                                           const ReadOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_IO_READ_MESH_H_
