// SPDX-License-Identifier: Apache-2.0

// Two meshes of the same size and the poses in which they meet or do not meet;
// the same on each run.
//
// Each pose turns the first mesh at random and moves it along a random line
// from where it touches the second: inward or outward. Distances are shares of
// the meshes' diagonal, to which both are scaled: it is 1.
#ifndef ORBOX_BENCH_PEERS_PAIR_CASE_H_
#define ORBOX_BENCH_PEERS_PAIR_CASE_H_

#include <string>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"

namespace orbox::peers {

class PairCase {
 public:
  PairCase(std::string name, const Mesh& a, const Mesh& b);

  const std::string& name() const { return name_; }
  const Mesh& a() const { return a_; }
  const Mesh& b() const { return b_; }

  // Made when they are first needed. Fewer if few can be found.

  // In turn meeting and not, moved by up to 5 % from contact.
  const std::vector<Pose>& HalfMeeting();
  // Meeting, moved inward by 1 to 30 %.
  const std::vector<Pose>& Meeting();
  // Apart by 0.1 to 1 %, and by 1 to 50 %; evenly by logarithm.
  const std::vector<Pose>& NearlyMeeting();
  const std::vector<Pose>& Apart();
  // In turn of the two above.
  const std::vector<Pose>& HalfWithin();

 private:
  // A turn and a line; the mesh moved along it by `contact` touches.
  struct Approach {
    Pose turned;
    Vec3 direction;
    double contact = 0;

    Pose At(double along) const;
  };
  Approach RandomApproach();
  bool OverlapsAt(const Pose& pose) const;
  double Gap(const Pose& pose) const;
  std::vector<Pose> WithGaps(double least, double most);

  std::string name_;
  Mesh a_;
  Mesh b_;
  Tree tree_a_;
  Tree tree_b_;
  meshes::Random random_{1};
  std::vector<Pose> half_meeting_;
  std::vector<Pose> meeting_;
  std::vector<Pose> nearly_meeting_;
  std::vector<Pose> apart_;
  std::vector<Pose> half_within_;
};

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_PAIR_CASE_H_
