// SPDX-License-Identifier: Apache-2.0

// A building to measure clashes on: its bodies, and the volumes that pairs of
// them truly share.
//
//   Building building = ReadBuilding(directory);   // ends the program on
//   errors Scene scene = SceneOf(building.meshes);
#ifndef ORBOX_BENCH_CLASHES_BUILDING_H_
#define ORBOX_BENCH_CLASHES_BUILDING_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "orbox/orbox.h"

namespace orbox::clashes {

struct Building {
  std::vector<Mesh> meshes;  // by number of the body
  // In cubic units of the model, of pairs a < b of closed meshes.
  std::map<BodyPair, double> shared_volumes;
  // Lower estimates of the thickness of the regions that these pairs share, if
  // known.
  std::map<BodyPair, double> shared_thicknesses;
};

// Reads scene.json, its meshes, and shared_volumes.json, a list of [a, b,
// volume] or [a, b, volume, thickness].
Building ReadBuilding(const std::string& directory);

// The meshes with each vertex moved.
std::vector<Mesh> Moved(const std::vector<Mesh>& meshes,
                        const std::function<Vec3(const Vec3&)>& move);

Scene SceneOf(const std::vector<Mesh>& meshes);

// Returns true if FCL is built in. Without it, FclBodies finds nothing.
bool IsFclHere();

class FclBodies {
 public:
  explicit FclBodies(const std::vector<Mesh>& meshes);
  ~FclBodies();
  // The pairs that collide, ascending.
  std::vector<BodyPair> AllOverlaps() const;

 private:
  struct Data;
  Data* data_;
};

}  // namespace orbox::clashes

#endif  // ORBOX_BENCH_CLASHES_BUILDING_H_
