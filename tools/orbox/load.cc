#include "tools/orbox/load.h"

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/read_mesh.h"
#include "tools/orbox/text.h"

namespace orbox::cli {

absl::StatusOr<Mesh> LoadMesh(const std::string& path, Progress& progress) {
  progress.Begin(Cat("reading ", path == "-" ? "standard input" : path));
  return ReadMeshFile(path, {.progress = [&progress](double share) {
                        progress.ShareDone(share);
                      }});
}

absl::StatusOr<Tree> BuildTree(const Mesh& mesh, const Settings& settings,
                               Progress& progress) {
  progress.Begin("building the tree");
  return Build(
      mesh,
      {.volumes = settings.volumes,
       .progress = [&progress](double share) { progress.ShareDone(share); },
       .threads = static_cast<int>(settings.threads)});
}

absl::StatusOr<Tree> LoadTree(const std::string& path, const Settings& settings,
                              Progress& progress) {
  const absl::StatusOr<Mesh> mesh = LoadMesh(path, progress);
  if (!mesh.ok()) return mesh.status();
  return BuildTree(*mesh, settings, progress);
}

}  // namespace orbox::cli
