// SPDX-License-Identifier: Apache-2.0

// Choice of the viewpoint.
//
//   PictureOptions options{.towards_viewer = ViewNamed("top")};
#ifndef ORBOX_TOOLS_PICTURE_VIEW_H_
#define ORBOX_TOOLS_PICTURE_VIEW_H_

#include <optional>
#include <span>
#include <string_view>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::picture {

// Returns the direction of a named view: "front", "top", "iso", ... Returns
// nothing for other words.
std::optional<Vec3> ViewNamed(std::string_view name);

// Compares a dozen oblique views and those perpendicular to `gap`. Returns the
// view that hides the fewest of `points` and shows `gap` from the side. The
// points have to be on the tree's surface. Prefers the default view unless
// another is better.
Vec3 BestView(const Tree& tree, std::span<const Vec3> points,
              const std::optional<Segment>& gap);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_VIEW_H_
