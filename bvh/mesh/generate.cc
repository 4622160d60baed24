#include "orbox/bvh/mesh/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/turn.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

using mesh_internal::Turn;
using mesh_internal::TurnOf;

// The mesh in the making. Closed shapes have their triangles counterclockwise
// as seen from outside.
struct Surface {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;

  void Add(size_t a, size_t b, size_t c) {
    triangles.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                         static_cast<uint32_t>(c)});
  }
  void AddQuad(size_t a, size_t b, size_t c, size_t d) {
    Add(a, b, c);
    Add(a, c, d);
  }
};

// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014): the standard library's distributions may differ
// between implementations.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t Bits() { return Mix(state_ += kGolden); }
  // In [0, 1).
  double Unit() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }
  // In the box [-1, 1)^3.
  Vec3 Offset() {
    const double x = 2 * Unit() - 1;
    const double y = 2 * Unit() - 1;
    const double z = 2 * Unit() - 1;
    return {x, y, z};
  }

  static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

 private:
  uint64_t state_;
};

// A grid of nu by nv cells.
struct GridSize {
  size_t nu;
  size_t nv;
};

// What a grid may be: each side at least so long, and a multiple of a step.
struct GridRule {
  double ratio;  // of nu to nv, about
  size_t least_u = 1;
  size_t step_u = 1;
  size_t least_v = 1;
  size_t step_v = 1;
};

// The grid whose number of triangles, per_u * nu * (nv + extra_v), is nearest
// to `wanted`; among those, the one nearest to the ratio.
GridSize NearestGrid(size_t wanted, const GridRule& rule, int extra_v = 0) {
  const double cells = static_cast<double>(wanted) / 2;
  const double ideal_v = std::sqrt(cells / rule.ratio);
  auto multiple = [](double x, size_t step, size_t least) {
    const auto steps =
        static_cast<size_t>(std::round(x / static_cast<double>(step)));
    return std::max(steps * step, least);
  };
  // A quarter off the ratio cannot be seen, and leaves enough to choose from;
  // half a step more rounds outward.
  const double half_step = static_cast<double>(rule.step_v) / 2;
  const size_t first = multiple(std::max(0.8 * ideal_v - half_step, 0.0),
                                rule.step_v, rule.least_v);
  const size_t last =
      multiple(1.25 * ideal_v + half_step, rule.step_v, rule.least_v);
  GridSize best{};
  double best_error = INFINITY;
  double best_stretch = INFINITY;
  for (size_t nv = first; nv <= last; nv += rule.step_v) {
    const size_t rows = nv + static_cast<size_t>(extra_v);
    const double ideal_u = cells / static_cast<double>(rows);
    for (const double at :
         {ideal_u, ideal_u - static_cast<double>(rule.step_u)}) {
      const size_t nu = multiple(std::max(at, 0.0), rule.step_u, rule.least_u);
      const size_t triangles = 2 * nu * rows;
      const double error = std::abs(static_cast<double>(triangles) -
                                    static_cast<double>(wanted));
      const double stretch = std::abs(static_cast<double>(nv) - ideal_v);
      if (triangles > Mesh::kMaxTriangles || error > best_error ||
          (error == best_error && stretch >= best_stretch)) {
        continue;
      }
      best = {nu, nv};
      best_error = error;
      best_stretch = stretch;
    }
  }
  return best;
}

// The n for which unit * n^2 is nearest to `wanted`, at least 1.
size_t NearestSquare(size_t wanted, size_t unit) {
  auto n = static_cast<size_t>(
      std::sqrt(static_cast<double>(wanted) / static_cast<double>(unit)));
  n = std::max<size_t>(n, 1);
  const size_t above = unit * (n + 1) * (n + 1);
  if (above <= Mesh::kMaxTriangles && wanted > unit * n * n &&
      above - wanted < wanted - unit * n * n) {
    ++n;
  }
  return n;
}

// A grid closed in both directions; `position(i, j)` is its vertex, and u, v
// and outward make a right-handed frame.
template <typename Position>
void AddRing(const GridSize& size, Position position, Surface& out) {
  const auto [nu, nv] = size;
  for (size_t i = 0; i < nu; ++i) {
    for (size_t j = 0; j < nv; ++j) {
      out.vertices.push_back(position(i, j));
      const size_t next_i = (i + 1) % nu;
      const size_t next_j = (j + 1) % nv;
      out.AddQuad(i * nv + j, next_i * nv + j, next_i * nv + next_j,
                  i * nv + next_j);
    }
  }
}

// A grid over the unit square, open, facing up.
template <typename Height>
void AddSheet(const GridSize& size, Height height, Surface& out) {
  const auto [nu, nv] = size;
  for (size_t j = 0; j <= nv; ++j) {
    for (size_t i = 0; i <= nu; ++i) {
      const double x = static_cast<double>(i) / static_cast<double>(nu);
      const double y = static_cast<double>(j) / static_cast<double>(nv);
      out.vertices.push_back({x, y, height(x, y)});
    }
  }
  const size_t row = nu + 1;
  for (size_t j = 0; j < nv; ++j) {
    for (size_t i = 0; i < nu; ++i) {
      const size_t a = j * row + i;
      out.AddQuad(a, a + 1, a + row + 1, a + row);
    }
  }
}

// The (2, 3) torus knot, a trefoil: while it goes twice around the z axis at
// distance 1, it winds three times around that circle at distance kWinding. All
// lengths are dyadic, so that the vertices on the x axis are exact: the
// outermost at 1 + kWinding + kThickness, and, half way along the knot, the one
// that faces the axis at 1 - kWinding - kThickness.
constexpr size_t kTurns = 2;
constexpr size_t kWindings = 3;
constexpr double kWinding = 0.25;
constexpr double kThickness = 0.125;

Vec3 KnotVertex(size_t i, size_t nu, size_t j, size_t nv) {
  const Turn around = TurnOf(kTurns * i, nu);
  const Turn winding = TurnOf(kWindings * i, nu);
  const double r = 1 + kWinding * winding.cos;
  const Vec3 core = {r * around.cos, r * around.sin, kWinding * winding.sin};
  // The derivative of the core, and the normal of the torus that it winds on,
  // which is at right angles to it and comes back to itself after one round.
  const double dr = -(kWindings * kWinding) * winding.sin;
  const Vec3 tangent =
      Normalized(Vec3{dr * around.cos - kTurns * r * around.sin,
                      dr * around.sin + kTurns * r * around.cos,
                      kWindings * kWinding * winding.cos});
  const Vec3 normal = {winding.cos * around.cos, winding.cos * around.sin,
                       winding.sin};
  const Vec3 binormal = Cross(normal, tangent);
  const Turn across = TurnOf(j, nv);
  return core + kThickness * (across.cos * normal + across.sin * binormal);
}

GridSize KnotGrid(size_t triangles) {
  // The knot is about 13.6 long and 0.8 around. An even number of steps along
  // it puts a vertex half way.
  return NearestGrid(triangles,
                     {.ratio = 17, .least_u = 24, .step_u = 2, .least_v = 3});
}

void TorusKnot(const GenerateOptions& options, Surface& out) {
  const GridSize size = KnotGrid(options.triangles);
  AddRing(
      size,
      [&](size_t i, size_t j) { return KnotVertex(i, size.nu, j, size.nv); },
      out);
}

// The same knot, turned so that it passes through the first one's hole as the
// next link of a chain does: half a turn about z, a quarter about x, one step
// along x. Its strand that faces +x is then at 1 - (1 - kWinding - kThickness)
// = 0.375, 0.25 away from the first knot's strand that faces it.
void LinkedKnot(const GenerateOptions& options, Surface& out) {
  TorusKnot(options, out);
  for (Vec3& v : out.vertices) v = {1 - v.x, 0 - v.z, 0 - v.y};
}

void Torus(const GenerateOptions& options, Surface& out) {
  constexpr double kTube = 0.25;
  const GridSize size = NearestGrid(
      options.triangles,
      {.ratio = 4, .least_u = 4, .step_u = 4, .least_v = 4, .step_v = 4});
  AddRing(
      size,
      [&](size_t i, size_t j) {
        const Turn around = TurnOf(i, size.nu);
        const Turn across = TurnOf(j, size.nv);
        const double r = 1 + kTube * across.cos;
        return Vec3{r * around.cos, r * around.sin, kTube * across.sin};
      },
      out);
}

// Eight spherical triangles, of n rows each: ring k of the upper half has 4 k
// vertices, so that triangles are about equally large.
void Sphere(const GenerateOptions& options, Surface& out) {
  const size_t n = NearestSquare(options.triangles, 8);
  std::vector<size_t> start;  // of each ring
  for (size_t ring = 0; ring <= 2 * n; ++ring) {
    start.push_back(out.vertices.size());
    const size_t k = std::min(ring, 2 * n - ring);
    const Turn latitude = TurnOf(ring, 4 * n);
    for (size_t i = 0; i < std::max<size_t>(4 * k, 1); ++i) {
      const Turn longitude = TurnOf(i, std::max<size_t>(4 * k, 1));
      out.vertices.push_back({latitude.sin * longitude.cos,
                              latitude.sin * longitude.sin, latitude.cos});
    }
  }
  auto id = [&](size_t ring, size_t i) {
    const size_t k = std::min(ring, 2 * n - ring);
    return start[ring] + i % std::max<size_t>(4 * k, 1);
  };
  for (size_t k = 0; k < n; ++k) {
    for (size_t quadrant = 0; quadrant < 4; ++quadrant) {
      for (size_t s = 0; s <= k; ++s) {
        // The two halves mirror each other, and so do their triangles' turns.
        const size_t inner = quadrant * k + s;
        const size_t outer = quadrant * (k + 1) + s;
        const size_t low = 2 * n - k;
        out.Add(id(k, inner), id(k + 1, outer), id(k + 1, outer + 1));
        out.Add(id(low, inner), id(low - 1, outer + 1), id(low - 1, outer));
        if (s == k) continue;
        out.Add(id(k, inner), id(k + 1, outer + 1), id(k, inner + 1));
        out.Add(id(low, inner), id(low, inner + 1), id(low - 1, outer + 1));
      }
    }
  }
}

void Box(const GenerateOptions& options, Surface& out) {
  const size_t n = NearestSquare(options.triangles, 12);
  auto part = [n](size_t i) {
    return static_cast<double>(i) / static_cast<double>(n);
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const bool high : {false, true}) {
      const size_t start = out.vertices.size();
      for (size_t i = 0; i <= n; ++i) {
        for (size_t j = 0; j <= n; ++j) {
          Vec3 v;
          v[axis] = high ? 1 : 0;
          v[(axis + 1) % 3] = part(i);
          v[(axis + 2) % 3] = part(j);
          out.vertices.push_back(v);
        }
      }
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
          const size_t a = start + i * (n + 1) + j;
          const size_t b = a + n + 1;
          if (high) {
            out.AddQuad(a, b, b + 1, a + 1);
          } else {
            out.AddQuad(a, a + 1, b + 1, b);
          }
        }
      }
    }
  }
  // The faces share the vertices on the edges.
  const mesh_internal::Welded welded = mesh_internal::Weld(out.vertices);
  for (TriangleIndices& t : out.triangles) {
    for (uint32_t& vertex : t) vertex = welded.id[vertex];
  }
  std::vector<Vec3> distinct;
  for (const uint32_t first : welded.first) {
    distinct.push_back(out.vertices[first]);
  }
  out.vertices = std::move(distinct);
}

// Rings of nu vertices along the profile bottom centre, bottom rim, top rim,
// top centre, whose three parts are 1/2, 1 and 1/2 long.
void Cylinder(const GenerateOptions& options, Surface& out) {
  // nv steps along the profile make nv - 1 rings, and the bands between them
  // and the centres make 2 * nu * (nv - 1) triangles. The corners of the
  // profile fall on a quarter and on three quarters of it.
  const auto [nu, nv] =
      NearestGrid(options.triangles,
                  {.ratio = 1.5, .least_u = 3, .least_v = 4, .step_v = 4}, -1);
  auto ring_vertex = [nu = nu, nv = nv](size_t ring, size_t i) {
    const double t = 2 * static_cast<double>(ring) / static_cast<double>(nv);
    const double r = std::min({t, 2 - t, 0.5});
    const double z = std::clamp(t - 0.5, 0.0, 1.0);
    const Turn around = TurnOf(i, nu);
    return Vec3{r * around.cos, r * around.sin, z};
  };
  out.vertices.push_back({0, 0, 0});
  for (size_t ring = 1; ring < nv; ++ring) {
    for (size_t i = 0; i < nu; ++i) {
      out.vertices.push_back(ring_vertex(ring, i));
    }
  }
  const size_t top = out.vertices.size();
  out.vertices.push_back({0, 0, 1});
  auto id = [nu = nu](size_t ring, size_t i) {
    return 1 + (ring - 1) * nu + i % nu;
  };
  for (size_t i = 0; i < nu; ++i) {
    out.Add(0, id(1, i + 1), id(1, i));
    for (size_t ring = 1; ring + 1 < nv; ++ring) {
      out.AddQuad(id(ring, i), id(ring, i + 1), id(ring + 1, i + 1),
                  id(ring + 1, i));
    }
    out.Add(top, id(nv - 1, i), id(nv - 1, i + 1));
  }
}

// A spur gear of twelve teeth with a bore: a ring whose section is a rectangle.
void Gear(const GenerateOptions& options, Surface& out) {
  constexpr size_t kTeeth = 12;
  constexpr double kBore = 0.375;
  constexpr double kRoot = 0.8125;
  constexpr double kTip = 1;
  constexpr double kHalfHeight = 0.125;
  const GridSize size = NearestGrid(options.triangles, {.ratio = 6,
                                                        .least_u = 8 * kTeeth,
                                                        .step_u = 8 * kTeeth,
                                                        .least_v = 4,
                                                        .step_v = 4});
  const size_t side = size.nv / 4;
  auto rim = [&](size_t i) {
    // A tooth: up in an eighth of the pitch, along the tip for three, down in
    // one, and along the root for three.
    const double pitch = 8 * static_cast<double>(i * kTeeth % size.nu) /
                         static_cast<double>(size.nu);
    const double up = std::clamp(std::min(pitch, 5 - pitch), 0.0, 1.0);
    return kRoot + (kTip - kRoot) * up;
  };
  AddRing(
      size,
      [&](size_t i, size_t j) {
        const double t =
            static_cast<double>(j % side) / static_cast<double>(side);
        const double outer = rim(i);
        double r = outer;
        double z = kHalfHeight;
        switch (j / side) {
          case 0:
            z = kHalfHeight * (2 * t - 1);
            break;
          case 1:
            r = outer + (kBore - outer) * t;
            break;
          case 2:
            r = kBore;
            z = kHalfHeight * (1 - 2 * t);
            break;
          default:
            r = kBore + (outer - kBore) * t;
            z = -kHalfHeight;
        }
        const Turn around = TurnOf(i, size.nu);
        return Vec3{r * around.cos, r * around.sin, z};
      },
      out);
}

void Plane(const GenerateOptions& options, Surface& out) {
  AddSheet(
      NearestGrid(options.triangles, {.ratio = 1}),
      [](double, double) { return 0.0; }, out);
}

// A number in [0, 1) for each point of a lattice.
double LatticeNoise(uint64_t seed, uint64_t x, uint64_t y) {
  const uint64_t bits =
      Random::Mix(Random::Mix(seed + x * Random::kGolden) + y);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Lattice noise in between, blended by 3 t^2 - 2 t^3, which is level at both
// ends.
double SmoothNoise(uint64_t seed, double x, double y) {
  const double x0 = std::floor(x);
  const double y0 = std::floor(y);
  const auto i = static_cast<uint64_t>(x0);
  const auto j = static_cast<uint64_t>(y0);
  auto blend = [](double t) { return t * t * (3 - 2 * t); };
  const double u = blend(x - x0);
  const double v = blend(y - y0);
  const double low =
      LatticeNoise(seed, i, j) * (1 - u) + LatticeNoise(seed, i + 1, j) * u;
  const double high = LatticeNoise(seed, i, j + 1) * (1 - u) +
                      LatticeNoise(seed, i + 1, j + 1) * u;
  return low * (1 - v) + high * v;
}

// Octaves of noise, each twice as fine and half as high as the one before.
void Terrain(const GenerateOptions& options, Surface& out) {
  constexpr int kOctaves = 8;
  auto height = [&](double x, double y) {
    double sum = 0;
    double cells = 4;
    double amplitude = 0.125;
    for (int octave = 0; octave < kOctaves; ++octave) {
      const uint64_t seed =
          Random::Mix(options.seed + static_cast<uint64_t>(octave));
      sum += amplitude * SmoothNoise(seed, x * cells, y * cells);
      cells *= 2;
      amplitude /= 2;
    }
    return sum;
  };
  AddSheet(NearestGrid(options.triangles, {.ratio = 1}), height, out);
}

void AddLoose(const Vec3& a, const Vec3& b, const Vec3& c, Surface& out) {
  const size_t first = out.vertices.size();
  out.vertices.insert(out.vertices.end(), {a, b, c});
  out.Add(first, first + 1, first + 2);
}

// About as many triangles meet a given one, however many there are: their size
// goes with the cube root of the number.
void Soup(const GenerateOptions& options, Surface& out) {
  size_t root = 1;
  while (root * root * root < options.triangles) ++root;
  const double size = 1 / static_cast<double>(root);
  Random random(options.seed);
  for (size_t i = 0; i < options.triangles; ++i) {
    const Vec3 a = (random.Offset() + Vec3{1, 1, 1}) * 0.5;
    const Vec3 b = a + random.Offset() * size;
    const Vec3 c = a + random.Offset() * size;
    AddLoose(a, b, c, out);
  }
}

// Half a unit long, 2^-10 to 2^-40 wide.
void Needles(const GenerateOptions& options, Surface& out) {
  Random random(options.seed);
  for (size_t i = 0; i < options.triangles; ++i) {
    const Vec3 a = (random.Offset() + Vec3{1, 1, 1}) * 0.5;
    const Vec3 b = a + random.Offset() * 0.5;
    const int exponent = 10 + static_cast<int>(random.Bits() % 31);
    AddLoose(a, b, b + random.Offset() * std::ldexp(1.0, -exponent), out);
  }
}

struct ShapeRow {
  GeneratedShape shape;
  void (*make)(const GenerateOptions&, Surface&);
};

constexpr ShapeRow kShapes[] = {
    {{"torus_knot", "a tube along a trefoil knot; closed"}, TorusKnot},
    {{"linked_knot",
      "a torus_knot linked with the first like the next link of a chain; along "
      "+x they touch at 0.25; closed"},
     LinkedKnot},
    {{"torus", "a ring of radius 1 and thickness 1/4; closed"}, Torus},
    {{"sphere", "the unit sphere; closed"}, Sphere},
    {{"box", "the unit cube, a grid on each face; closed"}, Box},
    {{"cylinder", "of radius 1/2 and height 1; closed"}, Cylinder},
    {{"gear", "a spur gear of 12 teeth with a bore; closed"}, Gear},
    {{"plane", "a flat grid over the unit square"}, Plane},
    {{"terrain", "random hills over the unit square, by seed"}, Terrain},
    {{"soup", "random triangles in the unit cube, by seed"}, Soup},
    {{"needles", "random thin triangles in the unit cube, by seed"}, Needles},
};

constexpr auto kPublicShapes = [] {
  std::array<GeneratedShape, std::size(kShapes)> shapes{};
  for (size_t i = 0; i < shapes.size(); ++i) shapes[i] = kShapes[i].shape;
  return shapes;
}();

absl::Status UnknownShape(const std::string& name) {
  std::string known;
  for (const GeneratedShape& shape : kPublicShapes) {
    absl::StrAppend(&known, known.empty() ? "" : ", ", std::string(shape.name));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the shape '", name, "' is not known; use one of ", known));
}

}  // namespace

std::span<const GeneratedShape> GeneratedShapes() { return kPublicShapes; }

absl::StatusOr<Mesh> GenerateMesh(const GenerateOptions& options) try {
  if (options.triangles < 1 || options.triangles > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(
        absl::StrCat("the number of triangles is ", options.triangles,
                     "; it has to be 1 to ", Mesh::kMaxTriangles));
  }
  for (const ShapeRow& row : kShapes) {
    if (row.shape.name != options.shape) continue;
    Surface surface;
    row.make(options, surface);
    return Mesh::Create(std::move(surface.vertices),
                        std::move(surface.triangles));
  }
  return UnknownShape(options.shape);
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError(
      absl::StrCat("not enough memory for ", options.triangles,
                   " triangles; ask for fewer"));
}

}  // namespace orbox
