// SPDX-License-Identifier: Apache-2.0

#include "bench/clashes/building.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "tests/support/json.h"

namespace orbox::clashes {
namespace {

[[noreturn]] void End(const std::string& message) {
  std::fprintf(stderr, "clashes: %s\n", message.c_str());
  std::exit(3);
}

Json ReadJson(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::optional<Json> json = ParseJson(text.str());
  if (!file || !json) End("cannot read " + path);
  return *std::move(json);
}

}  // namespace

Building ReadBuilding(const std::string& directory) {
  Building building;
  const Json scene = ReadJson(directory + "/scene.json");
  for (const Json& body : scene["bodies"].items) {
    absl::StatusOr<Mesh> mesh =
        ReadMeshFile(directory + "/" + body["mesh"].text);
    if (!mesh.ok()) End(std::string(mesh.status().message()));
    building.meshes.push_back(*std::move(mesh));
  }
  const Json volumes = ReadJson(directory + "/shared_volumes.json");
  for (const Json& row : volumes.items) {
    const BodyPair pair{static_cast<BodyId>(row[0].number()),
                        static_cast<BodyId>(row[1].number())};
    building.shared_volumes[pair] = row[2].number();
    if (row.items.size() > 3) {
      building.shared_thicknesses[pair] = row[3].number();
    }
  }
  return building;
}

std::vector<Mesh> Moved(const std::vector<Mesh>& meshes,
                        const std::function<Vec3(const Vec3&)>& move) {
  std::vector<Mesh> moved;
  for (const Mesh& mesh : meshes) {
    std::vector<Vec3> vertices;
    for (const Vec3& v : mesh.vertices()) vertices.push_back(move(v));
    moved.push_back(Mesh::Create(std::move(vertices), {mesh.triangles().begin(),
                                                       mesh.triangles().end()})
                        .value());
  }
  return moved;
}

Scene SceneOf(const std::vector<Mesh>& meshes) {
  Scene scene;
  for (const Mesh& mesh : meshes)
    (void)scene.Add(Build(mesh, {.threads = 1}).value()).value();
  scene.Update();
  return scene;
}

}  // namespace orbox::clashes
