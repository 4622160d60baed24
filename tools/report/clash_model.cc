// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_model.h"

#include <algorithm>
#include <utility>

#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tools/base/text.h"
#include "tools/picture/color.h"
#include "tools/picture/palette.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::FormatReal;

BodyColor ColorOf(uint32_t hex, float alpha = 1) {
  const picture::Color color = picture::FromHex(hex);
  return {static_cast<float>(color.x), static_cast<float>(color.y),
          static_cast<float>(color.z), alpha};
}

BodyColor ColorOfKind(ClashKind kind) {
  switch (kind) {
    case ClashKind::kDuplicate:
      return ColorOf(picture::kColorOfDuplicate);
    case ClashKind::kFirstInside:
    case ClashKind::kSecondInside:
      return ColorOf(picture::kColorOfInside);
    case ClashKind::kClash:
      return ColorOf(picture::kColorOfClash);
    case ClashKind::kCrossing:
      return ColorOf(picture::kColorOfCrossing);
    case ClashKind::kClearance:
      return ColorOf(picture::kColorOfClearance);
    case ClashKind::kTouch:
    case ClashKind::kApart:
      break;
  }
  return ColorOf(picture::kColorOfAround, 0.25F);
}

NamedBody BodyOf(const PosedTree& posed) {
  return {.name = "",
          .mesh = posed.tree().mesh(),
          .pose = posed.pose(),
          .properties = {}};
}

// Returns half the diagonal of the box around all bodies.
double SizeOf(std::span<const PosedTree> bodies) {
  std::optional<Aabb> box;
  for (const PosedTree& posed : bodies) {
    const Aabb& own = posed.tree().mesh().bounds();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = posed.pose().Apply(Vec3{(corner & 1 ? own.hi : own.lo).x,
                                             (corner & 2 ? own.hi : own.lo).y,
                                             (corner & 4 ? own.hi : own.lo).z});
      box = box.has_value() ? Union(*box, {p, p}) : Aabb{p, p};
    }
  }
  return Norm(box->HalfExtents());
}

// Returns the marks of a clash.
std::vector<NamedBody> MarksOf(const ListedClash& listed,
                               const SceneFacts& scene, const Mesh& ball,
                               double least) {
  const Clash& clash = listed.pair.clash;
  std::vector<Vec3> places;
  double radius = least;
  if (clash.thickness.lower > 0) {
    places = {clash.center};
    radius = std::max(radius, clash.thickness.lower / 2);
  } else if (clash.gap.has_value()) {
    places = {clash.gap->on_a};
    if (clash.gap->distance > 0) places.push_back(clash.gap->on_b);
  }
  std::vector<NamedBody> marks;
  for (const Vec3& place : places) {
    Pose pose = Pose::Translation(place);
    for (size_t i = 0; i < 3; ++i) pose.rows[i] = pose.rows[i] * radius;
    NamedBody& mark = marks.emplace_back(
        NamedBody{.name = "", .mesh = ball, .pose = pose, .properties = {}});
    const std::string kind(KindNameOf(clash.kind));
    mark.name = Cat(kind, ": ", scene.NamesOf(listed.pair.a, listed.pair.b));
    mark.properties = {{"clash", listed.id},
                       {"kind", kind},
                       {"a", scene.names[listed.pair.a]},
                       {"b", scene.names[listed.pair.b]}};
    if (clash.thickness.lower > 0) {
      mark.properties["thickness"] = FormatReal(clash.thickness.lower, 9);
    }
    if (clash.gap.has_value()) {
      mark.properties["distance"] = FormatReal(clash.gap->distance, 9);
    }
  }
  return marks;
}

}  // namespace

absl::StatusOr<std::string> ClashModel(
    std::span<const PosedTree> bodies, const SceneFacts& scene,
    std::span<const BodyProperties> properties, const ClashList& list) {
  std::vector<NamedBody> written;
  std::vector<BodyColor> colors;
  for (size_t i = 0; i < bodies.size(); ++i) {
    written.push_back(BodyOf(bodies[i]));
    written[i].name = scene.names[i];
    written[i].properties = properties[i];
    colors.push_back(ColorOfKind(ClashKind::kApart));
  }
  // The worst clashes come first and decide the colours.
  std::vector<bool> has_color(bodies.size());
  const absl::StatusOr<Mesh> ball =
      GenerateMesh({.shape = "sphere", .triangles = 80});
  if (!ball.ok()) return ball.status();
  const double least = 0.003 * SizeOf(bodies);
  for (const ListedClash& clash :
       std::span(list.clashes).first(list.ToLookAt())) {
    for (const size_t body : {clash.pair.a, clash.pair.b}) {
      if (has_color[body]) continue;
      has_color[body] = true;
      colors[body] = ColorOfKind(clash.pair.clash.kind);
    }
    for (NamedBody& mark : MarksOf(clash, scene, *ball, least)) {
      written.push_back(std::move(mark));
      colors.push_back(ColorOf(clash.pair.meet() ? picture::kColorOfMeeting
                                                 : picture::kColorOfGap));
    }
  }
  return EncodeBodies(written, colors);
}

absl::StatusOr<std::string> PlainModel(std::span<const PosedTree> bodies) {
  std::vector<NamedBody> written;
  for (const PosedTree& posed : bodies) written.push_back(BodyOf(posed));
  return EncodeBodies(written);
}

}  // namespace orbox::report
