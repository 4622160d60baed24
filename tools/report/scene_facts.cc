// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_facts.h"

#include <algorithm>

#include "orbox/bvh/mesh/inside_rule.h"
#include "tools/base/text.h"

namespace orbox::report {

using tools::Cat;
using tools::Counted;
using tools::Grouped;

std::string SceneFacts::NamesOf(size_t a, size_t b) const {
  return Cat(names[a], " and ", names[b]);
}

std::string SceneFacts::Size() const {
  return Cat(CountedBodies(names.size()), " of ",
             meshes == 1 ? "1 mesh" : Cat(Grouped(meshes), " meshes"), ", ",
             Counted(triangles, "triangle"));
}

Judgement JudgementOf(const Mesh& mesh) {
  if (DoFacesAgree(mesh)) return Judgement::kSolid;
  return IsClosed(mesh) ? Judgement::kParity : Judgement::kOpen;
}

size_t SceneFacts::CountOf(Judgement judgement) const {
  return static_cast<size_t>(
      std::count(judgements.begin(), judgements.end(), judgement));
}

size_t SceneFacts::NotJudgedCount() const {
  return CountOf(Judgement::kOpen) + CountOf(Judgement::kParity) + left_out;
}

std::string SceneFacts::NotJudged() const {
  const size_t open = CountOf(Judgement::kOpen);
  const size_t parity = CountOf(Judgement::kParity);
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
  if (body >= judgements.size()) return "";
  switch (judgements[body]) {
    case Judgement::kSolid:
      return "";
    case Judgement::kParity:
      return Cat("The faces of ", names[body],
                 " do not agree: parity decides what is inside.");
    case Judgement::kOpen:
      break;
  }
  return Cat(names[body], " is open and has no inside.");
}

std::string CountedBodies(size_t count) {
  return count == 1 ? "1 body" : Cat(Grouped(count), " bodies");
}

}  // namespace orbox::report
