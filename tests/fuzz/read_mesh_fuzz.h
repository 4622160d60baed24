// SPDX-License-Identifier: Apache-2.0

// Laws of a mesh reader, for any bytes. The fuzzers and the test of their
// corpus call it; a violation aborts.
#ifndef ORBOX_TESTS_FUZZ_READ_MESH_FUZZ_H_
#define ORBOX_TESTS_FUZZ_READ_MESH_FUZZ_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tests/fuzz/cost_per_byte.h"
#include "tests/fuzz/require.h"

namespace orbox {

inline bool AreEqual(const Mesh& a, const Mesh& b) {
  return std::equal(a.vertices().begin(), a.vertices().end(),
                    b.vertices().begin(), b.vertices().end()) &&
         std::equal(a.triangles().begin(), a.triangles().end(),
                    b.triangles().begin(), b.triangles().end());
}

// The bodies of a file that is a mesh are its triangles, with names that
// differ, and no larger than their bytes can account for.
inline void FuzzBodies(std::string_view bytes, MeshFormat format,
                       const Mesh& mesh) {
  const auto bodies = ReadBodies(bytes, format, "fuzz");
  Require(bodies.ok() && !bodies->empty(), "a mesh has bodies");
  size_t triangles = 0;
  size_t size = 0;
  std::set<std::string> names;
  std::set<const Vec3*> meshes;
  for (const NamedBody& body : *bodies) {
    triangles += body.mesh.triangle_count();
    Require(!body.name.empty() && names.insert(body.name).second,
            "bodies have names of their own");
    if (!meshes.insert(body.mesh.vertices().data()).second) continue;
    size += body.mesh.triangle_count() + body.mesh.vertex_count();
  }
  Require(triangles == mesh.triangle_count(), "of all its triangles");
  // glTF may use its bytes sixteen times over, for four numbers a triangle, and
  // place them many times; 3MF is compressed, at most a thousandfold.
  const size_t most = format == MeshFormat::kGltf  ? 64 * bytes.size()
                      : format == MeshFormat::k3mf ? 1100 * bytes.size()
                                                   : bytes.size();
  const bool has_copies =
      format == MeshFormat::kGltf || format == MeshFormat::k3mf;
  Require(
      (has_copies ? size : mesh.triangle_count() + mesh.vertex_count()) <= most,
      "a mesh is no larger than its bytes can account for");
}

// The bytes are a mesh or an error of one line. A mesh is no larger than its
// bytes can account for, and what is written of it reads back as the same mesh.
// With `costs`, reading it takes no longer than others do.
inline void FuzzReadMesh(std::string_view bytes, MeshFormat format,
                         CostPerByte* costs = nullptr) {
  const absl::StatusOr<Mesh> mesh = CostPerByte::With(
      costs, bytes, [&] { return ReadMesh(bytes, format, "fuzz"); });
  if (!mesh.ok()) {
    Require(mesh.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    const std::string message(mesh.status().message());
    Require(message.rfind("fuzz: ", 0) == 0, "errors begin with the name");
    Require(std::all_of(message.begin(), message.end(),
                        [](char c) { return c >= ' ' && c <= '~'; }),
            "errors are one printable line");
    return;
  }
  FuzzBodies(bytes, format, *mesh);
  Require(mesh->degenerate_count() <= mesh->triangle_count(),
          "there are no more degenerate triangles than triangles");
  for (const MeshFormat other :
       {MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kOff}) {
    const absl::StatusOr<std::string> written = EncodeMesh(*mesh, other);
    Require(written.ok(), "every mesh can be written");
    const absl::StatusOr<Mesh> again = ReadMesh(*written, other, "fuzz");
    Require(again.ok() && AreEqual(*again, *mesh),
            "what is written reads back as the same mesh");
  }
}

// Runs the fuzzer of one format on an input.
inline int FuzzReader(const uint8_t* data, size_t size, MeshFormat format) {
  static CostPerByte costs;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  FuzzReadMesh(bytes, format, &costs);
  costs.OfSomeLonger(bytes, [&](std::string_view longer) {
    return ReadMesh(longer, format, "fuzz").status();
  });
  return 0;
}

// Like FuzzReadMesh, for bytes of unknown format. With `costs`, only the
// recognition of the format is timed like others; the readers' own fuzzers time
// the readers.
inline void FuzzReadAnyMesh(std::string_view bytes,
                            CostPerByte* costs = nullptr) {
  const auto recognised = [](std::string_view text) {
    return MeshFormatOf("-", text);
  };
  const absl::StatusOr<MeshFormat> format =
      CostPerByte::With(costs, bytes, [&] { return recognised(bytes); });
  if (costs != nullptr) {
    costs->OfSomeLonger(bytes, [&](std::string_view longer) {
      return recognised(longer).status();
    });
  }
  if (format.ok()) {
    FuzzReadMesh(bytes, *format);
  } else {
    Require(format.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
  }
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_READ_MESH_FUZZ_H_
