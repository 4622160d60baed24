// SPDX-License-Identifier: Apache-2.0

// 3MF Core Specification 1.3, chapters 3 to 5, and the Production Extension 1.1
// (3MF Consortium), which allows objects in several parts.
#include "orbox/bvh/io/internal/model_3mf.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/bodies.h"
#include "orbox/bvh/io/internal/names_3mf.h"
#include "orbox/bvh/io/internal/text_scanner.h"
#include "orbox/bvh/io/internal/xml_events.h"

namespace orbox::mesh_internal {
namespace {

struct Unit {
  std::string_view name;
  double millimetres;
};
constexpr Unit kUnits[] = {{"micron", 0.001},  {"millimeter", 1},
                           {"centimeter", 10}, {"inch", 25.4},
                           {"foot", 304.8},    {"meter", 1000}};

class ModelReader : public XmlReader {
 public:
  ModelReader(const MeshSource& source, Model3mf& model)
      : source_(source), model_(model) {}

  void Watch(const XmlParser& parser) { parser_ = &parser; }

  absl::Status Begin(std::string_view name,
                     const XmlAttributes& attributes) override;
  absl::Status End(std::string_view name) override;
  void Text(std::string_view text) override {
    if (current() == Element3mf::kMetadata) metadata_.append(text);
  }
  void Prefix(std::string_view prefix, std::string_view space) override {
    prefixes_.emplace(prefix, space);
  }
  bool has_model() const { return has_model_; }

 private:
  Element3mf current() const {
    return open_.empty() ? Element3mf::kNone : open_.back();
  }
  absl::Status Error(const std::string& what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("line ", parser_->line(), ": ", what));
  }
  absl::Status BeginModel(const XmlAttributes& attributes);
  absl::Status BeginObject(const XmlAttributes& attributes);
  absl::Status AddVertex(const XmlAttributes& attributes);
  absl::Status AddTriangle(const XmlAttributes& attributes);
  absl::StatusOr<Placed3mf> ReadPlaced(const XmlAttributes& attributes) const;
  absl::Status EndMesh();
  void EndMetadata();
  absl::StatusOr<uint32_t> ReadIndex(const XmlAttributes& attributes,
                                     std::string_view name) const;

  const MeshSource& source_;
  Model3mf& model_;
  const XmlParser* parser_ = nullptr;
  bool has_model_ = false;
  bool requires_beams_ = false;
  bool requires_slices_ = false;
  std::vector<Element3mf> open_;
  std::map<std::string, std::string, std::less<>> prefixes_;
  uint32_t object_id_ = 0;
  Object3mf object_;
  std::vector<Vec3> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::string metadata_key_;
  std::string metadata_;
};

absl::Status ModelReader::Begin(std::string_view name,
                                const XmlAttributes& attributes) {
  const Element3mf element = ElementOf3mf(name, current());
  if (name == kBeams3mf && current() == Element3mf::kMesh) {
    if (requires_beams_) {
      return Error(
          "has a lattice of beams, which Orbox does not read; write the beams "
          "as triangles");
    }
    AddNote(source_, "lattices of beams, skipped", {"line", parser_->line()});
  }
  open_.push_back(element);
  switch (element) {
    case Element3mf::kModel:
      return BeginModel(attributes);
    case Element3mf::kObject:
      return BeginObject(attributes);
    case Element3mf::kVertex:
      return AddVertex(attributes);
    case Element3mf::kTriangle:
      return AddTriangle(attributes);
    case Element3mf::kComponent:
    case Element3mf::kItem: {
      absl::StatusOr<Placed3mf> placed = ReadPlaced(attributes);
      if (!placed.ok()) return placed.status();
      auto& list =
          element == Element3mf::kItem ? model_.build : object_.components;
      list.push_back(*std::move(placed));
      return absl::OkStatus();
    }
    case Element3mf::kMetadata:
      metadata_key_ = Printable(attributes.Text("name"));
      metadata_.clear();
      return absl::OkStatus();
    default:
      return absl::OkStatus();
  }
}

absl::Status ModelReader::End(std::string_view /*name*/) {
  const Element3mf element = current();
  open_.pop_back();
  if (element == Element3mf::kMesh) return EndMesh();
  if (element == Element3mf::kMetadata) EndMetadata();
  if (element == Element3mf::kObject) {
    model_.objects.emplace(object_id_, std::move(object_));
  }
  return absl::OkStatus();
}

absl::Status ModelReader::BeginModel(const XmlAttributes& attributes) {
  has_model_ = true;
  const std::string_view unit = attributes.Text("unit");
  bool is_known = unit.empty();
  for (const Unit& row : kUnits) {
    if (row.name != unit) continue;
    model_.unit = row.millimetres;
    is_known = true;
  }
  if (!is_known) {
    return Error(absl::StrCat("the unit ", Quoted(unit),
                              " is not known; use millimeter"));
  }
  std::string_view required = attributes.Text("requiredextensions");
  while (!required.empty()) {
    const size_t end = std::min(required.find(' '), required.size());
    const std::string_view prefix = required.substr(0, end);
    required.remove_prefix(std::min(end + 1, required.size()));
    if (prefix.empty()) continue;
    const auto space = prefixes_.find(prefix);
    if (space == prefixes_.end() || !IsKnownExtension3mf(space->second)) {
      return Error(absl::StrCat(
          "needs the extension ",
          Quoted(space == prefixes_.end() ? prefix
                                          : NameOfExtension3mf(space->second)),
          ", which Orbox does not read; write the file without it"));
    }
    requires_beams_ = requires_beams_ || space->second == kBeamSpace3mf;
    requires_slices_ = requires_slices_ || space->second == kSliceSpace3mf;
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> ModelReader::ReadIndex(const XmlAttributes& attributes,
                                                std::string_view name) const {
  const std::string_view text = attributes.Text(name);
  int64_t value = -1;
  TextScanner scan(text, {});
  if (scan.ReadInteger(value) != TextScanner::kRead || !scan.AtLineEnd() ||
      value < 0 || value > std::numeric_limits<int32_t>::max()) {
    return Error(absl::StrCat(std::string(name), " is ", Quoted(text),
                              " and no number from 0; correct it"));
  }
  return static_cast<uint32_t>(value);
}

absl::Status ModelReader::BeginObject(const XmlAttributes& attributes) {
  const absl::StatusOr<uint32_t> id = ReadIndex(attributes, "id");
  if (!id.ok()) return id.status();
  if (model_.objects.contains(*id)) {
    return Error(
        absl::StrCat("there are two objects ", *id, "; give one another id"));
  }
  if (attributes.Text(kResolution3mf) == "lowres") {
    if (requires_slices_) {
      return Error(
          absl::StrCat("object ", *id,
                       " is a stack of slices, and its mesh only a preview; "
                       "write it as a mesh"));
    }
    AddNote(source_, "meshes that are previews of stacks of slices",
            {"line", parser_->line()});
  }
  object_id_ = *id;
  object_ = {};
  object_.name = attributes.Text("name");
  for (const char* const key : {"partnumber", "type"}) {
    const std::string_view value = attributes.Text(key);
    if (!value.empty()) {
      object_.properties[key] = Printable(value.substr(0, kLongestShared));
    }
  }
  return absl::OkStatus();
}

absl::Status ModelReader::AddVertex(const XmlAttributes& attributes) {
  if (vertices_.size() == Mesh::kMaxVertices) {
    return Error("more vertices than a mesh can have; split the object");
  }
  constexpr const char* kAxes[] = {"x", "y", "z"};
  Vec3 vertex;
  for (size_t axis = 0; axis < 3; ++axis) {
    const std::string_view text = attributes.Text(kAxes[axis]);
    TextScanner scan(text, {.not_finite = source_.options.skip_invalid});
    if (scan.ReadDouble(vertex[axis]) != TextScanner::kRead ||
        !scan.AtLineEnd()) {
      return Error(absl::StrCat(kAxes[axis], " of vertex ", vertices_.size(),
                                " is ", Quoted(text),
                                " and no number in the range of double; "
                                "correct it"));
    }
  }
  vertices_.push_back(vertex);
  return absl::OkStatus();
}

absl::Status ModelReader::AddTriangle(const XmlAttributes& attributes) {
  if (triangles_.size() == Mesh::kMaxTriangles) {
    return Error(TooManyTriangles());
  }
  constexpr const char* kCorners[] = {"v1", "v2", "v3"};
  TriangleIndices triangle{};
  for (size_t i = 0; i < 3; ++i) {
    const absl::StatusOr<uint32_t> index = ReadIndex(attributes, kCorners[i]);
    if (!index.ok()) return index.status();
    if (*index >= vertices_.size()) {
      return Error(absl::StrCat("triangle ", triangles_.size(),
                                " names vertex ", *index, ", and there are ",
                                vertices_.size(), "; correct the index"));
    }
    triangle[i] = *index;
  }
  triangles_.push_back(triangle);
  return absl::OkStatus();
}

// Reads an object and its pose. The transform has twelve numbers: three rows of
// the rotation, then the translation. It applies to row vectors, so its rows
// are the columns of Pose.
absl::StatusOr<Placed3mf> ModelReader::ReadPlaced(
    const XmlAttributes& attributes) const {
  Placed3mf placed;
  const absl::StatusOr<uint32_t> object = ReadIndex(attributes, "objectid");
  if (!object.ok()) return object.status();
  placed.object = *object;
  placed.path = attributes.Text(kPath3mf);
  if (placed.path.empty() && current() == Element3mf::kComponent &&
      !model_.objects.contains(*object)) {
    return Error(absl::StrCat("a component names object ", *object,
                              ", which is not there yet; put it in front"));
  }
  const std::string_view part = attributes.Text("partnumber");
  if (!part.empty()) {
    placed.properties["partnumber"] = Printable(part.substr(0, kLongestShared));
  }
  const char* const transform = attributes.Find("transform");
  if (transform == nullptr) return placed;
  TextScanner scan(transform, {});
  for (size_t i = 0; i < 12; ++i) {
    double& number =
        i < 9 ? placed.pose.rows[i % 3][i / 3] : placed.pose.translation[i - 9];
    if (scan.ReadDouble(number) != TextScanner::kRead) {
      return Error("a transform is not 12 numbers; correct it");
    }
  }
  if (!scan.AtLineEnd()) {
    return Error("a transform is more than 12 numbers; correct it");
  }
  return placed;
}

absl::Status ModelReader::EndMesh() {
  std::vector<Vec3> vertices = std::exchange(vertices_, {});
  std::vector<TriangleIndices> triangles = std::exchange(triangles_, {});
  if (triangles.empty()) return absl::OkStatus();
  const absl::Status skipped = SkipInvalid(source_, vertices, triangles);
  if (!skipped.ok()) return Error(std::string(skipped.message()));
  absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  if (!mesh.ok()) return Error(std::string(mesh.status().message()));
  object_.mesh = *std::move(mesh);
  return absl::OkStatus();
}

void ModelReader::EndMetadata() {
  if (metadata_key_.empty()) return;
  // The metadata group belongs to the object or item that contains it.
  const bool is_item =
      open_.size() > 1 && open_[open_.size() - 2] == Element3mf::kItem;
  BodyProperties& properties =
      is_item ? model_.build.back().properties : object_.properties;
  size_t bytes = metadata_key_.size() + metadata_.size();
  for (const auto& [key, value] : properties)
    bytes += key.size() + value.size();
  if (bytes <= kMostSharedBytes)
    properties[metadata_key_] = Printable(metadata_);
}

}  // namespace

absl::StatusOr<Model3mf> ReadModel3mf(const MeshSource& source,
                                      const ZipArchive& zip,
                                      std::string_view path) {
  const auto error = [&](const std::string& what) {
    return ErrorInFile(source, absl::StrCat(Quoted(path), ": ", what));
  };
  const ZipArchive::File* const file = zip.Find(path);
  if (file == nullptr) {
    return error("is named, and not in the archive; is the file damaged?");
  }
  Model3mf model;
  ModelReader reader(source, model);
  XmlParser parser(reader);
  reader.Watch(parser);
  absl::Status failure;
  const absl::Status unpacked = zip.Unpack(*file, [&](std::string_view piece) {
    failure = parser.Feed(piece, /*is_last=*/false);
    return failure;
  });
  if (failure.ok() && !unpacked.ok()) return unpacked;
  if (failure.ok()) failure = parser.Feed({}, /*is_last=*/true);
  if (!failure.ok()) return error(std::string(failure.message()));
  if (!reader.has_model()) {
    return error("is no 3MF model of the core specification");
  }
  return model;
}

}  // namespace orbox::mesh_internal
