// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_sentences.h"

#include <string>

#include "tools/report/clash_list.h"

namespace orbox::cli {
namespace {

// Shows both bounds if they are farther apart than requested. This is so beyond
// the budget of FindThicknesses, and if the search gives up.
Phrase ThickOf(const MeasureBounds& thickness) {
  constexpr double kRequestedRatio =
      1 + 1.1 * report::ClashList::kThicknessError;
  const Phrase upper = Say(Length{thickness.upper}, " thick");
  if (thickness.lower == 0) return Say("up to ", upper);
  if (thickness.upper > kRequestedRatio * thickness.lower) {
    return Say(Length{thickness.lower}, " to ", upper);
  }
  return Say(Length{thickness.lower}, " thick");
}

}  // namespace

std::optional<Vec3> PlaceOf(const Clash& clash) {
  if (clash.thickness.lower > 0) return clash.center;
  if (!clash.gap.has_value()) return std::nullopt;
  return (clash.gap->on_a + clash.gap->on_b) * 0.5;
}

Phrase ClashSentence(const BodyClash& pair, const ClashInput& scene) {
  const std::string& a = scene.facts.names[pair.a];
  const std::string& b = scene.facts.names[pair.b];
  const Clash& clash = pair.clash;
  const Phrase thick =
      Say(ThickOf(clash.thickness), clash.is_undecided ? ", undecided" : "");
  switch (clash.kind) {
    case ClashKind::kDuplicate:
      return Say(a, " and ", b, " are duplicates, ", thick);
    case ClashKind::kFirstInside:
      return Say(a, " is inside ", b, ", ", thick);
    case ClashKind::kSecondInside:
      return Say(b, " is inside ", a, ", ", thick);
    case ClashKind::kClash:
      return Say(a, " and ", b, " clash, ", thick);
    case ClashKind::kCrossing:
      return Say(a, " and ", b, " cross",
                 clash.is_undecided ? ", undecided" : "");
    case ClashKind::kTouch:
      return Say(a, " and ", b, " touch");
    case ClashKind::kClearance:
    case ClashKind::kApart:
      break;
  }
  return Say(a, " and ", b, " are ", Length{pair.distance()}, " apart");
}

Phrase WhereOf(const BodyClash& pair) {
  const Clash& clash = pair.clash;
  if (!pair.meet() && clash.gap.has_value()) {
    return Say("    between ", clash.gap->on_a, ", in triangle ",
               clash.gap->triangles.a, "\n    and     ", clash.gap->on_b,
               ", in triangle ", clash.gap->triangles.b, "\n");
  }
  const std::optional<Vec3> place = PlaceOf(clash);
  return place.has_value() ? Say("    around ", *place, "\n") : Phrase("");
}

Phrase VolumeLine(const Clash& clash) {
  if (!IsClash(clash.kind) || !clash.volume.has_value()) return Phrase("");
  const MeasureBounds& volume = *clash.volume;
  if (volume.lower == volume.upper) {
    return Say("    volume ", Volume{volume.upper}, "\n");
  }
  return Say("    volume ", Volume{volume.lower}, " to ", Volume{volume.upper},
             "\n");
}

}  // namespace orbox::cli
