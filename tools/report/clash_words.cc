// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tools/base/text.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/mesh_rows.h"

namespace orbox::report {
namespace {

using picture::ShortNumber;
using tools::Cat;

// Returns the metres in a unit; 0 for an unknown unit.
double KnownMetresOf(std::string_view unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"mm", 0.001},    {"cm", 0.01},   {"dm", 0.1},
      {"m", 1},         {"km", 1000},   {"in", 0.0254},
      {"inch", 0.0254}, {"ft", 0.3048}, {"um", 1e-6}};
  for (const auto& [name, metres] : kUnits) {
    if (unit == name) return metres;
  }
  return 0;
}

// Returns "0.1 mm", or a range if the bounds differ in the digits shown.
std::string BoundsText(const MeasureBounds& bounds, const std::string& unit) {
  const std::string lower = ShortNumber(bounds.lower);
  const std::string upper = ShortNumber(bounds.upper);
  return WithUnit(lower == upper ? lower : Cat(lower, " to ", upper), unit);
}

std::string CoordinateText(double x, const std::string& unit) {
  const double metres = KnownMetresOf(unit);
  const int before_point =
      x == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(x)))) + 1;
  const int decimals =
      metres > 0 ? static_cast<int>(std::lround(std::log10(metres / 1e-4))) : 3;
  const int digits = metres > 0 ? before_point + decimals
                                : std::max(6, before_point + decimals);
  if (digits <= 0) return "0";
  return tools::FormatReal(x, std::min(digits, 17));
}

}  // namespace

double MetresOf(std::string_view unit) {
  const double metres = KnownMetresOf(unit);
  return metres > 0 ? metres : 1;
}

bool IsUnit(std::string_view unit) { return KnownMetresOf(unit) > 0; }

std::string PlaceText(const Vec3& place, const std::string& unit) {
  return Cat("(", CoordinateText(place.x, unit), ", ",
             CoordinateText(place.y, unit), ", ", CoordinateText(place.z, unit),
             ")");
}

std::string KindText(ClashKind kind) {
  if (kind == ClashKind::kFirstInside) return "inside: the first";
  if (kind == ClashKind::kSecondInside) return "inside: the second";
  return std::string(KindNameOf(kind));
}

std::string SizeOf(const Clash& clash, const std::string& unit) {
  if (clash.kind == ClashKind::kClearance) {
    return Cat(WithUnit(ShortNumber(clash.gap->distance), unit), " apart");
  }
  if (!IsClash(clash.kind) || !(clash.thickness.upper > 0)) return "";
  return Cat(BoundsText(clash.thickness, unit),
             clash.kind == ClashKind::kCrossing ? " deep, twice" : " thick");
}

std::vector<Measure> MeasuresOf(const ListedClash& listed,
                                const SceneFacts& scene,
                                const std::string& title,
                                const std::string& unit) {
  const Clash& clash = listed.pair.clash;
  std::vector<Measure> measures;
  const auto add = [&measures](std::string name, std::string value) {
    measures.push_back({std::move(name), std::move(value)});
  };
  if (IsClash(clash.kind) && clash.thickness.upper > 0) {
    add(clash.kind == ClashKind::kCrossing ? "depth, twice" : "thickness",
        BoundsText(clash.thickness, unit));
  }
  if (clash.is_undecided) add("undecided", "the search gave up");
  if (clash.volume.has_value() && clash.volume->upper > 0) {
    add("volume",
        BoundsText(*clash.volume, unit.empty() ? "" : Cat(unit, "³")));
  }
  if (clash.depth.has_value()) {
    add("depth", BoundsText(clash.depth->depth, unit));
    add(Cat("free if ", title, " moves by"),
        PlaceText(clash.depth->translation, unit));
  }
  if (clash.kind == ClashKind::kClearance) {
    add("distance", WithUnit(ShortNumber(clash.gap->distance), unit));
  }
  if (clash.thickness.lower > 0) {
    add("around", PlaceText(clash.center, unit));
  } else if (clash.gap.has_value()) {
    add("at", PlaceText(clash.gap->on_a, unit));
    add("triangles", Cat(clash.gap->triangles.a, ", ", clash.gap->triangles.b));
  }
  if (scene.frames.size() > 1) {
    add("in frame", Cat(scene.frames[listed.frame]));
  }
  return measures;
}

std::string ClusterText(const NearCluster& cluster, const std::string& unit) {
  const Vec3 size = cluster.box.hi - cluster.box.lo;
  return Cat(cluster.closest.distance == 0
                 ? "meet"
                 : Cat(WithUnit(ShortNumber(cluster.closest.distance), unit),
                       " apart"),
             " at ", PlaceText(cluster.closest.on_a, unit), ", over ",
             WithUnit(Cat(ShortNumber(size.x), " × ", ShortNumber(size.y),
                          " × ", ShortNumber(size.z)),
                      unit));
}

}  // namespace orbox::report
