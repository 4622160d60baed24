// SPDX-License-Identifier: Apache-2.0

// The id of a clash, which is the same in each run: a UUID of its two bodies.
// It does not depend on the order of the bodies, on their numbers, or on the
// kind of the clash.
//
//   const std::string id = ClashId("wall 7", "pipe 3");
//   // "4b1c9c0e-0a4b-5d4a-..."
//
// It is a version 5 UUID (RFC 4122, by SHA-1) in the name space
// kClashNamespace. The hashed text is the ids of the two bodies, the lesser
// first, separated by a line end. The Python equivalent is
// uuid.uuid5(uuid.UUID(kClashNamespace), "a\nb").
#ifndef ORBOX_TOOLS_REPORT_CLASH_ID_H_
#define ORBOX_TOOLS_REPORT_CLASH_ID_H_

#include <string>
#include <string_view>

namespace orbox::report {

inline constexpr std::string_view kClashNamespace =
    "6f0d2b1e-6d0f-4c53-9a35-7c1c0f1f0b9d";

std::string ClashId(std::string_view a, std::string_view b);

// Returns the id of the viewpoint of a clash or an issue.
inline std::string ViewpointId(std::string_view id) {
  return ClashId(id, "viewpoint");
}

// Returns true if a text has the form of an id of a clash.
bool IsClashId(std::string_view text);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_ID_H_
