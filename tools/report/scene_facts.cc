// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_facts.h"

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

std::string CountedBodies(size_t count) {
  return count == 1 ? "1 body" : Cat(Grouped(count), " bodies");
}

}  // namespace orbox::report
