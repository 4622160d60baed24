// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/source.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace orbox::mesh_internal {

absl::Status ErrorAtLine(const MeshSource& source, size_t line,
                         const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(source.name), ": line ", line, ": ", what));
}

absl::Status ErrorAtByte(const MeshSource& source, size_t offset,
                         const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(source.name), ": byte ", offset, ": ", what));
}

absl::Status ErrorInFile(const MeshSource& source, const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(source.name), ": ", what));
}

absl::Status SkipInvalid(const MeshSource& source, std::vector<Vec3>& vertices,
                         const std::vector<TriangleIndices>& triangles) {
  if (!source.options.skip_invalid) return absl::OkStatus();
  std::vector<bool> is_invalid;
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (IsFinite(vertices[i])) continue;
    is_invalid.resize(vertices.size());
    is_invalid[i] = true;
    vertices[i] = {};
    AddNote(source, "vertices that are not finite and that no face uses",
            {"vertex", i});
  }
  if (is_invalid.empty()) return absl::OkStatus();
  for (size_t i = 0; i < triangles.size(); ++i) {
    for (const uint32_t corner : triangles[i]) {
      if (!is_invalid[corner]) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("vertex ", corner, " is not finite, and triangle ", i,
                       " uses it; repair or remove both"));
    }
  }
  return absl::OkStatus();
}

void AddNote(const MeshSource& source, std::string_view what,
             const NotePlace& place, uint64_t count) {
  if (source.options.notes == nullptr) return;
  for (ReadNote& note : *source.options.notes) {
    if (note.what != what) continue;
    note.count += count;
    return;
  }
  source.options.notes->push_back(
      {std::string(what), count,
       place.unit.empty()
           ? std::string()
           : absl::StrCat(std::string(place.unit), " ", place.number)});
}

absl::StatusOr<Mesh> CreateMesh(const MeshSource& source,
                                std::vector<Vec3> vertices,
                                std::vector<TriangleIndices> triangles) {
  const absl::Status status = SkipInvalid(source, vertices, triangles);
  if (!status.ok()) return ErrorInFile(source, std::string(status.message()));
  absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (mesh.ok()) return mesh;
  return ErrorInFile(source, std::string(mesh.status().message()));
}

absl::StatusOr<std::vector<Vec3>> FinitePoints(const MeshSource& source,
                                               std::string_view unit,
                                               std::vector<Vec3> points) {
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (IsFinite(points[i])) {
      points[kept++] = points[i];
      continue;
    }
    if (!source.options.skip_invalid) {
      return ErrorInFile(source, absl::StrCat(std::string(unit), " ", i,
                                              " is not finite; correct it, or "
                                              "skip such points"));
    }
    AddNote(source, "points that are not finite, skipped", {unit, i});
  }
  points.resize(kept);
  return points;
}

std::string Quoted(std::string_view text) {
  // Maximum length of quoted text. Long enough for any number, short enough for
  // a line.
  constexpr size_t kLongest = 40;
  std::string quoted = "'";
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      quoted += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return quoted + (text.size() > kLongest ? "...'" : "'");
}

ReadProgress::ReadProgress(const MeshSource& source) : source_(source) {
  if (source.options.progress) next_ = 0;
}

void ReadProgress::Report(size_t offset) {
  source_.options.progress(
      static_cast<double>(offset) /
      static_cast<double>(std::max<size_t>(source_.bytes.size(), 1)));
  next_ = offset + kStep;
}

bool AppendFan(const std::vector<uint32_t>& corners,
               std::vector<TriangleIndices>& triangles) {
  if (corners.size() - 2 > Mesh::kMaxTriangles - triangles.size()) return false;
  for (size_t k = 2; k < corners.size(); ++k) {
    triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return true;
}

std::string TooManyTriangles() {
  return absl::StrCat("more than ", Mesh::kMaxTriangles,
                      " triangles, the most that a mesh may have; split it");
}

}  // namespace orbox::mesh_internal

namespace orbox {

std::string TextOf(const ReadNote& note) {
  std::string text = absl::StrCat(note.what, ": ", note.count);
  if (!note.first.empty()) {
    absl::StrAppend(&text, note.count == 1 ? ", at " : ", the first at ",
                    note.first);
  }
  return text;
}

}  // namespace orbox
