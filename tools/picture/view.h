// SPDX-License-Identifier: Apache-2.0

// The default viewpoint.
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

// Returns the direction of "front", "top", "iso", ...; nothing for other words.
std::optional<Vec3> ViewNamed(std::string_view name);

// Compares a dozen oblique views, and those across `gap`. Returns the one that
// hides the fewest of `points`, which are on the tree's surface, and shows
// `gap` from the side; the default view if no other is better.
Vec3 BestView(const Tree& tree, std::span<const Vec3> points,
              const std::optional<Segment>& gap);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_VIEW_H_
