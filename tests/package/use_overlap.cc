// SPDX-License-Identifier: Apache-2.0

// Links orbox::overlap alone: do two triangles meet, and how far apart are
// they?
#include <cstdio>

#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

int main() {
  const orbox::Triangle floor{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const orbox::Triangle above{{1, 1, 3}, {2, 1, 3}, {1, 2, 3}};
  const orbox::Triangle across{{1, 1, -1}, {1, 1, 1}, {2, 1, 0}};
  const double distance = orbox::Distance(floor, above).distance;
  std::printf("distance %g, across meets floor: %d\n", distance,
              orbox::Overlaps(floor, across));
  const bool right = distance == 3 && orbox::Overlaps(floor, across) &&
                     !orbox::Overlaps(floor, above);
  return right ? 0 : 1;
}
