#include "tools/orbox/distance_ply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/hausdorff.h"
#include "tools/orbox/text.h"
#include "tools/picture/color.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"

namespace orbox::cli {
namespace {

template <typename T>
void AppendLittle(T value, std::string& out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

void AppendColor(uint32_t rgb, std::string& out) {
  for (const int shift : {16, 8, 0}) {
    out += static_cast<char>(static_cast<unsigned char>(rgb >> shift));
  }
}

double LargestOf(std::span<const MeasuredMesh> meshes) {
  double largest = 0;
  for (const MeasuredMesh& mesh : meshes) {
    for (const double d : mesh.distances) largest = std::max(largest, d);
  }
  return largest;
}

// Vertices and faces in the form of the file.
class Bytes {
 public:
  void Add(const MeasuredMesh& measured, uint8_t number, double end) {
    const PosedTree& posed = *measured.mesh;
    const Mesh& mesh = posed.tree().mesh();
    const picture::Color own =
        picture::FromHex(number == 0 ? picture::kColorOfA : picture::kColorOfB);
    // The place in the file of a vertex of one colour.
    std::unordered_map<uint64_t, uint32_t> places;
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      const double distance = measured.distances[id];
      const uint32_t color =
          picture::HexOf(picture::ColorOfDistance(distance, end, own));
      std::array<uint32_t, 3> corners{};
      for (size_t i = 0; i < 3; ++i) {
        const uint32_t vertex = mesh.triangles()[id][i];
        const auto [place, is_new] =
            places.try_emplace(uint64_t{vertex} << 24 | color, vertex_count_);
        if (is_new) AddVertex(posed, mesh.vertices()[vertex], color);
        corners[i] = place->second;
      }
      AddFace(corners, color, distance, number);
    }
  }

  std::string File(double end) const {
    return Cat(
        "ply\nformat binary_little_endian 1.0\ncomment colours from 0 to ", end,
        "\nelement vertex ", vertex_count_,
        "\nproperty double x\nproperty double y\nproperty double z\n",
        kColorProperties, "element face ", face_count_,
        "\nproperty list uchar int vertex_indices\n", kColorProperties,
        "property float distance\nproperty uchar mesh\nend_header\n", vertices_,
        faces_);
  }

 private:
  static constexpr std::string_view kColorProperties =
      "property uchar red\nproperty uchar green\nproperty uchar blue\n";

  void AddVertex(const PosedTree& posed, const Vec3& vertex, uint32_t color) {
    const Vec3 p = posed.is_moved() ? posed.pose().Apply(vertex) : vertex;
    for (size_t axis = 0; axis < 3; ++axis) {
      AppendLittle(std::bit_cast<uint64_t>(p[axis]), vertices_);
    }
    AppendColor(color, vertices_);
    ++vertex_count_;
  }
  void AddFace(const std::array<uint32_t, 3>& corners, uint32_t color,
               double distance, uint8_t number) {
    AppendLittle(uint8_t{3}, faces_);
    for (const uint32_t corner : corners) AppendLittle(corner, faces_);
    AppendColor(color, faces_);
    constexpr double kLargest = std::numeric_limits<float>::max();
    AppendLittle(std::bit_cast<uint32_t>(
                     static_cast<float>(std::min(distance, kLargest))),
                 faces_);
    AppendLittle(number, faces_);
    ++face_count_;
  }

  std::string vertices_;
  std::string faces_;
  uint32_t vertex_count_ = 0;
  size_t face_count_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<double>> DistancesFrom(
    const PosedTree& a, const PosedTree& b, const BatchOptions& options,
    TraversalStatistics* statistics) {
  HausdorffOptions field_options;
  // The largest distance is not needed: any enclosure will do.
  field_options.tolerance = std::numeric_limits<double>::max();
  field_options.threads = options.threads;
  field_options.progress = options.progress;
  field_options.cancelled = options.cancelled;
  const absl::StatusOr<std::vector<TriangleDeviation>> field =
      DeviationField(a, b, field_options, statistics);
  if (!field.ok()) return field.status();
  std::vector<double> distances;
  distances.reserve(field->size());
  for (const TriangleDeviation& d : *field) distances.push_back(d.nearest);
  return distances;
}

std::string EncodeDistancePly(std::span<const MeasuredMesh> meshes,
                              const std::optional<double>& within) {
  const double end = within.has_value() ? *within : LargestOf(meshes);
  Bytes bytes;
  uint8_t number = 0;
  for (const MeasuredMesh& mesh : meshes) bytes.Add(mesh, number++, end);
  return bytes.File(end);
}

}  // namespace orbox::cli
