// SPDX-License-Identifier: Apache-2.0

// The contents of a scene and the query on it, for the beginning of its report.
//
//   const SceneFacts facts{.title = "machine.json", .names = {"wheel", "fork"},
//                          .meshes = 2, .triangles = 1234, .frames = {0}};
//   facts.NamesOf(0, 1);       // "wheel and fork"
//   facts.Size();              // "2 bodies of 2 meshes, 1,234 triangles"
#ifndef ORBOX_TOOLS_REPORT_SCENE_FACTS_H_
#define ORBOX_TOOLS_REPORT_SCENE_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::report {

// Rule by which the inside of a body is found.
enum class Classification : uint8_t {
  kSolid,   // by winding numbers: closed, and its faces agree
  kParity,  // closed, and its faces do not agree
  kOpen,    // not at all
};
struct SceneFacts {
  std::string title;
  std::vector<std::string> names;  // of the bodies, which have numbers from 0
  size_t meshes = 0;               // each perhaps of several bodies
  size_t triangles = 0;            // of all bodies
  std::optional<double> within;    // absent: bodies that meet
  InsideRule inside = InsideRule::kWinding;
  std::vector<uint64_t> frames;  // their numbers, ascending; at least one
  // By body; empty where nobody has looked. Bodies with closed holes are judged
  // by the closed mesh.
  std::vector<Classification> classifications;
  std::vector<size_t> closed_holes;
  size_t left_out = 0;  // elements of the files that are no bodies

  // Adds the judgement of the next body. Closes holes that are shorter than
  // `close_holes` at the pose (bvh/solids/close_holes.h).
  void Classify(const Mesh& mesh, const Pose& pose, double close_holes);

  std::string NamesOf(size_t a, size_t b) const;
  std::string Size() const;

  // Open bodies, those whose faces do not agree, and what is left out.
  size_t NotJudgedCount() const;
  // Bodies of a judgement.
  size_t CountOf(Classification classification) const;
  // "2 open bodies have no inside; 1 body has faces that do not agree, so that
  // parity decides what is inside"; empty where all bodies are judged as
  // solids.
  std::string NotJudged() const;
  // Sentences about one body that is not judged, or that has closed holes;
  // empty for a solid.
  std::string NotJudged(size_t body) const;

  // Bodies with closed holes, and the number of these holes.
  size_t ClosedBodies() const;
  size_t ClosedHoles() const;
  // "3 holes of 2 bodies are closed to judge what is inside"; empty if none is.
  std::string HolesClosed() const;
};

// "1 body", "2 bodies".
std::string CountedBodies(size_t count);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_SCENE_FACTS_H_
