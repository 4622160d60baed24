// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/place_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orbox/overlap/boxes/sphere_aabb.h"
#include "tools/picture/internal/canvas.h"
#include "tools/picture/internal/depth_layer.h"
#include "tools/picture/internal/mask.h"
#include "tools/picture/palette.h"

namespace orbox::picture {
namespace {

constexpr int kSamples = 2;  // of a pixel, across and down
// Bodies farther from the place than this, in radii of the view, are omitted.
constexpr double kAround = 2;

// The map from the model to samples, for a view and a size.
class Projection {
 public:
  Projection(const PlaceView& view, int width, int height)
      : view_(view),
        scale_(height / (2 * view.radius)),
        middle_{width / 2.0, height / 2.0, 0} {}

  Vec3 Of(const Vec3& p) const {
    const Vec3 d = p - view_.shown.place;
    return {middle_.x + Dot(d, view_.right) * scale_,
            middle_.y - Dot(d, view_.up) * scale_, Dot(d, view_.back) * scale_};
  }
  double scale() const { return scale_; }

 private:
  const PlaceView& view_;
  double scale_;
  Vec3 middle_;
};

void AddTriangles(std::span<const Vec3> vertices,
                  std::span<const TriangleIndices> triangles, size_t body,
                  const Projection& projection, DepthLayer& layer) {
  std::vector<Vec3> projected(vertices.size());
  std::transform(vertices.begin(), vertices.end(), projected.begin(),
                 [&](const Vec3& v) { return projection.Of(v); });
  for (const TriangleIndices& t : triangles) {
    layer.Add({projected[t[0]], projected[t[1]], projected[t[2]]}, body);
  }
}

// Returns the light of two lamps and ambient light; 1 is white.
Color LitOf(const Color& color, const Vec3& normal) {
  constexpr Vec3 kMain{-0.48, -0.64, 0.6}, kSide{0.8, 0, 0.6};
  const double light = 0.3 + 0.58 * std::max(0.0, Dot(normal, kMain)) +
                       0.3 * std::max(0.0, Dot(normal, kSide));
  return color * light;
}

// Returns true if a line is drawn between two neighbours.
bool IsEdge(const DepthLayer& layer, const DepthSample& s,
            const DepthSample& t) {
  if (s.face == t.face) return false;
  if (s.face < 0 || t.face < 0) return true;
  const DepthFace& f = layer.face(s);
  const DepthFace& g = layer.face(t);
  return f.body != g.body || Dot(f.normal, g.normal) < 0.87;
}

// A sample and its neighbours to the right and below.
struct Neighbours {
  const DepthLayer& layer;
  DepthSample here;
  DepthSample right;
  DepthSample below;

  Neighbours(const DepthLayer& of, int x, int y)
      : layer(of),
        here(of.at(x, y)),
        right(of.at(std::min(x + 1, of.width() - 1), y)),
        below(of.at(x, std::min(y + 1, of.height() - 1))) {}

  bool HasEdge() const {
    return IsEdge(layer, here, right) || IsEdge(layer, here, below);
  }
  bool any() const { return here.face >= 0; }
  Color Lit(const Color& color) const {
    return LitOf(color, layer.face(here).normal);
  }
};

// Returns true if the order of the surfaces changes between two neighbours, so
// that they cross there.
bool Crosses(const DepthSample& a, const DepthSample& b,
             const DepthSample& next_a, const DepthSample& next_b) {
  if (std::min({a.face, b.face, next_a.face, next_b.face}) < 0) return false;
  constexpr float kSteepest =
      4;  // steps steeper than this in depth are not crossings
  const float here = a.depth - b.depth, next = next_a.depth - next_b.depth;
  return (here > 0) != (next > 0) &&
         std::max(std::abs(here), std::abs(next)) < kSteepest;
}

void Lay(const Color& color, double share, Covered& below) {
  below.light = below.light * (1 - share) + color * share;
  below.alpha = below.alpha * (1 - share) + share;
}

struct PlaceColors {
  Color a = FromHex(kColorOfFirst);
  Color b = FromHex(kColorOfSecond);
  Color around = FromHex(kColorOfAround);
  Color line = FromHex(kColorOfCreases);
  Color meeting = FromHex(kColorOfMeeting);
};

// Composes a sample from back to front.
Covered SampleOf(const Neighbours& a, const Neighbours& b,
                 const Neighbours& around, const PlaceColors& colors) {
  Covered sample;
  const bool a_first = a.any() && (!b.any() || a.here.depth >= b.here.depth);
  const Neighbours& front = a_first ? a : b;
  const Neighbours& back = a_first ? b : a;
  const auto lay_solid = [&](const Neighbours& solid, double share) {
    if (!solid.any()) return;
    Lay(solid.Lit(&solid == &a ? colors.a : colors.b), share, sample);
    if (solid.HasEdge()) Lay(colors.line, 0.7 * share, sample);
  };
  lay_solid(back, 1);
  lay_solid(front, back.any() ? 0.72 : 1);
  if (Crosses(a.here, b.here, a.right, b.right) ||
      Crosses(a.here, b.here, a.below, b.below)) {
    Lay(colors.meeting, 1, sample);
  }
  const bool hidden = front.any() && front.here.depth > around.here.depth;
  if (around.any() && !hidden) {
    Lay(around.Lit(colors.around), front.any() ? 0.1 : 0.22, sample);
  }
  if (!hidden && around.HasEdge()) Lay(colors.around, 0.3, sample);
  return sample;
}

void DrawGap(const Segment& gap, const Projection& projection, double unit,
             Canvas& canvas) {
  const Vec3 from = projection.Of(gap.a) * (1.0 / kSamples);
  const Vec3 to = projection.Of(gap.b) * (1.0 / kSamples);
  for (const bool is_halo : {true, false}) {
    Mask mask(canvas.width(), canvas.height());
    mask.AddLine({from.x, from.y}, {to.x, to.y}, (is_halo ? 6 : 3) * unit);
    canvas.Paint(mask, is_halo ? Color{1, 1, 1} : FromHex(kColorOfGap),
                 is_halo ? 0.85 : 1);
  }
}

void DrawRing(double unit, bool meets, Canvas& canvas) {
  const Point2 middle{canvas.width() / 2.0, canvas.height() / 2.0};
  for (const bool is_halo : {true, false}) {
    Mask mask(canvas.width(), canvas.height());
    mask.AddRing(middle, 20 * unit, (is_halo ? 6 : 3) * unit);
    canvas.Paint(mask,
                 is_halo ? Color{1, 1, 1}
                         : FromHex(meets ? kColorOfMeeting : kColorOfGap),
                 is_halo ? 0.85 : 1);
  }
}

Aabb BoundsOf(std::span<const Vec3> vertices,
              std::span<const TriangleIndices> triangles) {
  Aabb box{vertices[triangles[0][0]], vertices[triangles[0][0]]};
  for (const TriangleIndices& t : triangles) {
    for (const uint32_t i : t) box = Union(box, {vertices[i], vertices[i]});
  }
  return box;
}

// Returns the intersection of both boxes, or the gap between them.
Aabb CommonOf(const Aabb& a, const Aabb& b) {
  Aabb common;
  for (size_t i = 0; i < 3; ++i) {
    const double lo = std::max(a.lo[i], b.lo[i]);
    const double hi = std::min(a.hi[i], b.hi[i]);
    common.lo[i] = std::min(lo, hi);
    common.hi[i] = std::max(lo, hi);
  }
  return common;
}

double HalfDiagonal(const Aabb& box) { return Norm(box.hi - box.lo) / 2; }

// Sets an upright view from the direction `towards_viewer`.
void Turn(const Vec3& towards_viewer, PlaceView& view) {
  view.back = towards_viewer * (1 / Norm(towards_viewer));
  const Vec3 right = Cross({0, 0, 1}, view.back);
  view.right = right * (1 / Norm(right));
  view.up = Cross(view.back, view.right);
}

// Returns how much of both bodies a view shows, in samples of a small picture.
double WorthOf(const DepthLayer& a, const DepthLayer& b) {
  double seen_a = 0, seen_b = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const DepthSample& s = a.at(x, y);
      const DepthSample& t = b.at(x, y);
      if (s.face >= 0 && s.depth >= t.depth) ++seen_a;
      if (t.face >= 0 && t.depth >= s.depth) ++seen_b;
    }
  }
  return std::min(seen_a, seen_b) + 0.05 * (seen_a + seen_b);
}

}  // namespace

PlacePainter::PlacePainter(std::span<const PosedTree> bodies)
    : posed_(bodies.begin(), bodies.end()) {
  for (const PosedTree& posed : posed_) {
    const Mesh& mesh = posed.tree().mesh();
    Body& body = bodies_.emplace_back();
    body.triangles = mesh.triangles();
    body.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    if (posed.is_moved()) {
      for (Vec3& v : body.vertices) v = posed.pose().Apply(v);
    }
    body.bounds = BoundsOf(body.vertices, body.triangles);
  }
}

double PlacePainter::RadiusOf(const PlaceToShow& shown) const {
  const Aabb& a = bodies_[shown.a].bounds;
  const Aabb& b = bodies_[shown.b].bounds;
  const double smaller = std::min(HalfDiagonal(a), HalfDiagonal(b));
  const double radius =
      std::max(1.3 * HalfDiagonal(CommonOf(a, b)), 0.6 * smaller);
  return radius > 0 ? radius : 1;
}

PlaceView PlacePainter::ViewOf(const PlaceToShow& shown) const {
  const Body& a = bodies_[shown.a];
  const Body& b = bodies_[shown.b];
  PlaceView view{.shown = shown,
                 .radius = RadiusOf(shown),
                 .right = {},
                 .up = {},
                 .back = {}};
  // The usual view comes first. It is kept unless others are better.
  constexpr std::array<Vec3, 12> kViews = {
      Vec3{1.3, -2, 1.1},  Vec3{-1.3, -2, 1.1}, Vec3{1.3, 2, 1.1},
      Vec3{-1.3, 2, 1.1},  Vec3{2.2, -1, 0.8},  Vec3{-2.2, -1, 0.8},
      Vec3{2.2, 1, 0.8},   Vec3{-2.2, 1, 0.8},  Vec3{1, -1.4, 2.4},
      Vec3{-1, -1.4, 2.4}, Vec3{1.3, -2, -1.1}, Vec3{-1.3, 2, -1.1}};
  constexpr int kWidth = 32, kHeight = 24;
  std::optional<double> best;
  Vec3 best_view = kViews[0];
  for (const Vec3& towards : kViews) {
    Turn(towards, view);
    const Projection projection(view, kWidth, kHeight);
    DepthLayer layers[2] = {{kWidth, kHeight, HUGE_VAL},
                            {kWidth, kHeight, HUGE_VAL}};
    AddTriangles(a.vertices, a.triangles, shown.a, projection, layers[0]);
    AddTriangles(b.vertices, b.triangles, shown.b, projection, layers[1]);
    double worth = WorthOf(layers[0], layers[1]);
    if (shown.gap.has_value()) {
      // A gap is seen best from its side.
      const Vec3 gap = shown.gap->b - shown.gap->a;
      const double length = Norm(gap);
      if (length > 0) {
        worth *= 1.1 - std::abs(Dot(gap, view.back)) / length;
      }
    }
    if (best.has_value() && worth <= 1.15 * *best) continue;
    best = worth;
    best_view = towards;
  }
  Turn(best_view, view);
  return view;
}

Image PlacePainter::Draw(const PlaceView& view, const PictureSize& size) const {
  const int width = size.width * kSamples, height = size.height * kSamples;
  const Projection projection(view, width, height);
  const double near = kAround * view.radius * projection.scale();
  DepthLayer a(width, height, HUGE_VAL), b(width, height, HUGE_VAL);
  DepthLayer around(width, height, near);
  const double reach =
      kAround * view.radius *
      std::max(1.0, static_cast<double>(size.width) / size.height);
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const bool is_a = i == view.shown.a, is_b = i == view.shown.b;
    if (!is_a && !is_b &&
        !(std::sqrt(SquaredDistance(view.shown.place, bodies_[i].bounds)) <
          reach)) {
      continue;
    }
    AddTriangles(bodies_[i].vertices, bodies_[i].triangles, i, projection,
                 is_a   ? a
                 : is_b ? b
                        : around);
  }
  const PlaceColors colors;
  Canvas canvas(size.width, size.height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Covered sample = SampleOf(Neighbours(a, x, y), Neighbours(b, x, y),
                                      Neighbours(around, x, y), colors);
      Covered& pixel = canvas.at(x / kSamples, y / kSamples);
      constexpr double kShare = 1.0 / (kSamples * kSamples);
      pixel.light = pixel.light + sample.light * kShare;
      pixel.alpha += sample.alpha * kShare;
    }
  }
  const double unit = std::max(0.6, size.height / 600.0);
  if (view.shown.gap.has_value()) {
    DrawGap(*view.shown.gap, projection, unit, canvas);
  }
  DrawRing(unit, !view.shown.gap.has_value(), canvas);
  return canvas.Transparent();
}

}  // namespace orbox::picture
