// SPDX-License-Identifier: Apache-2.0

// 3MF (3MF Consortium): a package of parts. Each mesh of each object of its
// build is a body.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/model_3mf.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/xml_events.h"
#include "orbox/bvh/io/internal/zip_archive.h"

namespace orbox::mesh_internal {
namespace {

// Finds the root part of the package.
class RelationshipReader : public XmlReader {
 public:
  absl::Status Begin(std::string_view name,
                     const XmlAttributes& attributes) override {
    constexpr std::string_view kElement =
        "http://schemas.openxmlformats.org/package/2006/relationships "
        "Relationship";
    constexpr std::string_view kModel =
        "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
    if (name == kElement && attributes.Text("Type") == kModel &&
        target_.empty()) {
      target_ = attributes.Text("Target");
    }
    return absl::OkStatus();
  }
  absl::Status End(std::string_view) override { return absl::OkStatus(); }
  void Text(std::string_view) override {}

  const std::string& target() const { return target_; }

 private:
  std::string target_;
};

// Maximum number of bodies. Bounded, because a small file could have many
// bodies by using components repeatedly.
constexpr size_t kMostPlaced = 100'000;

class PackageReader {
 public:
  PackageReader(const MeshSource& source, ZipArchive zip)
      : source_(source), zip_(std::move(zip)) {}

  absl::StatusOr<std::vector<NamedBody>> Read();

 private:
  // An object to visit, and the values that it inherits.
  struct Visited {
    std::string_view path;
    uint32_t object = 0;
    Pose pose;
    std::string parent_name;
    const BodyProperties* properties = nullptr;  // of the item
  };

  absl::StatusOr<std::string> FindRoot();
  absl::StatusOr<const Model3mf*> ModelAt(std::string_view path);
  absl::Status Visit(const Visited& visited);

  const MeshSource& source_;
  ZipArchive zip_;
  std::string root_;
  std::map<std::string, Model3mf, std::less<>> models_;
  std::vector<Visited> stack_;
  FacingMeshes facing_;
  std::set<const Object3mf*> empty_;  // omitted objects
  size_t placed_ = 0;
  std::vector<NamedBody> bodies_;
};

absl::StatusOr<std::string> PackageReader::FindRoot() {
  constexpr std::string_view kRelationships = "_rels/.rels";
  const ZipArchive::File* const file = zip_.Find(kRelationships);
  if (file == nullptr) {
    return ErrorInFile(source_,
                       "is a ZIP archive and no 3MF package: it has no "
                       "_rels/.rels");
  }
  RelationshipReader reader;
  XmlParser parser(reader);
  absl::Status failure;
  const absl::Status unpacked = zip_.Unpack(*file, [&](std::string_view piece) {
    failure = parser.Feed(piece, /*is_last=*/false);
    return failure;
  });
  if (failure.ok() && !unpacked.ok()) return unpacked;
  if (failure.ok()) failure = parser.Feed({}, /*is_last=*/true);
  if (!failure.ok()) {
    return ErrorInFile(source_, absl::StrCat("'_rels/.rels': ",
                                             std::string(failure.message())));
  }
  if (reader.target().empty()) {
    return ErrorInFile(source_,
                       "is a package without a 3D model; is it a 3MF file?");
  }
  return reader.target();
}

absl::StatusOr<const Model3mf*> PackageReader::ModelAt(std::string_view path) {
  const auto known = models_.find(path);
  if (known != models_.end()) return &known->second;
  absl::StatusOr<Model3mf> model = ReadModel3mf(source_, zip_, path);
  if (!model.ok()) return model.status();
  return &models_.emplace(std::string(path), *std::move(model)).first->second;
}

absl::StatusOr<std::vector<NamedBody>> PackageReader::Read() {
  absl::StatusOr<std::string> root = FindRoot();
  if (!root.ok()) return root.status();
  root_ = *std::move(root);
  const absl::StatusOr<const Model3mf*> model = ModelAt(root_);
  if (!model.ok()) return model.status();
  const std::vector<Placed3mf>& build = (*model)->build;
  Pose unit;
  for (size_t axis = 0; axis < 3; ++axis)
    unit.rows[axis][axis] = (*model)->unit;
  // The top of the stack is visited first, so items are pushed in reverse.
  for (auto item = build.rbegin(); item != build.rend(); ++item) {
    stack_.push_back({item->path.empty() ? root_ : item->path,
                      item->object,
                      unit * item->pose,
                      {},
                      &item->properties});
  }
  while (!stack_.empty()) {
    const Visited next = std::move(stack_.back());
    stack_.pop_back();
    if (absl::Status s = Visit(next); !s.ok()) return s;
  }
  if (bodies_.empty()) {
    return ErrorInFile(source_, "builds no object with triangles; add one");
  }
  return std::move(bodies_);
}

absl::Status PackageReader::Visit(const Visited& visited) {
  const auto error = [&](const std::string& what) {
    return ErrorInFile(source_, absl::StrCat(Quoted(visited.path), ": object ",
                                             visited.object, ": ", what));
  };
  const absl::StatusOr<const Model3mf*> model = ModelAt(visited.path);
  if (!model.ok()) return model.status();
  const auto found = (*model)->objects.find(visited.object);
  if (found == (*model)->objects.end()) {
    return error("is named, and not there; is the file damaged?");
  }
  const Object3mf& object = found->second;
  if (++placed_ > kMostPlaced) {
    return error(absl::StrCat("components place objects more than ",
                              kMostPlaced, " times; write fewer copies"));
  }
  if (!visited.pose.IsFinite()) {
    return error("stands beyond the range of double; correct its transform");
  }
  const std::string name = object.name.substr(0, kLongestShared);
  for (auto part = object.components.rbegin(); part != object.components.rend();
       ++part) {
    // Only the root part may refer to other parts, so there are no cycles.
    if (!part->path.empty() && visited.path != root_) {
      return error(
          "a component names another part, which only the first "
          "part may do; write the file anew");
    }
    stack_.push_back(
        {part->path.empty() ? visited.path : std::string_view(part->path),
         part->object, visited.pose * part->pose,
         name.empty() ? visited.parent_name : name, visited.properties});
  }
  if (!object.mesh.has_value()) {
    // Counts an object only once, even if it is placed many times.
    if (object.components.empty() && empty_.insert(&object).second) {
      LeaveOut(source_, name.empty() ? visited.parent_name : name);
    }
    return absl::OkStatus();
  }
  NamedBody body{.name = name,
                 .mesh = facing_.At(visited.pose, *object.mesh),
                 .pose = visited.pose,
                 .properties = *visited.properties};
  // The properties of the item apply only to this body and take precedence.
  body.properties.insert(object.properties.begin(), object.properties.end());
  if (!visited.parent_name.empty()) {
    body.properties.try_emplace("parent", Printable(visited.parent_name));
  }
  if (body.name.empty()) body.name = visited.parent_name;
  bodies_.push_back(std::move(body));
  return absl::OkStatus();
}

}  // namespace

bool Is3mf(std::string_view bytes) {
  // The directory, at the end of the file, contains the name of the model part.
  constexpr size_t kEnd = size_t{1} << 16;
  return bytes.starts_with("PK\x03\x04") &&
         bytes.substr(bytes.size() - std::min(bytes.size(), kEnd))
                 .find(".model") != std::string_view::npos;
}

absl::StatusOr<std::vector<NamedBody>> Read3mf(const MeshSource& source) {
  absl::StatusOr<ZipArchive> zip = ZipArchive::Open(source);
  if (!zip.ok()) return zip.status();
  return PackageReader(source, *std::move(zip)).Read();
}

}  // namespace orbox::mesh_internal
