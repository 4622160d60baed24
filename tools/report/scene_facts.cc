// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_facts.h"

#include <algorithm>
#include <numeric>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/solids/close_holes.h"
#include "tools/base/text.h"

namespace orbox::report {

using tools::Cat;
using tools::Counted;
using tools::Grouped;

namespace {

Classification ClassificationOf(const Mesh& mesh) {
  if (DoFacesAgree(mesh)) return Classification::kSolid;
  return IsClosed(mesh) ? Classification::kParity : Classification::kOpen;
}

}  // namespace

void SceneFacts::Classify(const Mesh& mesh, const Pose& pose,
                          double close_holes) {
  classifications.push_back(ClassificationOf(mesh));
  closed_holes.push_back(0);
  if (classifications.back() != Classification::kOpen || !(close_holes > 0))
    return;
  const absl::StatusOr<orbox::ClosedHoles> closed =
      CloseHoles(mesh, close_holes, pose);
  if (!closed.ok() || closed->holes == 0) return;
  classifications.back() = ClassificationOf(closed->mesh);
  closed_holes.back() = closed->holes;
}

std::string SceneFacts::NamesOf(size_t a, size_t b) const {
  return Cat(names[a], " and ", names[b]);
}

std::string SceneFacts::Size() const {
  return Cat(CountedBodies(names.size()), " of ",
             meshes == 1 ? "1 mesh" : Cat(Grouped(meshes), " meshes"), ", ",
             Counted(triangles, "triangle"));
}

size_t SceneFacts::CountOf(Classification classification) const {
  return static_cast<size_t>(std::count(classifications.begin(),
                                        classifications.end(), classification));
}

size_t SceneFacts::NotJudgedCount() const {
  return CountOf(Classification::kOpen) + CountOf(Classification::kParity) +
         left_out;
}

std::string SceneFacts::NotJudged() const {
  const size_t open = CountOf(Classification::kOpen);
  const size_t parity = CountOf(Classification::kParity);
  std::string text;
  if (open > 0) {
    text = open == 1 ? "1 open body has no inside"
                     : Cat(Grouped(open), " open bodies have no inside");
  }
  if (parity > 0) {
    text += Cat(text.empty() ? "" : "; ", CountedBodies(parity),
                parity == 1 ? " has" : " have",
                " faces that do not agree, so that parity decides what is "
                "inside");
  }
  if (left_out > 0) {
    text += Cat(text.empty() ? "" : "; ", Counted(left_out, "element"),
                left_out == 1 ? " of the files has" : " of the files have",
                " no body");
  }
  return text;
}

std::string SceneFacts::NotJudged(size_t body) const {
  if (body >= classifications.size()) return "";
  if (classifications[body] == Classification::kOpen) {
    return Cat(names[body], " is open and has no inside.");
  }
  std::string text;
  if (closed_holes[body] > 0) {
    text =
        Cat(names[body], " is open: its ", Counted(closed_holes[body], "hole"),
            closed_holes[body] == 1 ? " is" : " are",
            " closed to judge what is inside.");
  }
  if (classifications[body] == Classification::kParity) {
    text += Cat(text.empty() ? "" : " ", "The faces of ", names[body],
                " do not agree: parity decides what is inside.");
  }
  return text;
}

size_t SceneFacts::ClosedBodies() const {
  return static_cast<size_t>(
      std::count_if(closed_holes.begin(), closed_holes.end(),
                    [](size_t holes) { return holes > 0; }));
}

size_t SceneFacts::ClosedHoles() const {
  return std::accumulate(closed_holes.begin(), closed_holes.end(), size_t{0});
}

std::string SceneFacts::HolesClosed() const {
  const size_t holes = ClosedHoles();
  if (holes == 0) return "";
  return Cat(Counted(holes, "hole"), " of ", CountedBodies(ClosedBodies()),
             holes == 1 ? " is" : " are", " closed to judge what is inside");
}

std::string CountedBodies(size_t count) {
  return count == 1 ? "1 body" : Cat(Grouped(count), " bodies");
}

}  // namespace orbox::report
