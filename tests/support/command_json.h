// SPDX-License-Identifier: Apache-2.0

// Poses and answers as the orbox command writes and reads them, for its tests.
#ifndef ORBOX_TESTS_SUPPORT_COMMAND_JSON_H_
#define ORBOX_TESTS_SUPPORT_COMMAND_JSON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tests/support/json.h"
#include "tools/orbox/base/text.h"

namespace orbox {

// A pose as the command reads it: the rows of [R | t], with commas.
inline std::string RowOf(const Pose& pose);

// Values of the command's JSON, as the library's types.
inline Vec3 PointOf(const Json& json);
inline std::vector<uint32_t> IdsOf(const Json& json);
inline std::vector<TrianglePair> PairsOf(const Json& json);

// Implementation.

inline std::string RowOf(const Pose& pose) {
  std::string row;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Vec3& r = pose.rows[axis];
    row += cli::Cat(axis > 0 ? "," : "", r.x, ",", r.y, ",", r.z, ",",
                    pose.translation[axis]);
  }
  return row;
}

inline Vec3 PointOf(const Json& json) {
  EXPECT_EQ(json.size(), 3U);
  return {json[0].number(), json[1].number(), json[2].number()};
}

inline std::vector<uint32_t> IdsOf(const Json& json) {
  std::vector<uint32_t> ids;
  for (const Json& id : json.items) ids.push_back(id.number());
  return ids;
}

inline std::vector<TrianglePair> PairsOf(const Json& json) {
  std::vector<TrianglePair> pairs;
  for (const Json& pair : json.items) {
    EXPECT_THAT(pair.Keys(),
                testing::AnyOf(testing::ElementsAre("a", "b"),
                               testing::ElementsAre("a", "b", "kind")));
    pairs.push_back({static_cast<uint32_t>(pair["a"].number()),
                     static_cast<uint32_t>(pair["b"].number())});
  }
  return pairs;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_COMMAND_JSON_H_
