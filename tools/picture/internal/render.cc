// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/render.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/base/parallel.h"
#include "tools/picture/internal/openness.h"

namespace orbox::picture {
namespace {

double Power32(double x) {
  for (int i = 0; i < 5; ++i) x *= x;
  return x;
}

// Lamps of a picture, fixed relative to the viewer: a main lamp from the upper
// left, a weaker one from the right, and ambient light.
class Lamps {
 public:
  explicit Lamps(const Camera& camera);

  // Returns the light of a surface with this colour and openness (openness.h).
  // Requires unit vectors.
  Color LightOf(const Color& surface, const Vec3& normal,
                const Vec3& towards_eye, double open) const;

 private:
  struct Lamp {
    Vec3 direction;  // towards the lamp
    Color light;
  };

  std::array<Lamp, 2> lamps_;
  Vec3 up_;
};

Lamps::Lamps(const Camera& camera)
    : lamps_{{{Normalized(camera.right() * -0.45 + camera.up() * 0.75 +
                          camera.back() * 0.65),
               {0.62, 0.60, 0.56}},
              {Normalized(camera.right() * 0.85 + camera.up() * 0.1 +
                          camera.back() * 0.5),
               {0.17, 0.19, 0.23}}}},
      up_(camera.up()) {}

Color Lamps::LightOf(const Color& surface, const Vec3& normal,
                     const Vec3& towards_eye, double open) const {
  // More light from above than from below.
  const double around = (0.34 + 0.10 * Dot(normal, up_)) * open;
  Color light{around, around, around};
  double shine = 0;
  for (const Lamp& lamp : lamps_) {
    const double facing = std::max(0.0, Dot(normal, lamp.direction));
    light += lamp.light * (facing * (0.4 + 0.6 * open));
    const Vec3 between = lamp.direction + towards_eye;
    if (!(SquaredNorm(between) > 0)) continue;
    const double mirrored = std::max(0.0, Dot(normal, Normalized(between)));
    shine += 0.10 * lamp.light.x * Power32(mirrored) * open;
  }
  return {surface.x * light.x + shine, surface.y * light.y + shine,
          surface.z * light.z + shine};
}

// Positions of the rays in a pixel, in sixteenths. Each row and each column has
// one ray. Each quarter of the pixel has one of the first four.
constexpr int kFirstSamples = 4;
constexpr int kSamples = 16;
constexpr std::array<std::array<int, 2>, kSamples> kPlaces = {{
    {6, 1},
    {14, 5},
    {1, 10},
    {9, 14},
    {2, 3},
    {10, 0},
    {5, 6},
    {12, 7},
    {4, 12},
    {7, 9},
    {11, 11},
    {15, 8},
    {0, 4},
    {8, 2},
    {3, 15},
    {13, 13},
}};

struct Sample {
  Point2 place;
  std::optional<RayHit> hit;
  Ray ray;
  Vec3 normal;
  Color color;
};

// Returns true if the two colours cannot be distinguished in one pixel.
bool LookAlike(const Color& a, const Color& b) {
  return MaxCoordinate(Abs(a - b)) < 1.0 / 64;
}

class Painter {
 public:
  Painter(const ShownSurface& surface, const SurfaceColors& colors,
          const Camera& camera, size_t threads, Canvas& canvas, DepthMap& depth)
      : surface_(surface),
        colors_(colors),
        camera_(camera),
        lamps_(camera),
        openness_(surface.tree, camera, canvas.width(), canvas.height(),
                  threads,
                  [this](const Ray& ray, const RayHit& hit) {
                    return NormalAt(ray, hit);
                  }),
        canvas_(canvas),
        depth_(depth) {}

  void PaintPixel(int x, int y) {
    std::array<Sample, kSamples> samples;
    int count = 0;
    for (; count < kFirstSamples; ++count) Cast(x, y, count, samples);
    if (!Agree(std::span(samples).first(kFirstSamples))) {
      for (; count < kSamples; ++count) Cast(x, y, count, samples);
    }
    Covered pixel;
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
      if (!samples[i].hit.has_value()) continue;
      pixel.light += Shade(samples[i]);
      pixel.alpha += 1;
      nearest = std::min(nearest, samples[i].hit->t);
    }
    pixel.light = pixel.light * (1.0 / count);
    pixel.alpha /= count;
    canvas_.at(x, y) = pixel;
    depth_.Set(x, y, nearest);
  }

 private:
  // Computes sample i. Requires that the samples before i are computed.
  void Cast(int x, int y, int i, std::span<Sample> samples) const {
    Sample& sample = samples[static_cast<size_t>(i)];
    sample.place = {x + (kPlaces[i][0] + 0.5) / 16,
                    y + (kPlaces[i][1] + 0.5) / 16};
    sample.ray = camera_.RayThrough(sample.place);
    sample.hit = ClosestHit(surface_.tree, sample.ray);
    if (!sample.hit.has_value()) return;
    sample.normal = NormalAt(sample.ray, *sample.hit);
    const RayHit& hit = *sample.hit;
    for (const Sample& other : samples.first(static_cast<size_t>(i))) {
      if (!other.hit.has_value() || other.hit->triangle != hit.triangle) {
        continue;
      }
      sample.color = other.color;
      return;
    }
    sample.color =
        colors_.At(hit.triangle, hit.point, camera_.PixelSize(hit.t));
  }

  // Returns the interpolated normal, turned towards the viewer.
  Vec3 NormalAt(const Ray& ray, const RayHit& hit) const {
    const std::array<Vec3f, 3>& corners = surface_.normals[hit.triangle];
    Vec3 sum;
    for (size_t i = 0; i < 3; ++i) {
      const Vec3f& n = corners[i];
      sum += Vec3{n.x, n.y, n.z} * hit.barycentric[i];
    }
    // A triangle without area is lit from the front.
    if (!(SquaredNorm(sum) > 0)) return camera_.back();
    const Triangle t = surface_.tree.mesh().triangle(hit.triangle);
    const bool away = Dot(Cross(t.b - t.a, t.c - t.a), ray.direction) > 0;
    return Normalized(away ? -sum : sum);
  }

  // Returns true if more rays would not change the result.
  bool Agree(std::span<const Sample> samples) const {
    const Sample& first = samples.front();
    for (const Sample& other : samples.subspan(1)) {
      if (first.hit.has_value() != other.hit.has_value()) return false;
      if (!first.hit.has_value()) continue;
      if (Dot(first.normal, other.normal) < 0.98) return false;
      if (!LookAlike(first.color, other.color)) return false;
      const double step = std::abs(first.hit->t - other.hit->t);
      if (step > 16 * camera_.PixelSize(first.hit->t)) return false;
    }
    return true;
  }

  Color Shade(const Sample& sample) const {
    const Vec3 towards_eye = Normalized(-sample.ray.direction);
    const double open =
        openness_.At(sample.place, sample.hit->point, sample.normal);
    return lamps_.LightOf(sample.color, sample.normal, towards_eye, open);
  }

  const ShownSurface& surface_;
  const SurfaceColors& colors_;
  const Camera& camera_;
  const Lamps lamps_;
  const OpennessMap openness_;
  Canvas& canvas_;
  DepthMap& depth_;
};

}  // namespace

DepthMap::DepthMap(int width, int height)
    : width_(width),
      height_(height),
      depths_(static_cast<size_t>(width) * height,
              std::numeric_limits<double>::infinity()) {}

double DepthMap::FarthestAround(int x, int y) const {
  double farthest = 0;
  for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height_ - 1); ++v) {
    for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width_ - 1); ++u) {
      farthest = std::max(farthest, at(u, v));
    }
  }
  return farthest;
}

DepthMap Render(const ShownSurface& surface, const SurfaceColors& colors,
                const Camera& camera, const RenderOptions& options,
                Canvas& canvas) {
  constexpr int kTile = 16;
  DepthMap depth(canvas.width(), canvas.height());
  Painter painter(surface, colors, camera, options.threads, canvas, depth);
  const int across = (canvas.width() + kTile - 1) / kTile;
  const int down = (canvas.height() + kTile - 1) / kTile;
  const size_t tiles = static_cast<size_t>(across) * down;
  std::atomic<size_t> done = 0;
  tools::ParallelFor(tiles, options.threads, [&](size_t tile, size_t) {
    const int left = static_cast<int>(tile % across) * kTile;
    const int top = static_cast<int>(tile / across) * kTile;
    for (int y = top; y < std::min(top + kTile, canvas.height()); ++y) {
      for (int x = left; x < std::min(left + kTile, canvas.width()); ++x) {
        painter.PaintPixel(x, y);
      }
    }
    if (options.progress) {
      options.progress(static_cast<double>(++done) /
                       static_cast<double>(tiles));
    }
  });
  return depth;
}

}  // namespace orbox::picture
