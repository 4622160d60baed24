// SPDX-License-Identifier: Apache-2.0

#include "bench/clashes/building.h"

namespace orbox::clashes {

struct FclBodies::Data {};

bool IsFclHere() { return false; }
FclBodies::FclBodies(const std::vector<Mesh>& /*meshes*/) : data_(nullptr) {}
FclBodies::~FclBodies() = default;
std::vector<BodyPair> FclBodies::AllOverlaps() const { return {}; }

}  // namespace orbox::clashes
