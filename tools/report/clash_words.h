// SPDX-License-Identifier: Apache-2.0

// Measures of a clash in words, for reading, not for computing: the other
// formats have all digits.
//
//   for (const Measure& m : MeasuresOf(clash, scene, title, "mm")) ...
//   // "thickness", "12.5 mm"; "around", "(1200, 350, 80.5)"
#ifndef ORBOX_TOOLS_REPORT_CLASH_WORDS_H_
#define ORBOX_TOOLS_REPORT_CLASH_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_facts.h"

namespace orbox::report {

struct Measure {
  std::string name;
  std::string value;
};

// Returns the metres in a unit of the model, such as "mm"; 1 for an unknown
// unit.
double MetresOf(std::string_view unit);
// Returns true if MetresOf knows the unit.
bool IsUnit(std::string_view unit);

// Returns all measures of a clash. `title` is that of its first body.
std::vector<Measure> MeasuresOf(const ListedClash& clash,
                                const SceneFacts& scene,
                                const std::string& title,
                                const std::string& unit);

// Returns the measure by which clashes are sorted: "12.5 mm thick", "3 mm
// apart"; or an empty text if there is none.
std::string SizeOf(const Clash& clash, const std::string& unit);

// Returns "(1200.5, 350, 80)". Coordinates have tenths of millimetres, or in an
// unknown unit six digits, and three after the point if they are large.
std::string PlaceText(const Vec3& place, const std::string& unit);

// Returns "clash", or "inside: the first".
std::string KindText(ClashKind kind);

// Returns "0.1 mm apart at (1, 2, 3), over 1 × 2 × 3 mm".
std::string ClusterText(const NearCluster& cluster, const std::string& unit);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_WORDS_H_
