// SPDX-License-Identifier: Apache-2.0

// Places of a building in words: the storey and the nearest crossing of its
// grid.
//
//   const PlaceWords words({{"Level 1", 0}, {"Level 2", 3.2}}, axes);
//   words.Of({4, 5, 3.5});   // "Level 2, near B/3"
//
// Elevations and axes are in the model's coordinates, and up is z.
#ifndef ORBOX_TOOLS_REPORT_PLACE_WORDS_H_
#define ORBOX_TOOLS_REPORT_PLACE_WORDS_H_

#include <array>
#include <string>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::report {

struct Storey {
  std::string name;
  double elevation = 0;
};

// An axis of a grid, seen from above.
struct GridAxis {
  std::string name;
  std::array<double, 2> from{};
  std::array<double, 2> to{};
};

class PlaceWords {
 public:
  PlaceWords() = default;
  PlaceWords(std::vector<Storey> storeys, const std::vector<GridAxis>& axes);

  // Returns the highest storey that is not above the place, or the lowest one
  // if all are. Returns an empty text without storeys.
  std::string StoreyOf(const Vec3& place) const;

  // Returns "B/3": the nearest crossing of two axes in plan. Axes cross within
  // their ends, or at most a tenth of their length beyond. Returns an empty
  // text without crossings.
  std::string CrossingOf(const Vec3& place) const;

 private:
  struct Crossing {
    double x = 0;
    double y = 0;
    std::string name;
  };
  std::vector<Storey> storeys_;      // from the lowest
  std::vector<Crossing> crossings_;  // by x
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_PLACE_WORDS_H_
