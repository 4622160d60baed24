// SPDX-License-Identifier: Apache-2.0

// A building of the size of Schependomlaan's coordination set, made from
// formulas: flush everywhere, with some true clashes. Equal on each machine.
//
//   std::vector<NamedBody> bodies = GeneratedBuilding();
//   WriteBodiesFile(bodies, "building.glb");
#ifndef ORBOX_BENCH_CLASHES_GENERATED_BUILDING_H_
#define ORBOX_BENCH_CLASHES_GENERATED_BUILDING_H_

#include <vector>

#include "orbox/orbox.h"

namespace orbox::clashes {

// Five storeys of 11 by 10 rooms, in metres, each with a slab, a floor, walls
// of two leaves with windows flush in their openings, a column, a radiator and
// its pipes, furniture. Properties as an IFC file has them: type, storey, file.
std::vector<NamedBody> GeneratedBuilding();

}  // namespace orbox::clashes

#endif  // ORBOX_BENCH_CLASHES_GENERATED_BUILDING_H_
