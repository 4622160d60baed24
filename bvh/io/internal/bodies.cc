// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/bodies.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox::mesh_internal {
namespace {

constexpr uint32_t kUnplaced = std::numeric_limits<uint32_t>::max();

// Makes meshes of some triangles of another mesh, with only the vertices that
// they use. Reuses a table of the other mesh's vertices for all bodies.
class PartMaker {
 public:
  explicit PartMaker(const Mesh& mesh)
      : mesh_(mesh), place_(mesh.vertex_count(), kUnplaced) {}

  Mesh Make(const std::vector<uint32_t>& ids) {
    std::vector<Vec3> vertices;
    std::vector<TriangleIndices> triangles;
    triangles.reserve(ids.size());
    for (const uint32_t id : ids) {
      TriangleIndices corners = mesh_.triangles()[id];
      for (uint32_t& corner : corners) {
        uint32_t& place = place_[corner];
        if (place == kUnplaced) {
          place = static_cast<uint32_t>(vertices.size());
          vertices.push_back(mesh_.vertices()[corner]);
        }
        corner = place;
      }
      triangles.push_back(corners);
    }
    for (const uint32_t id : ids) {
      for (const uint32_t corner : mesh_.triangles()[id]) {
        place_[corner] = kUnplaced;
      }
    }
    // Cannot fail: these are triangles of a mesh.
    return *Mesh::Create(std::move(vertices), std::move(triangles));
  }

 private:
  const Mesh& mesh_;
  std::vector<uint32_t> place_;  // new index of each vertex in the current body
};

// Returns the number of bytes of the first UTF-8 character; 0 if it is not
// printable.
size_t PrintableLength(std::string_view text) {
  const auto byte = [&text](size_t i) -> uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  uint32_t code = first & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool is_control = code >= 0x80 && code < 0xa0;
  if (code < kSmallest[length] || code > 0x10ffff || is_surrogate ||
      is_control || (code & 0xfffe) == 0xfffe) {
    return 0;
  }
  return length;
}

std::string StemOf(std::string_view file) {
  const size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  file.remove_suffix(ExtensionOf(file).size());
  return file.empty() ? "body" : std::string(file);
}

}  // namespace

void LeaveOut(const MeshSource& source, std::string_view name) {
  AddNote(source, "elements without triangles, left out");
  if (source.options.left_out == nullptr) return;
  source.options.left_out->push_back(name.empty() ? "(without a name)"
                                                  : Printable(name));
}

std::vector<NamedBody> SplitAtMarks(const Mesh& mesh, const BodyMarks& marks,
                                    const MeshSource& source) {
  struct Body {
    std::string_view name;
    std::vector<uint32_t> triangles;
  };
  std::vector<Body> found;
  std::map<std::string_view, size_t> by_name;
  std::vector<std::string_view> empty;
  const auto add_body = [&](std::string_view name, uint32_t begin,
                            uint32_t end) {
    if (begin == end) {
      empty.push_back(name);
      return;
    }
    size_t place = found.size();
    if (marks.same_name_is_same_body) {
      place = by_name.emplace(name, place).first->second;
    }
    if (place == found.size()) found.push_back({name, {}});
    for (uint32_t i = begin; i < end; ++i) found[place].triangles.push_back(i);
  };
  const auto count = static_cast<uint32_t>(mesh.triangle_count());
  const uint32_t first =
      marks.list.empty() ? count : marks.list[0].first_triangle;
  if (first > 0) add_body({}, 0, first);
  for (size_t i = 0; i < marks.list.size(); ++i) {
    const uint32_t end =
        i + 1 < marks.list.size() ? marks.list[i + 1].first_triangle : count;
    add_body(marks.list[i].name, marks.list[i].first_triangle, end);
  }
  for (const std::string_view name : empty) {
    // A group may continue later in the file. OBJ uses the group "default" for
    // lines without a group.
    if (marks.same_name_is_same_body &&
        (name == "default" || !by_name.emplace(name, found.size()).second)) {
      continue;
    }
    LeaveOut(source, name);
  }
  std::vector<NamedBody> bodies;
  if (found.size() == 1) {
    bodies.push_back({std::string(found[0].name), mesh, {}, {}});
    return bodies;
  }
  PartMaker maker(mesh);
  bodies.reserve(found.size());
  for (const Body& body : found) {
    bodies.push_back(
        {std::string(body.name), maker.Make(body.triangles), {}, {}});
  }
  return bodies;
}

absl::StatusOr<Mesh> MergeBodies(const std::vector<NamedBody>& bodies,
                                 const MeshSource& source) {
  if (bodies.size() == 1 && bodies[0].pose.IsIdentity()) return bodies[0].mesh;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const NamedBody& body : bodies) {
    if (body.mesh.triangle_count() > Mesh::kMaxTriangles - triangles.size() ||
        body.mesh.vertex_count() > Mesh::kMaxVertices - vertices.size()) {
      return ErrorInFile(source, TooManyTriangles());
    }
    const auto first = static_cast<uint32_t>(vertices.size());
    for (const Vec3& v : body.mesh.vertices()) {
      vertices.push_back(body.pose.Apply(v));
      if (IsBeyond(vertices.back())) {
        return ErrorInFile(
            source,
            absl::StrCat("the pose of body ", Quoted(body.name),
                         " moves it too far: ", RangeAdvice(vertices.back())));
      }
    }
    for (const auto& [a, b, c] : body.mesh.triangles()) {
      triangles.push_back({first + a, first + b, first + c});
    }
  }
  return CreateMesh(source, std::move(vertices), std::move(triangles));
}

bool IsMirroring(const Pose& pose) {
  return Orient3d({}, pose.rows[0], pose.rows[1], pose.rows[2]) < 0;
}

Mesh FacingMeshes::At(const Pose& pose, const Mesh& mesh) {
  if (!IsMirroring(pose)) return mesh;
  const auto known = reversed_.find(mesh.triangles().data());
  if (known != reversed_.end()) return known->second.mesh;
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (TriangleIndices& t : triangles) std::swap(t[1], t[2]);
  // Cannot fail: these are triangles of a mesh.
  Mesh reversed = *Mesh::Create(
      std::vector<Vec3>(mesh.vertices().begin(), mesh.vertices().end()),
      std::move(triangles));
  return reversed_
      .emplace(mesh.triangles().data(), Reversed{mesh, std::move(reversed)})
      .first->second.mesh;
}

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t length = PrintableLength(text);
    if (length == 0) {
      shown += '?';
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

void NameBodies(std::string_view file, std::vector<NamedBody>& bodies) {
  std::unordered_set<std::string> used;
  // The next number to try for each name, so that many equal names take linear
  // time.
  std::unordered_map<std::string, size_t> next;
  for (NamedBody& body : bodies) {
    std::string name = Printable(body.name);
    if (name.empty()) name = Printable(StemOf(file));
    if (!used.insert(name).second) {
      size_t& number = next.try_emplace(name, 2).first->second;
      while (!used.insert(absl::StrCat(name, " (", number, ")")).second) {
        ++number;
      }
      absl::StrAppend(&name, " (", number, ")");
    }
    body.name = std::move(name);
  }
}

}  // namespace orbox::mesh_internal
