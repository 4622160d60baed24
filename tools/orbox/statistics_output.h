// The cost of queries, as JSON and as a table for people.
#ifndef ORBOX_TOOLS_ORBOX_STATISTICS_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_STATISTICS_OUTPUT_H_

#include <string>
#include <string_view>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/json_writer.h"

namespace orbox::cli {

// "sphere", "aabb", "obb".
std::string_view NameOf(VolumeKind kind);

// The fields of an object that has been begun: "nodes_visited":n,...
void WriteCounts(JsonWriter& json, const VolumeStatistics& counts);

// {"nodes_visited":n,...,"by_kind":{...},"by_depth":[...],...}
void WriteStatistics(JsonWriter& json, const TraversalStatistics& statistics);
std::string StatisticsTable(const TraversalStatistics& statistics);

// The expected visits of the tree, and its levels: fields of an object that has
// been begun, and a table below the caller's title.
void WriteTreeShape(JsonWriter& json, const Tree& tree);
std::string TreeShapeTable(const Tree& tree);

// The shape of the tree, for commands that do not query it:
// {"tree":{"depth":n,"nodes":n,...,"expected_nodes":x,...,"levels":[...]}}
void WriteTreeStatistics(JsonWriter& json, const Tree& tree);
std::string TreeStatisticsTable(const Tree& tree);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_STATISTICS_OUTPUT_H_
