// From where to look, if nobody says.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_VIEW_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_VIEW_H_

#include <optional>
#include <span>
#include <string_view>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// "front", "top", "iso", ...; nothing for other words.
std::optional<Vec3> ViewNamed(std::string_view name);

// Of a dozen oblique views, and those across `gap`, the one from which most of
// `points`, which lie on the tree's surface, are not hidden, and `gap` is seen
// from the side. The usual one where there is nothing to prefer.
Vec3 BestView(const Tree& tree, std::span<const Vec3> points,
              const std::optional<Segment>& gap);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_VIEW_H_
