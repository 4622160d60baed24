// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/read_bodies.h"

#include <algorithm>
#include <new>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/io/internal/read_file.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/weld_read.h"

namespace orbox {
namespace {

using mesh_internal::BodyMarks;
using mesh_internal::FormatRow;
using mesh_internal::MeshSource;

// Returns the bodies of a file. Their names may be equal.
absl::StatusOr<std::vector<NamedBody>> BodiesOf(const MeshSource& source,
                                                MeshFormat format) {
  const FormatRow& row = mesh_internal::RowOf(format);
  if (row.read_bodies != nullptr) return row.read_bodies(source);
  BodyMarks marks;
  const absl::StatusOr<Mesh> mesh = row.read_mesh(source, &marks);
  if (!mesh.ok()) return mesh.status();
  return mesh_internal::SplitAtMarks(*mesh, marks, source);
}

absl::StatusOr<std::vector<NamedBody>> NamedBodiesOf(const MeshSource& source,
                                                     MeshFormat format) {
  return mesh_internal::ReadBytes<std::vector<NamedBody>>(
      source, [&]() -> absl::StatusOr<std::vector<NamedBody>> {
        absl::StatusOr<std::vector<NamedBody>> bodies =
            BodiesOf(source, format);
        if (!bodies.ok()) return bodies;
        mesh_internal::NameBodies(source.name, *bodies);
        const absl::Status status = mesh_internal::WeldBodies(source, *bodies);
        if (!status.ok()) return status;
        return bodies;
      });
}

// Returns only the body with this name.
absl::StatusOr<NamedBody> Pick(const std::vector<NamedBody>& bodies,
                               const std::string& file,
                               const std::string& name) {
  for (const NamedBody& body : bodies) {
    if (body.name == name) return body;
  }
  constexpr size_t kListed = 5;
  std::string list;
  for (size_t i = 0; i < std::min(bodies.size(), kListed); ++i) {
    absl::StrAppend(&list, i == 0 ? "" : ", ",
                    mesh_internal::Quoted(bodies[i].name));
  }
  if (bodies.size() > kListed) absl::StrAppend(&list, ", ...");
  return absl::NotFoundError(absl::StrCat(
      mesh_internal::Shown(file), ": has no body ", mesh_internal::Quoted(name),
      "; give one of ", bodies.size(), ": ", list));
}

}  // namespace

absl::StatusOr<std::vector<NamedBody>> ReadBodiesFile(
    const std::string& path, const ReadOptions& options) try {
  const BodyPath parts = SplitBodyPath(path);
  absl::StatusOr<std::vector<NamedBody>> bodies =
      mesh_internal::ReadAt<std::vector<NamedBody>>(parts.file, options,
                                                    NamedBodiesOf);
  if (!bodies.ok() || !parts.body.has_value()) return bodies;
  const absl::StatusOr<NamedBody> one = Pick(*bodies, parts.file, *parts.body);
  if (!one.ok()) return one.status();
  return std::vector<NamedBody>{*one};
} catch (const std::bad_alloc&) {
  return mesh_internal::NoMemoryFor(path);
}

absl::StatusOr<std::vector<NamedBody>> ReadBodies(std::string_view bytes,
                                                  MeshFormat format,
                                                  std::string_view name,
                                                  const ReadOptions& options) {
  return NamedBodiesOf({bytes, name, options}, format);
}

BodyPath SplitBodyPath(const std::string& path) {
  const auto is_there = [](const std::string& file) {
    return os::FactsOf(file).has_value();
  };
  if (path.find('#') == std::string::npos || is_there(path)) return {path, {}};
  std::optional<size_t> behind_extension;
  for (size_t at = path.find('#'); at != std::string::npos;
       at = path.find('#', at + 1)) {
    const std::string file = path.substr(0, at);
    if (file == "-" || is_there(file)) return {file, path.substr(at + 1)};
    const bool is_known = mesh_internal::RowOfExtension(
                              mesh_internal::ExtensionOf(file)) != nullptr;
    if (is_known && !behind_extension.has_value()) behind_extension = at;
  }
  if (!behind_extension.has_value()) return {path, {}};
  return {path.substr(0, *behind_extension),
          path.substr(*behind_extension + 1)};
}

}  // namespace orbox
