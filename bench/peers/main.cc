// SPDX-License-Identifier: Apache-2.0

// peers_bench: every work of Orbox compared with every library that was found,
// in one process and one thread.
//
//   peers_bench [--meshes DIR] [--work NAME,...] [--json]
//
// Without --meshes, the meshes of $ORBOX_MESH_DIR, or of shared/meshes next to
// the repository. --mesh, --pair, --peer and --min_triangles narrow a run down;
// --subdivide makes finer meshes of the same surfaces. --instruction_set limits
// the libraries that choose by the machine, Orbox and Embree, to one set; the
// other peers are compiled for any machine.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "bench/peers/mesh_case.h"
#include "bench/peers/pair_case.h"
#include "bench/peers/peer.h"
#include "bench/peers/report.h"
#include "bench/peers/works.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/overlap/base/instruction_set.h"
#include "tests/support/mesh_directory.h"

ABSL_FLAG(std::string, meshes, "", "the folder of the meshes");
ABSL_FLAG(std::vector<std::string>, work, {},
          "the works, by name; all if none");
ABSL_FLAG(std::vector<std::string>, peer, {},
          "the peers, by name; all if none");
ABSL_FLAG(std::vector<std::string>, mesh, {},
          "the meshes, by file name without extension; all if none");
ABSL_FLAG(
    std::vector<std::string>, pair, {},
    "the pairs of meshes, as a:b, also of small_sphere and small_torus_knot, "
    "of 1,000 triangles each; each mesh with itself and with the next by name "
    "if none");
ABSL_FLAG(uint64_t, min_triangles, 0, "leaves out meshes with fewer");
ABSL_FLAG(uint32_t, subdivide, 0, "parts each triangle in four, so many times");
ABSL_FLAG(std::string, instruction_set, "",
          "holds Orbox and Embree to sse2, sse4, avx2 or avx512");
ABSL_FLAG(bool, json, false, "prints JSON in place of a table");

namespace orbox::peers {
namespace {

struct NamedMesh {
  std::string name;
  Mesh mesh;
};

// Returns true if a list of names contains one; an empty list contains all.
bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() ||
         std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the same surface with four times as many triangles.
Mesh Subdivided(const Mesh& mesh) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
  const auto middle = [&](uint32_t i, uint32_t j) {
    const auto [at, is_new] = middles.try_emplace(
        std::minmax(i, j), static_cast<uint32_t>(vertices.size()));
    if (is_new) vertices.push_back((vertices[i] + vertices[j]) * 0.5);
    return at->second;
  };
  std::vector<TriangleIndices> triangles;
  for (const TriangleIndices& t : mesh.triangles()) {
    const uint32_t ab = middle(t[0], t[1]);
    const uint32_t bc = middle(t[1], t[2]);
    const uint32_t ca = middle(t[2], t[0]);
    triangles.push_back({t[0], ab, ca});
    triangles.push_back({ab, t[1], bc});
    triangles.push_back({ca, bc, t[2]});
    triangles.push_back({ab, bc, ca});
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// Those of the folder, by name; none, and a message, where one is damaged.
std::vector<NamedMesh> ReadMeshes(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string extension = entry.path().extension().string();
    for (const char* known : {".obj", ".ply", ".stl", ".off"}) {
      if (extension == known) paths.push_back(entry.path());
    }
  }
  if (error) {
    std::fprintf(stderr, "peers_bench: %s: %s\n", folder.string().c_str(),
                 error.message().c_str());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<NamedMesh> meshes;
  for (const auto& path : paths) {
    absl::StatusOr<Mesh> mesh = ReadMeshFile(path.string());
    if (!mesh.ok()) {
      std::fprintf(stderr, "peers_bench: %s\n",
                   std::string(mesh.status().message()).c_str());
      return {};
    }
    if (mesh->triangle_count() < absl::GetFlag(FLAGS_min_triangles)) continue;
    meshes.push_back({path.stem().string(), *std::move(mesh)});
    if (!Holds(absl::GetFlag(FLAGS_mesh), meshes.back().name)) continue;
    for (uint32_t i = 0; i < absl::GetFlag(FLAGS_subdivide); ++i) {
      meshes.back().mesh = Subdivided(meshes.back().mesh);
    }
  }
  return meshes;
}

// Meshes of a thousand triangles, like bodies of scenes: for pairs alone.
std::vector<NamedMesh> SmallMeshes() {
  std::vector<NamedMesh> meshes;
  for (const char* shape : {"sphere", "torus_knot"}) {
    meshes.push_back(
        {std::string("small_") + shape,
         GenerateMesh({.shape = shape, .triangles = 1000}).value()});
  }
  return meshes;
}

std::vector<Peer> ChosenPeers() {
  std::vector<Peer> chosen;
  for (const Peer& peer : Peers()) {
    if (Holds(absl::GetFlag(FLAGS_peer), peer.name)) chosen.push_back(peer);
  }
  return chosen;
}

template <typename Work>
std::vector<Work> ChosenWorks(std::span<const Work> all) {
  std::vector<Work> chosen;
  for (const Work& work : all) {
    if (Holds(absl::GetFlag(FLAGS_work), work.name)) chosen.push_back(work);
  }
  return chosen;
}

void RunOverMesh(const NamedMesh& named, Report* report) {
  const auto emit = [report](const Row& row) { report->Add(row); };
  const std::vector<BuildWork> build_works = ChosenWorks(BuildWorks());
  std::vector<MeshWork> works = ChosenWorks(PointWorks());
  for (const MeshWork& work : ChosenWorks(RangeWorks())) works.push_back(work);
  for (const MeshWork& work : ChosenWorks(RayWorks())) works.push_back(work);
  if (build_works.empty() && works.empty()) return;
  const MeshCase mesh(named.name, named.mesh);
  const std::unique_ptr<OneMesh> ours = OrboxItself().over_mesh(mesh.mesh);
  for (const Peer& peer : ChosenPeers()) {
    if (peer.over_mesh == nullptr) continue;
    for (const BuildWork& work : build_works) work.run(mesh, peer, emit);
    if (works.empty()) continue;
    const std::unique_ptr<OneMesh> theirs = peer.over_mesh(mesh.mesh);
    for (const MeshWork& work : works) {
      work.run(mesh, {peer, theirs.get(), ours.get()}, emit);
    }
  }
}

void RunOverPair(const NamedMesh& a, const NamedMesh& b, Report* report) {
  const auto emit = [report](const Row& row) { report->Add(row); };
  const std::vector<PairWork> works = ChosenWorks(PairWorks());
  if (works.empty()) return;
  PairCase pair(a.name + "|" + b.name, a.mesh, b.mesh);
  const std::unique_ptr<MeshPair> ours =
      OrboxItself().over_pair(pair.a(), pair.b());
  for (const Peer& peer : ChosenPeers()) {
    if (peer.over_pair == nullptr) continue;
    const std::unique_ptr<MeshPair> theirs = peer.over_pair(pair.a(), pair.b());
    for (const PairWork& work : works) {
      work.run(pair, {peer, theirs.get(), ours.get()}, emit);
    }
  }
}

void RunOverPairs(const std::vector<NamedMesh>& meshes, Report* report) {
  const std::vector<std::string> wanted = absl::GetFlag(FLAGS_pair);
  const std::vector<std::string> wanted_meshes = absl::GetFlag(FLAGS_mesh);
  for (size_t i = 0; i < meshes.size(); ++i) {
    for (size_t j = 0; j < meshes.size(); ++j) {
      const NamedMesh& a = meshes[i];
      const NamedMesh& b = meshes[j];
      const bool is_wanted = wanted.empty()
                                 ? (j == i || j == i + 1) &&
                                       Holds(wanted_meshes, a.name) &&
                                       Holds(wanted_meshes, b.name)
                                 : Holds(wanted, a.name + ":" + b.name);
      if (is_wanted) RunOverPair(a, b, report);
    }
  }
}

// Prints a message and returns false if a name on the command line is unknown.
bool CheckNames(std::string_view flag, const std::vector<std::string>& given,
                const std::vector<std::string>& known) {
  for (const std::string& name : given) {
    if (Holds(known, name)) continue;
    std::fprintf(stderr, "peers_bench: --%s: no %s; there are",
                 std::string(flag).c_str(), name.c_str());
    for (const std::string& k : known) std::fprintf(stderr, " %s", k.c_str());
    std::fprintf(stderr, "\n");
    return false;
  }
  return true;
}

bool CheckFlags() {
  std::vector<std::string> works;
  for (const BuildWork& w : BuildWorks()) works.emplace_back(w.name);
  for (const MeshWork& w : PointWorks()) works.emplace_back(w.name);
  for (const MeshWork& w : RangeWorks()) works.emplace_back(w.name);
  for (const MeshWork& w : RayWorks()) works.emplace_back(w.name);
  for (const PairWork& w : PairWorks()) works.emplace_back(w.name);
  std::vector<std::string> peers;
  for (const Peer& p : Peers()) peers.emplace_back(p.name);
  return CheckNames("work", absl::GetFlag(FLAGS_work), works) &&
         CheckNames("peer", absl::GetFlag(FLAGS_peer), peers);
}

bool CheckMeshFlags(const std::vector<NamedMesh>& meshes,
                    const std::vector<NamedMesh>& of_pairs) {
  std::vector<std::string> names;
  std::vector<std::string> pairs;
  for (const NamedMesh& a : meshes) names.push_back(a.name);
  for (const NamedMesh& a : of_pairs) {
    for (const NamedMesh& b : of_pairs) pairs.push_back(a.name + ":" + b.name);
  }
  return CheckNames("mesh", absl::GetFlag(FLAGS_mesh), names) &&
         CheckNames("pair", absl::GetFlag(FLAGS_pair), pairs);
}

// False, and a message, where the machine has no such instruction set.
bool HoldToInstructionSet(const std::string& name) {
  if (name.empty()) return true;
  const std::optional<InstructionSet> set = InstructionSetNamed(name);
  if (set.has_value() && SetInstructionSet(set)) return true;
  std::fprintf(stderr, "peers_bench: --instruction_set: no %s here; there are",
               name.c_str());
  for (InstructionSet s : SupportedInstructionSets()) {
    std::fprintf(stderr, " %s", std::string(Name(s)).c_str());
  }
  std::fprintf(stderr, "\n");
  return false;
}

int Main() {
  if (!CheckFlags() ||
      !HoldToInstructionSet(absl::GetFlag(FLAGS_instruction_set))) {
    return 2;
  }
  std::filesystem::path folder = absl::GetFlag(FLAGS_meshes);
  if (folder.empty()) folder = MeshDirectory();
  if (folder.empty()) {
    std::fprintf(stderr,
                 "peers_bench: no meshes; name a folder of them by --meshes or "
                 "$ORBOX_MESH_DIR\n");
    return 2;
  }
  const std::vector<NamedMesh> meshes = ReadMeshes(folder);
  if (meshes.empty()) {
    std::fprintf(stderr, "peers_bench: no meshes to measure in %s\n",
                 folder.string().c_str());
    return 3;
  }
  std::vector<NamedMesh> of_pairs = meshes;
  if (absl::GetFlag(FLAGS_min_triangles) == 0) {
    for (NamedMesh& small : SmallMeshes()) of_pairs.push_back(std::move(small));
  }
  if (!CheckMeshFlags(meshes, of_pairs)) return 2;
  Report report(absl::GetFlag(FLAGS_json) ? Format::kJson : Format::kTable);
  report.Begin();
  for (const NamedMesh& named : meshes) {
    if (Holds(absl::GetFlag(FLAGS_mesh), named.name)) {
      RunOverMesh(named, &report);
    }
  }
  RunOverPairs(of_pairs, &report);
  report.End();
  return 0;
}

}  // namespace
}  // namespace orbox::peers

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "measures Orbox beside other libraries\n\n"
      "  peers_bench [--meshes DIR] [--work NAME,...] [--json]");
  absl::ParseCommandLine(argc, argv);
  return orbox::peers::Main();
}
