// SPDX-License-Identifier: Apache-2.0

// Speed of reading and writing a mesh of a million triangles, by format. Bytes
// per second count those of the file; parsing is alone, from memory.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox {
namespace {

constexpr size_t kTriangles = 1'000'000;

const Mesh& Knot() {
  static const Mesh mesh =
      *GenerateMesh({.shape = "torus_knot", .triangles = kTriangles});
  return mesh;
}

std::string AsciiStl(const Mesh& mesh) {
  std::string text = "solid knot\n";
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    text += "facet normal 0 0 0\n outer loop\n";
    for (size_t k = 0; k < 3; ++k) {
      char line[128];
      std::snprintf(line, sizeof line, "  vertex %.9g %.9g %.9g\n", t[k].x,
                    t[k].y, t[k].z);
      text += line;
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid knot\n";
}

std::string AsciiPly(const Mesh& mesh) {
  // The lines of OFF behind its two of header are those of PLY.
  const std::string off = *EncodeMesh(mesh, MeshFormat::kOff);
  const size_t body = off.find('\n', off.find('\n') + 1) + 1;
  return "ply\nformat ascii 1.0\nelement vertex " +
         std::to_string(mesh.vertex_count()) +
         "\nproperty double x\nproperty double y\nproperty double z\n"
         "element face " +
         std::to_string(mesh.triangle_count()) +
         "\nproperty list uchar int vertex_indices\nend_header\n" +
         off.substr(body);
}

void Read(benchmark::State& state, const std::string& bytes,
          MeshFormat format) {
  for (auto _ : state) {
    const absl::StatusOr<Mesh> mesh = ReadMesh(bytes, format, "bench");
    if (!mesh.ok() || mesh->triangle_count() != Knot().triangle_count()) {
      state.SkipWithError("not read");
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(bytes.size()));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(Knot().triangle_count()));
}

// Six digits, as most files have, and all of them, as ours do.
void BM_ReadObjSixDigits(benchmark::State& state) {
  std::string text;
  char line[128];
  for (const Vec3& v : Knot().vertices()) {
    std::snprintf(line, sizeof line, "v %.6f %.6f %.6f\n", v.x, v.y, v.z);
    text += line;
  }
  for (const auto& [a, b, c] : Knot().triangles()) {
    std::snprintf(line, sizeof line, "f %u %u %u\n", a + 1, b + 1, c + 1);
    text += line;
  }
  Read(state, text, MeshFormat::kObj);
}
void BM_ReadObj(benchmark::State& state) {
  Read(state, *EncodeMesh(Knot(), MeshFormat::kObj), MeshFormat::kObj);
}
void BM_ReadOff(benchmark::State& state) {
  Read(state, *EncodeMesh(Knot(), MeshFormat::kOff), MeshFormat::kOff);
}
void BM_ReadPlyBinary(benchmark::State& state) {
  Read(state, *EncodeMesh(Knot(), MeshFormat::kPly), MeshFormat::kPly);
}
void BM_ReadPlyAscii(benchmark::State& state) {
  Read(state, AsciiPly(Knot()), MeshFormat::kPly);
}
void BM_ReadStlBinary(benchmark::State& state) {
  Read(state, *EncodeMesh(Knot(), MeshFormat::kStl), MeshFormat::kStl);
}
void BM_ReadStlAscii(benchmark::State& state) {
  Read(state, AsciiStl(Knot()), MeshFormat::kStl);
}
BENCHMARK(BM_ReadObjSixDigits)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadObj)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadOff)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadPlyBinary)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadPlyAscii)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadStlBinary)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadStlAscii)->Unit(benchmark::kMillisecond);

// Last step of every reader.
void BM_MeshCreate(benchmark::State& state) {
  const std::vector<Vec3> vertices(Knot().vertices().begin(),
                                   Knot().vertices().end());
  const std::vector<TriangleIndices> triangles(Knot().triangles().begin(),
                                               Knot().triangles().end());
  for (auto _ : state) {
    benchmark::DoNotOptimize(Mesh::Create(vertices, triangles));
  }
}
BENCHMARK(BM_MeshCreate)->Unit(benchmark::kMillisecond);

void BM_IsClosed(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(IsClosed(Knot()));
}
BENCHMARK(BM_IsClosed)->Unit(benchmark::kMillisecond);

void BM_Write(benchmark::State& state, MeshFormat format) {
  size_t bytes = 0;
  for (auto _ : state) bytes = EncodeMesh(Knot(), format)->size();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(bytes));
}
BENCHMARK_CAPTURE(BM_Write, obj, MeshFormat::kObj)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Write, ply, MeshFormat::kPly)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Write, stl, MeshFormat::kStl)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
