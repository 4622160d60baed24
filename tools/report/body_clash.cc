// SPDX-License-Identifier: Apache-2.0

#include "tools/report/body_clash.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "tools/base/text.h"

namespace orbox::report {
namespace {

// Returns the rank of a kind: solids that share a region, surfaces that cross,
// gaps, bodies that touch.
int ClassOf(ClashKind kind) {
  if (kind == ClashKind::kCrossing) return 1;
  if (IsClash(kind)) return 0;
  return kind == ClashKind::kClearance ? 2 : kind == ClashKind::kTouch ? 3 : 4;
}

}  // namespace

std::string_view KindNameOf(ClashKind kind) {
  const bool is_inside =
      kind == ClashKind::kFirstInside || kind == ClashKind::kSecondInside;
  return is_inside ? "inside" : NameOf(kind);
}

bool IsWorse(const BodyClash& x, const BodyClash& y) {
  const int class_of_x = ClassOf(x.clash.kind);
  const int class_of_y = ClassOf(y.clash.kind);
  if (class_of_x != class_of_y) return class_of_x < class_of_y;
  if (class_of_x < 2) {
    // By the number that is printed: the upper one if there is no other.
    const auto size = [](const Clash& clash) {
      const MeasureBounds& thickness = clash.thickness;
      return std::pair(thickness.lower > 0 ? thickness.lower : thickness.upper,
                       clash.volume.value_or(MeasureBounds{}).lower);
    };
    return size(x.clash) > size(y.clash);
  }
  return x.distance() < y.distance();
}

size_t KindCounts::Of(ClashKind kind) const {
  const size_t count = counts_[static_cast<size_t>(kind)];
  return kind == ClashKind::kFirstInside
             ? count + counts_[static_cast<size_t>(ClashKind::kSecondInside)]
             : count;
}

size_t KindCounts::ToLookAt() const {
  size_t count = 0;
  for (const ClashKind kind : kKinds) {
    if (IsToLookAt(kind)) count += Of(kind);
  }
  return count;
}

std::string KindCounts::Text() const { return TextOf(kKinds); }

std::string KindCounts::TextToLookAt() const {
  std::vector<ClashKind> kinds;
  std::copy_if(kKinds.begin(), kKinds.end(), std::back_inserter(kinds),
               IsToLookAt);
  return TextOf(kinds);
}

std::string KindCounts::TextOf(std::span<const ClashKind> kinds) const {
  std::string text;
  for (const ClashKind kind : kinds) {
    if (Of(kind) == 0) continue;
    text += tools::Cat(text.empty() ? "" : ", ", tools::Grouped(Of(kind)), " ",
                       KindNameOf(kind));
  }
  return text.empty() ? "none" : text;
}

}  // namespace orbox::report
