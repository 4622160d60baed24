// SPDX-License-Identifier: Apache-2.0

// Clashes as issues for programs that coordinate buildings: a file of the BIM
// Collaboration Format, version 2.1 or 3.0.
//
//   absl::StatusOr<std::string> bytes = BcfFile(topics, {.author = "orbox"});
//
// A ZIP archive with a folder for each topic: a markup and, if it has one, a
// viewpoint and a snapshot. Equal contents give equal bytes.
#ifndef ORBOX_TOOLS_REPORT_BCF_H_
#define ORBOX_TOOLS_REPORT_BCF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/report/review.h"

namespace orbox::report {

// A body, in terms of the program that reads the file.
struct BcfComponent {
  std::string name;
  std::string ifc_guid;  // empty if it has none
  uint32_t color = 0;    // 0xrrggbb; 0 for the color of the model
};

struct BcfViewpoint {
  std::string id;  // a UUID, not that of the topic
  // In metres, as the format requires. The last two are unit vectors.
  Vec3 eye, direction, up;
  std::string png;  // may be empty
};

// Beginnings of links of a topic by which Orbox finds it again: short ids of
// its clashes, and its place in the unit of the model.
inline constexpr std::string_view kClashesLink = "urn:orbox:clashes:";
inline constexpr std::string_view kPlaceLink = "urn:orbox:place:";

struct BcfTopic {
  std::string id;  // a UUID
  std::string title;
  std::string description;
  std::string status;    // "Open", "Closed"
  std::string priority;  // may be empty, as may the next
  std::string assigned;
  std::vector<std::string> labels;
  std::vector<std::string> links;
  std::vector<std::string> files;  // names of the models of its bodies
  std::vector<IssueComment> comments;
  std::vector<BcfComponent> components;
  std::optional<BcfViewpoint> view;
};

enum class BcfVersion { k2_1, k3_0 };

struct BcfFacts {
  std::string author;
  std::string date;  // of the topics, as 2026-01-31T12:00:00Z
  BcfVersion version = BcfVersion::k2_1;
};

// Returns the bytes of a BCF file. Topics are numbered in their order. Errors
// are those of ZipWriter.
absl::StatusOr<std::string> BcfFile(std::span<const BcfTopic> topics,
                                    const BcfFacts& facts);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_BCF_H_
