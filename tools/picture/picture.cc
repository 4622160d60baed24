// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "tools/base/text.h"
#include "tools/picture/internal/camera.h"
#include "tools/picture/internal/legend.h"
#include "tools/picture/internal/render.h"
#include "tools/picture/internal/space_lines.h"
#include "tools/picture/internal/surface.h"
#include "tools/picture/internal/surface_colors.h"
#include "tools/picture/internal/volume_wires.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/picture/view.h"

namespace orbox::picture {
namespace {

struct KindName {
  std::string_view many;
  VolumeKind kind;
};
constexpr KindName kKinds[] = {{"spheres", VolumeKind::kSphere},
                               {"AABBs", VolumeKind::kAabb},
                               {"OBBs", VolumeKind::kObb}};

std::vector<const PosedTree*> MeshesOf(const Findings& findings) {
  std::vector<const PosedTree*> meshes = {&findings.a};
  if (findings.b.has_value()) meshes.push_back(&*findings.b);
  for (const PosedTree& other : findings.others) meshes.push_back(&other);
  return meshes;
}

std::optional<Segment> GapOf(const Findings& findings,
                             const PictureSpace& space) {
  if (!findings.nearest.has_value()) return std::nullopt;
  return Segment{space.FromModel(findings.nearest->on_a),
                 space.FromModel(findings.nearest->on_b)};
}

// Returns an even selection of points of the coloured triangles.
std::vector<Vec3> PointsToSee(const ShownSurface& surface,
                              const Findings& findings) {
  constexpr size_t kMost = 200;
  std::vector<Vec3> points;
  const size_t step = findings.pairs.size() / kMost + 1;
  for (size_t i = 0; i < findings.pairs.size(); i += step) {
    const TrianglePair& pair = findings.pairs[i].triangles;
    for (const size_t id : {size_t{pair.a}, surface.first_faces[1] + pair.b}) {
      const Triangle t = surface.tree.mesh().triangle(id);
      points.push_back((t.a + t.b + t.c) * (1.0 / 3));
    }
  }
  return points;
}

Legend LegendOf(const Findings& findings,
                const std::array<bool, kVolumeKinds>& kinds) {
  using Sign = LegendEntry::Sign;
  Legend legend;
  const auto add = [&legend](Sign sign, uint32_t color, std::string text) {
    legend.entries.push_back({sign, FromHex(color), std::move(text)});
  };
  if (findings.b.has_value()) {
    add(Sign::kPatch, kColorOfA, "A");
    add(Sign::kPatch, kColorOfB, "B");
    if (findings.nearest.has_value() && findings.nearest->distance > 0) {
      add(Sign::kGap, kColorOfGap,
          tools::Cat("gap ", ShortNumber(findings.nearest->distance)));
    } else {
      add(Sign::kPatch, kColorOfMeeting, "meeting");
    }
  }
  if (findings.level.has_value()) {
    add(Sign::kText, 0, tools::Cat("level ", *findings.level, ":"));
    for (const KindName& kind : kKinds) {
      const auto i = static_cast<size_t>(kind.kind);
      if (kinds[i]) add(Sign::kFrame, kColorOfKind[i], std::string(kind.many));
    }
  }
  if (findings.within.has_value() && *findings.within > 0 &&
      std::isfinite(*findings.within)) {
    legend.scale_title = "distance";
    legend.scale_end = *findings.within;
  }
  return legend;
}

// A picture under construction.
class Picture {
 public:
  Picture(const Findings& findings, const PictureOptions& options,
          const ShownSurface& surface, const SurfaceColors& colors)
      : findings_(findings),
        options_(options),
        surface_(surface),
        colors_(colors),
        unit_(std::max(0.6, options.size.height / 900.0)),
        legend_(LegendOf(findings, KindsOf())),
        camera_(MakeCamera()),
        canvas_(options.size.width, options.size.height) {}

  Image Draw() {
    const DepthMap depth = Render(
        surface_, colors_, camera_,
        {.threads = options_.threads, .progress = options_.progress}, canvas_);
    DrawCreases(depth);
    DrawVolumes(depth);
    DrawGap(depth);
    if (options_.legend) {
      // In a close-up, the model may extend behind the legend.
      if (options_.close_up.has_value()) DrawPanel();
      DrawLegend(legend_, canvas_);
    }
    return options_.transparent ? canvas_.Transparent()
                                : canvas_.OnColor({1, 1, 1});
  }

 private:
  std::array<bool, kVolumeKinds> KindsOf() const;
  Camera MakeCamera() const;
  void DrawCreases(const DepthMap& depth);
  void DrawVolumes(const DepthMap& depth);
  void DrawGap(const DepthMap& depth);
  void DrawPanel();
  void DrawRing(const Point2& center);

  const Findings& findings_;
  const PictureOptions& options_;
  const ShownSurface& surface_;
  const SurfaceColors& colors_;
  const double unit_;  // width of a thin line, in pixels
  const Legend legend_;
  const Camera camera_;
  Canvas canvas_;
};

std::array<bool, kVolumeKinds> Picture::KindsOf() const {
  std::array<bool, kVolumeKinds> kinds{};
  if (!findings_.level.has_value()) return kinds;
  for (const PosedTree* mesh : MeshesOf(findings_)) {
    for (const VolumeWire& wire :
         VolumeWires(*mesh, *findings_.level, surface_.space, {9, 9, 9})) {
      kinds[static_cast<size_t>(wire.kind)] = true;
    }
  }
  return kinds;
}

Camera Picture::MakeCamera() const {
  const double legend =
      options_.legend ? LegendWidth(legend_, options_.size.height) : 0;
  const double margin = options_.size.height * 0.04;
  const Viewport viewport{
      margin, margin, std::max(8.0, options_.size.width - 2 * margin - legend),
      std::max(8.0, options_.size.height - 2 * margin)};
  const std::optional<Segment> gap = GapOf(findings_, surface_.space);
  const Vec3 view = options_.towards_viewer.value_or(
      BestView(surface_.tree, PointsToSee(surface_, findings_), gap));
  std::vector<Vec3> points(surface_.tree.mesh().vertices().begin(),
                           surface_.tree.mesh().vertices().end());
  if (options_.close_up.has_value() && gap.has_value()) {
    const Vec3 center = (gap->a + gap->b) * 0.5;
    const double half = *options_.close_up * surface_.space.scale;
    points = {center + Vec3{half, half, half}, center - Vec3{half, half, half}};
  }
  if (findings_.level.has_value()) {
    for (const PosedTree* mesh : MeshesOf(findings_)) {
      for (const VolumeWire& wire :
           VolumeWires(*mesh, *findings_.level, surface_.space, {9, 9, 9})) {
        for (const std::vector<Vec3>& line : wire.lines) {
          points.insert(points.end(), line.begin(), line.end());
        }
      }
    }
  }
  return Camera::Framing(points, view, viewport);
}

void Picture::DrawCreases(const DepthMap& depth) {
  SpaceLines lines(camera_, depth, canvas_);
  for (const Segment& s : surface_.creases) {
    const std::array<Vec3, 2> line = {s.a, s.b};
    lines.Add(line, unit_);
  }
  // The more lines there are, the fainter they are drawn, so that a rough
  // surface does not become black.
  const double room = 0.05 * canvas_.width() * canvas_.height();
  const double opacity = 0.55 * std::min(1.0, room / (1 + lines.length()));
  if (opacity > 0.02) lines.Paint(FromHex(kColorOfCreases), opacity, 0);
}

void Picture::DrawVolumes(const DepthMap& depth) {
  if (!findings_.level.has_value()) return;
  for (const KindName& kind : kKinds) {
    SpaceLines lines(camera_, depth, canvas_);
    for (const PosedTree* mesh : MeshesOf(findings_)) {
      for (const VolumeWire& wire : VolumeWires(
               *mesh, *findings_.level, surface_.space, camera_.eye())) {
        if (wire.kind != kind.kind) continue;
        for (const std::vector<Vec3>& line : wire.lines) {
          lines.Add(line, 1.6 * unit_);
        }
      }
    }
    const uint32_t color = kColorOfKind[static_cast<size_t>(kind.kind)];
    lines.Paint(FromHex(color), 0.9, 0.22);
  }
}

void Picture::DrawGap(const DepthMap& depth) {
  const std::optional<Segment> gap = GapOf(findings_, surface_.space);
  if (!gap.has_value()) return;
  const std::array<Vec3, 2> line = {gap->a, gap->b};
  const Projected a = camera_.Project(gap->a), b = camera_.Project(gap->b);
  const double dx = a.pixel.x - b.pixel.x, dy = a.pixel.y - b.pixel.y;
  if (dx * dx + dy * dy < 400 * unit_ * unit_) {
    // If the line is too short to see, a ring marks its position.
    DrawRing({(a.pixel.x + b.pixel.x) / 2, (a.pixel.y + b.pixel.y) / 2});
    return;
  }
  // A white border makes the line visible on every colour.
  SpaceLines halo(camera_, depth, canvas_);
  halo.Add(line, 6 * unit_);
  for (const Vec3& end : line) halo.AddDot(end, 7 * unit_);
  halo.Paint({1, 1, 1}, 0.85, 0.3);
  SpaceLines ink(camera_, depth, canvas_);
  ink.Add(line, 3 * unit_);
  for (const Vec3& end : line) ink.AddDot(end, 5 * unit_);
  ink.Paint(FromHex(kColorOfGap), 1, 0.55);
}

void Picture::DrawPanel() {
  const double left =
      canvas_.width() - LegendWidth(legend_, options_.size.height);
  canvas_.Fill({left, 0}, {double(canvas_.width()), double(canvas_.height())},
               {1, 1, 1}, 0.85);
}

void Picture::DrawRing(const Point2& center) {
  Mask halo(canvas_.width(), canvas_.height());
  Mask ink(canvas_.width(), canvas_.height());
  halo.AddRing(center, 16 * unit_, 6 * unit_);
  ink.AddRing(center, 16 * unit_, 3 * unit_);
  canvas_.Paint(halo, {1, 1, 1}, 0.85);
  const bool meeting = findings_.nearest->distance == 0;
  canvas_.Paint(ink, FromHex(meeting ? kColorOfMeeting : kColorOfGap));
}

}  // namespace

absl::StatusOr<Image> DrawPicture(const Findings& findings,
                                  const PictureOptions& options) try {
  const std::vector<const PosedTree*> meshes = MeshesOf(findings);
  const int threads = static_cast<int>(options.threads);
  const absl::StatusOr<ShownSurface> surface =
      ShownSurface::Of(meshes, threads);
  if (!surface.ok()) return surface.status();
  const absl::StatusOr<SurfaceColors> colors =
      SurfaceColors::Of(findings, surface->space, threads);
  if (!colors.ok()) return colors.status();
  return Picture(findings, options, *surface, *colors).Draw();
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(tools::Cat(
      "not enough memory for a picture of ", options.size.width, " by ",
      options.size.height, " pixels; request fewer, with --size"));
}

}  // namespace orbox::picture
