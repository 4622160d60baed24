// SPDX-License-Identifier: Apache-2.0

// Time to load a tree from its file, compared with building it from its mesh.
// All files are in the system's memory, and all cores are used; `bytes` are
// those of the tree file.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/tree/tree_file.h"

namespace orbox {
namespace {

// The files, in a directory that vanishes at the end.
class Files {
 public:
  Files() {
    std::string name =
        (std::filesystem::temp_directory_path() / "orbox-bench-XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Makes all files of a size when the first is needed.
  std::string Path(int64_t triangles, const std::string& extension) {
    const auto stem = folder_ / std::to_string(triangles);
    const std::string tree = stem.string() + ".orbox";
    if (!std::filesystem::exists(tree)) {
      const Mesh mesh = *GenerateMesh(
          {.shape = "torus_knot", .triangles = static_cast<size_t>(triangles)});
      const bool all_written =
          WriteMeshFile(mesh, stem.string() + ".ply").ok() &&
          WriteMeshFile(mesh, stem.string() + ".obj").ok() &&
          WriteTree(*Build(mesh), tree).ok();
      if (!all_written) std::abort();
    }
    return stem.string() + extension;
  }

 private:
  std::filesystem::path folder_;
};

Files& TheFiles() {
  static Files files;
  return files;
}

template <typename Load>
void Run(benchmark::State& state, const std::string& extension, Load load) {
  const std::string path = TheFiles().Path(state.range(0), extension);
  for (auto _ : state) {
    const absl::StatusOr<Tree> tree = load(path);
    if (!tree.ok()) {
      state.SkipWithError("not read");
      break;
    }
    benchmark::DoNotOptimize(*tree);
  }
  state.counters["bytes"] = static_cast<double>(
      std::filesystem::file_size(TheFiles().Path(state.range(0), ".orbox")));
}

absl::StatusOr<Tree> LoadAndBuild(const std::string& path, Quality quality) {
  const absl::StatusOr<Mesh> mesh = ReadMeshFile(path);
  if (!mesh.ok()) return mesh.status();
  return Build(*mesh, {.quality = quality});
}

void BM_BuildFrom(benchmark::State& state, const std::string& extension,
                  Quality quality) {
  Run(state, extension, [quality](const std::string& path) {
    return LoadAndBuild(path, quality);
  });
}
void BM_Read(benchmark::State& state) {
  Run(state, ".orbox", [](const std::string& path) { return ReadTree(path); });
}
void BM_Map(benchmark::State& state, TreeCheck check) {
  Run(state, ".orbox", [check](const std::string& path) {
    return MapTree(path, {.check = check});
  });
}
// Maps the file and runs a first query, which loads some pages.
void BM_MapAndAsk(benchmark::State& state, TreeCheck check) {
  Run(state, ".orbox", [check](const std::string& path) {
    absl::StatusOr<Tree> tree = MapTree(path, {.check = check});
    if (tree.ok()) benchmark::DoNotOptimize(ClosestPoint(*tree, {0, 0, 0}));
    return tree;
  });
}
void BM_Write(benchmark::State& state) {
  const Tree tree = *ReadTree(TheFiles().Path(state.range(0), ".orbox"));
  const std::string path = TheFiles().Path(state.range(0), ".written");
  for (auto _ : state) {
    if (!WriteTree(tree, path).ok()) state.SkipWithError("not written");
  }
}

void Sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);
  // Times are summed over all threads, for ratios on a busy machine.
  bench->MeasureProcessCPUTime()->UseRealTime();
}
BENCHMARK_CAPTURE(BM_BuildFrom, obj, ".obj", Quality::kBalanced)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_BuildFrom, ply, ".ply", Quality::kBalanced)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_BuildFrom, ply_best, ".ply", Quality::kBest)->Apply(Sizes);
BENCHMARK(BM_Read)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_Map, everything, TreeCheck::kEverything)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_Map, checksums, TreeCheck::kChecksums)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_Map, header, TreeCheck::kHeader)->Apply(Sizes);
BENCHMARK_CAPTURE(BM_MapAndAsk, header, TreeCheck::kHeader)->Apply(Sizes);
BENCHMARK(BM_Write)->Apply(Sizes);

}  // namespace
}  // namespace orbox
