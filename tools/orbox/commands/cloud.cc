// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/cloud.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/io/internal/pcd_points.h"
#include "orbox/bvh/io/internal/ply_vertices.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

constexpr std::array<std::string_view, 8> kExtensions = {
    ".xyz", ".xyzn", ".xyzrgb", ".asc", ".pts", ".csv", ".txt", ".pcd"};

// Returns the first bytes of a file. Returns an empty text for an input that
// can be read only once.
std::string BeginOf(const std::string& path) {
  if (!IsRegularFile(path)) return "";
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return "";
  constexpr size_t kMost = size_t{1} << 16;
  std::string begin(std::min(file->size(), kMost), '\0');
  const absl::Status status =
      file->ReadAt(0, std::as_writable_bytes(std::span(begin)));
  return status.ok() ? begin : "";
}

// Returns true if the header declares faces or strips.
bool DeclaresFaces(std::string_view begin) {
  const std::string_view header = begin.substr(0, begin.find("end_header"));
  return header.find("element face") != std::string_view::npos ||
         header.find("element tristrips") != std::string_view::npos;
}

// Returns the error for a file that has no rows of points: what its name says
// that it is, if that is no cloud, or `error`.
absl::Status ErrorOfRows(const std::string& path, const absl::Status& error) {
  if (error.code() != absl::StatusCode::kInvalidArgument) return error;
  const std::string extension = mesh_internal::ExtensionOf(path);
  const bool is_cloud = std::find(kExtensions.begin(), kExtensions.end(),
                                  extension) != kExtensions.end();
  const std::string advice =
      is_cloud ? "" : mesh_internal::HowToConvert(extension);
  if (!advice.empty()) {
    return absl::InvalidArgumentError(Cat(path, ": ", advice));
  }
  if (mesh_internal::RowOfExtension(extension) == nullptr) return error;
  return absl::InvalidArgumentError(
      Cat(path,
          ": is no point cloud; give a PLY or PCD file, or rows of x,y,z, such "
          "as the vertices of the mesh"));
}

}  // namespace

absl::StatusOr<std::vector<Vec3>> ReadCloud(const std::string& path,
                                            const ReadOptions& options) {
  const std::string begin = path == "-" ? std::string() : BeginOf(path);
  const bool is_ply = IsPlyFile(begin);
  if (is_ply || IsPcdFile(begin)) {
    const absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
    if (!bytes.ok()) return bytes.status();
    absl::StatusOr<std::vector<Vec3>> points =
        (is_ply ? ReadPlyVertices : ReadPcdPoints)(bytes->view(), path,
                                                   options);
    if (points.ok() && points->empty()) {
      return absl::InvalidArgumentError(
          Cat(path, ": there are no points in it; give some"));
    }
    return points;
  }
  if (const std::string advice = mesh_internal::HowToConvertBytes(begin);
      !advice.empty()) {
    return absl::InvalidArgumentError(Cat(path, ": ", advice));
  }
  const absl::StatusOr<Rows> rows =
      ReadRows(path, "x,y,z", AnyNumbers,
               {.skips_not_finite = options.skip_invalid, .takes_count = true});
  if (!rows.ok()) return ErrorOfRows(path, rows.status());
  if (options.notes != nullptr && rows->skipped() > 0) {
    options.notes->push_back({"points that are not finite, skipped",
                              rows->skipped(),
                              Cat("line ", rows->first_skipped())});
  }
  const size_t written = rows->size() + rows->skipped();
  if (options.notes != nullptr && rows->count().value_or(written) != written) {
    options.notes->push_back(
        {Cat("points, where the first line counts ", *rows->count()),
         written,
         {}});
  }
  std::vector<Vec3> points;
  points.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    const std::span<const double> row = rows->row(i);
    points.push_back({row[0], row[1], row[2]});
  }
  return points;
}

bool IsCloud(const std::string& path) {
  const std::string begin = BeginOf(path);
  if (IsPlyFile(begin)) return !DeclaresFaces(begin);
  if (IsPcdFile(begin)) return true;
  const std::string extension =
      LowerCase(std::filesystem::path(path).extension().string());
  return std::find(kExtensions.begin(), kExtensions.end(), extension) !=
         kExtensions.end();
}

absl::StatusOr<Mesh> MeshOfCloud(const std::string& path,
                                 const ReadOptions& options) {
  absl::StatusOr<std::vector<Vec3>> points = ReadCloud(path, options);
  if (!points.ok()) return points.status();
  if (points->size() > Mesh::kMaxTriangles) {
    return absl::InvalidArgumentError(
        Cat(path, ": ", Counted(points->size(), "point"), ", more than the ",
            Grouped(Mesh::kMaxTriangles), " that fit; cut it into parts"));
  }
  std::vector<TriangleIndices> triangles;
  triangles.reserve(points->size());
  for (uint32_t i = 0; i < points->size(); ++i) triangles.push_back({i, i, i});
  absl::StatusOr<Mesh> mesh =
      Mesh::Create(*std::move(points), std::move(triangles));
  if (mesh.ok()) return mesh;
  return absl::InvalidArgumentError(
      Cat(path, ": ", std::string(mesh.status().message())));
}

}  // namespace orbox::cli
