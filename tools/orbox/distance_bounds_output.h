// The two doubles around an exact distance (--bounds), as every command writes
// them in JSON.
#ifndef ORBOX_TOOLS_ORBOX_DISTANCE_BOUNDS_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_DISTANCE_BOUNDS_OUTPUT_H_

#include "orbox/overlap/triangles/distance_bounds.h"
#include "tools/orbox/json_writer.h"

namespace orbox::cli {

// "distance_bounds":[lower,upper]; an upper one beyond double is null.
inline void WriteBounds(JsonWriter& json, const DistanceInterval& bounds) {
  json.Key("distance_bounds");
  json.BeginArray();
  json.Value(bounds.lower);
  json.Value(bounds.upper);
  json.EndArray();
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_DISTANCE_BOUNDS_OUTPUT_H_
