// The formats of `orbox explain`, one function each.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_WRITERS_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_WRITERS_H_

#include "tools/orbox/explanation.h"
#include "tools/orbox/output.h"

namespace orbox::cli {

// For people: tables, and the recommendation last.
void WriteExplanationText(const Explanation& explanation, Output& output);

// One object, times in seconds, shares and gains in 0 .. 1 (fields may be
// added):
//   "schema_version":1, "query":"nearest ...", "threads":n,
//   "statistics":{...},                 as --stats has it
//   "cost":[{"depth":n,"kind":"aabb","nodes_visited":n,"volume_tests":n,
//            "accepted":n,"rejected":n,"test_false_positives":n,
//            "subtree_false_positives":n,"time_share":x},...],
//   "leaves_time_share":x, "beyond_float_time_share":x, "rest_time_share":x,
//   "step_seconds":{"sphere":s,"aabb":s,"obb":s,"leaf":s,"beyond_float":s,
//                   "rest":s,"fitted_to":trees,"error":x},
//   "trees":[{"file":f,"nodes":n,"leaves":n,"depth":n,"bytes":n,
//             "expected_nodes":x,"expected_leaves":x,
//             "levels":[{"sphere":n,"aabb":n,"obb":n,"leaves":n},...]},...],
//   "variants":[{"volumes":v,"quality":q,"storage":s,"bytes":n,
//                "build_seconds":s,"query_seconds":s,"same_answers":bool,
//                "nodes_visited":n,"volume_tests":n,"leaves_visited":n,
//                "triangle_tests":n},...],          the first is at hand
//   "recommendation":{"text":t,"once":null or {"volumes":v,"quality":q,
//                     "storage":s,"gain":x},"often":likewise,
//                     "pays_from":queries,"rounds":n}
void WriteExplanationJson(const Explanation& explanation, Output& output);

// A row for each number: part,item,measure,value.
void WriteExplanationCsv(const Explanation& explanation, Output& output);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_WRITERS_H_
