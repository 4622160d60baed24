// Two meshes and the poses of the first: what `intersect` and `clearance` ask
// about.
#ifndef ORBOX_TOOLS_ORBOX_MESH_PAIR_H_
#define ORBOX_TOOLS_ORBOX_MESH_PAIR_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/options.h"
#include "tools/orbox/poses.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

inline constexpr std::string_view kPairOperands[] = {"A", "B"};

inline constexpr Option kPoseOption = {
    "--pose", "P",
    "moves A: 12 numbers row by row of [R | t], between commas, or @FILE with "
    "one pose a row"};

struct MeshPair {
  Tree a;
  Tree b;
  Poses poses;
  std::string title;  // "A (knot.ply) and B (ring.ply)"
};

// Reads the operands A and B and --pose. A file given as both is read once.
absl::StatusOr<MeshPair> LoadPair(const Arguments& arguments,
                                  const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MESH_PAIR_H_
