// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/io/read_bodies.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {
namespace {

// Sets the path of a file and, if given, the name of a body in it. Names of
// bodies may contain slashes.
void SetMesh(const std::string& path, SceneBody& body) {
  BodyPath parts = SplitBodyPath(path);
  body.path = std::filesystem::path(parts.file).lexically_normal().string();
  body.part = std::move(parts.body);
}

// Iterator that counts the characters read, because nlohmann's events do not
// contain a position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* count) : at_(at), count_(count) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const {
    return at_ == other.at_;
  }

 private:
  const char* at_;
  size_t* count_;
};

// Handler of the events of nlohmann::json::sax_parse. A handler returns false
// to end the parse.
class SceneReader {
 public:
  SceneReader(std::string_view bytes, std::string_view name,
              const std::string& folder, bool flatten)
      : bytes_(bytes), name_(name), folder_(folder), flatten_(flatten) {}

  absl::StatusOr<std::vector<SceneBody>> Read();
  // The places of the scene, after Read.
  ScenePlaces& places() { return places_; }

  bool null() { return Unexpected("null"); }
  bool boolean(bool value) {
    return inside_ == Inside::kPlaces ? AddPlaceValue(value)
           : inside_ == Inside::kProperties
               ? ReadProperty(value ? "true" : "false")
               : Unexpected("true or false");
  }
  bool number_integer(int64_t value) {
    return Number(static_cast<double>(value), std::to_string(value));
  }
  bool number_unsigned(uint64_t value) {
    return Number(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(double, const std::string& text);
  bool string(std::string& text);
  bool binary(std::vector<uint8_t>&) { return Unexpected("bytes"); }
  bool start_object(size_t);
  bool key(std::string& text);
  bool end_object();
  bool start_array(size_t);
  bool end_array();
  bool parse_error(size_t, const std::string&,
                   const nlohmann::json::exception& error);

 private:
  // The innermost element that has begun and not ended.
  enum class Inside {
    kNothing,
    kScene,
    kBodies,
    kBody,
    kPose,
    kPoseRow,
    kProperties,
    kPlaces
  };

  // Values of storeys and grids are collected as JSON, and read at their end.
  bool AddPlaceValue(nlohmann::json value);
  bool BeginPlaces(nlohmann::json empty);
  bool EndPlaces();

  bool Number(double value, const std::string& text);
  // Returns true if the text is printable. Otherwise sets the error.
  bool CheckShown(const std::string& text);
  bool ReadName(const std::string& text);
  bool ReadMesh(const std::string& text);
  bool ReadProperty(const std::string& text);
  bool KeyOfProperty(const std::string& text);
  bool EndPose();
  bool EndBody();

  std::string Place() const;
  std::string_view Wanted() const;
  bool Unexpected(std::string_view what) {
    return Fail(Cat("is ", what, "; give ", Wanted()));
  }
  // Sets the error, unless one is set already. Returns false.
  bool Fail(const std::string& what);
  bool FailAt(const std::string& place, const std::string& what);

  const std::string_view bytes_;
  const std::string_view name_;
  const std::filesystem::path folder_;
  const bool flatten_;
  size_t read_ = 0;

  Inside inside_ = Inside::kNothing;
  std::string key_;
  bool has_bodies_ = false;
  bool has_pose_ = false;
  bool has_properties_ = false;
  std::vector<double> pose_;
  size_t row_begin_ = 0;  // of a row of the pose
  std::vector<SceneBody> bodies_;
  ScenePlaces places_;
  nlohmann::json places_value_;
  std::vector<nlohmann::json*>
      open_places_;  // lists and objects, the inner last
  std::string places_key_;
  std::unordered_map<std::string, size_t> by_name_;
  absl::Status status_;
};

absl::StatusOr<std::vector<SceneBody>> SceneReader::Read() {
  // nlohmann stops at a zero byte, even if more text follows.
  read_ = std::min(bytes_.find('\0'), bytes_.size());
  if (read_ < bytes_.size()) {
    ++read_;
    FailAt("", "is no JSON: it has a zero byte in it");
    return status_;
  }
  read_ = 0;
  const char* const begin = bytes_.data();
  const bool is_json = nlohmann::json::sax_parse(
      CountingIterator(begin, &read_),
      CountingIterator(begin + bytes_.size(), &read_), this);
  if (!status_.ok()) return status_;
  if (!is_json || !has_bodies_) {
    return absl::InvalidArgumentError(
        Cat(name_, ": is no scene; give {\"bodies\": [...]}"));
  }
  return std::move(bodies_);
}

bool SceneReader::FailAt(const std::string& place, const std::string& what) {
  // The last character read may be the one after a number.
  const size_t end = read_ > 0 ? read_ - 1 : 0;
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + end, '\n');
  status_ = absl::InvalidArgumentError(
      Cat(name_, ":", line, ": ", place, place.empty() ? "" : ": ", what));
  return false;
}

bool SceneReader::Fail(const std::string& what) {
  return FailAt(Place(), what);
}

std::string SceneReader::Place() const {
  const std::string body =
      Cat("bodies[", bodies_.empty() ? 0 : bodies_.size() - 1, "]");
  switch (inside_) {
    case Inside::kNothing:
      return "the scene";
    case Inside::kScene:
      return key_;
    case Inside::kPlaces:
      return places_key_;
    case Inside::kBodies:
      return Cat("bodies[", bodies_.size(), "]");
    case Inside::kBody:
      return Cat(body, ".", key_);
    case Inside::kProperties:
      return Cat(body, ".properties.", Quoted(OnOneLine(key_)));
    case Inside::kPose:
    case Inside::kPoseRow:
      break;
  }
  return Cat(body, ".pose[", pose_.size(), "]");
}

std::string_view SceneReader::Wanted() const {
  switch (inside_) {
    case Inside::kNothing:
      return "an object, {\"bodies\": [...]}";
    case Inside::kScene:
      return key_ == "bodies" ? "an array of bodies" : "an array";
    case Inside::kPlaces:
      return "texts and numbers";
    case Inside::kBodies:
      return "an object with a mesh, and perhaps a name, a pose and properties";
    case Inside::kBody:
      return key_ == "pose"         ? "an array of 12 or 16 numbers"
             : key_ == "properties" ? "an object of texts and numbers"
                                    : "a string";
    case Inside::kProperties:
      return "a string, a number, true or false";
    case Inside::kPose:
    case Inside::kPoseRow:
      break;
  }
  return "a number";
}

bool SceneReader::AddPlaceValue(nlohmann::json value) {
  nlohmann::json& open = *open_places_.back();
  if (open.is_array()) {
    open.push_back(std::move(value));
  } else {
    open[key_] = std::move(value);
  }
  return true;
}

bool SceneReader::BeginPlaces(nlohmann::json empty) {
  constexpr size_t kDeepest = 3;  // a list of objects with lists
  if (open_places_.size() == kDeepest) return Unexpected("too deep");
  if (open_places_.empty()) {
    inside_ = Inside::kPlaces;
    places_key_ = key_;
    places_value_ = std::move(empty);
    open_places_.push_back(&places_value_);
    return true;
  }
  AddPlaceValue(std::move(empty));
  nlohmann::json& open = *open_places_.back();
  open_places_.push_back(open.is_array() ? &open.back() : &open[key_]);
  return true;
}

bool SceneReader::EndPlaces() {
  open_places_.pop_back();
  if (!open_places_.empty()) return true;
  inside_ = Inside::kScene;
  const std::string wrong = AddPlaces(places_key_, places_value_, places_);
  return wrong.empty() || FailAt("the scene", wrong);
}

bool SceneReader::number_float(double, const std::string& text) {
  if (inside_ == Inside::kProperties) return ReadProperty(text);
  const absl::StatusOr<double> value = ParseReal(text);
  if (!value.ok()) return Fail(std::string(value.status().message()));
  return Number(*value, text);
}

bool SceneReader::Number(double value, const std::string& text) {
  if (inside_ == Inside::kPlaces) return AddPlaceValue(value);
  if (inside_ == Inside::kProperties) return ReadProperty(text);
  if (inside_ != Inside::kPose && inside_ != Inside::kPoseRow) {
    return Unexpected("a number");
  }
  pose_.push_back(value);
  return true;
}

bool SceneReader::string(std::string& text) {
  if (inside_ == Inside::kPlaces) {
    return CheckShown(text) ? AddPlaceValue(text) : false;
  }
  if (inside_ == Inside::kProperties) return ReadProperty(text);
  if (inside_ != Inside::kBody || (key_ != "name" && key_ != "mesh")) {
    return Unexpected("a string");
  }
  return key_ == "name" ? ReadName(text) : ReadMesh(text);
}

bool SceneReader::CheckShown(const std::string& text) {
  // Control characters would corrupt lines of text and HTML pages.
  const bool has_controls =
      std::any_of(text.begin(), text.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (has_controls || text.find("\xef\xbf\xbe") != std::string::npos ||
      text.find("\xef\xbf\xbf") != std::string::npos) {
    return Fail(Cat(Quoted(OnOneLine(text)),
                    " has characters that cannot be shown; give others"));
  }
  return true;
}

bool SceneReader::ReadName(const std::string& text) {
  if (text.empty()) return Fail("is empty; give a name, or leave it out");
  if (!CheckShown(text)) return false;
  bodies_.back().name = text;
  return true;
}

bool SceneReader::ReadProperty(const std::string& text) {
  if (!CheckShown(text)) return false;
  bodies_.back().properties[key_] = text;
  return true;
}

bool SceneReader::ReadMesh(const std::string& text) {
  if (text.empty() || text == "-" || text.find('\0') != std::string::npos) {
    return Fail(Cat(Quoted(OnOneLine(text)), " is no name; name a mesh file"));
  }
  SceneBody& body = bodies_.back();
  body.mesh = text;
  SetMesh((folder_ / text).string(), body);
  return true;
}

bool SceneReader::start_object(size_t) {
  if (inside_ == Inside::kPlaces) return BeginPlaces(nlohmann::json::object());
  if (inside_ == Inside::kNothing) {
    inside_ = Inside::kScene;
    return true;
  }
  if (inside_ == Inside::kBody && key_ == "properties") {
    inside_ = Inside::kProperties;
    has_properties_ = true;
    return true;
  }
  if (inside_ != Inside::kBodies) return Unexpected("an object");
  inside_ = Inside::kBody;
  bodies_.emplace_back();
  has_pose_ = false;
  has_properties_ = false;
  return true;
}

bool SceneReader::KeyOfProperty(const std::string& text) {
  const std::string place = Cat("bodies[", bodies_.size() - 1, "].properties");
  if (text.empty()) return FailAt(place, "a key is empty; give it a name");
  key_ = text;
  if (bodies_.back().properties.count(text) > 0) {
    return FailAt(
        place, Cat(Quoted(OnOneLine(text)), " is given twice; give it once"));
  }
  return CheckShown(text);
}

bool SceneReader::key(std::string& text) {
  static constexpr std::array<std::string_view, 3> kOfScene = {
      "bodies", "storeys", "grid"};
  static constexpr std::array<std::string_view, 4> kOfBody = {
      "name", "mesh", "pose", "properties"};
  if (inside_ == Inside::kProperties) return KeyOfProperty(text);
  if (inside_ == Inside::kPlaces) {
    key_ = text;
    return true;
  }
  const bool in_scene = inside_ == Inside::kScene;
  std::string place;
  std::vector<std::string_view> known(kOfScene.begin(), kOfScene.end());
  if (!in_scene) {
    place = Cat("bodies[", bodies_.size() - 1, "]");
    known.assign(kOfBody.begin(), kOfBody.end());
  }
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    const std::string guess = DidYouMean(text, known);
    return FailAt(
        place, Cat("unknown key ", Quoted(OnOneLine(text)),
                   !guess.empty() ? guess
                   : in_scene     ? "; there are bodies, storeys and grid"
                              : "; there are name, mesh, pose and properties"));
  }
  const bool twice = (text == "bodies" && has_bodies_) ||
                     (text == "storeys" && !places_.storeys.empty()) ||
                     (text == "grid" && !places_.grid.empty()) ||
                     (text == "pose" && has_pose_) ||
                     (text == "properties" && has_properties_) ||
                     (text == "name" && !bodies_.back().name.empty()) ||
                     (text == "mesh" && !bodies_.back().mesh.empty());
  if (twice) {
    return FailAt(place, Cat(Quoted(text), " is given twice; give it once"));
  }
  key_ = text;
  return true;
}

bool SceneReader::start_array(size_t) {
  const bool has_places = inside_ == Inside::kScene && key_ != "bodies";
  if (has_places || inside_ == Inside::kPlaces) {
    return BeginPlaces(nlohmann::json::array());
  }
  if (inside_ == Inside::kScene) {
    inside_ = Inside::kBodies;
    has_bodies_ = true;
    return true;
  }
  if (inside_ == Inside::kPose) {
    inside_ = Inside::kPoseRow;
    row_begin_ = pose_.size();
    return true;
  }
  if (inside_ != Inside::kBody || key_ != "pose") {
    return Unexpected("an array");
  }
  inside_ = Inside::kPose;
  has_pose_ = true;
  pose_.clear();
  return true;
}

bool SceneReader::end_array() {
  if (inside_ == Inside::kPlaces) return EndPlaces();
  if (inside_ == Inside::kBodies) {
    inside_ = Inside::kScene;
    return !bodies_.empty() || Fail("is empty; give at least one body");
  }
  if (inside_ == Inside::kPose) return EndPose();
  inside_ = Inside::kPose;
  const size_t count = pose_.size() - row_begin_;
  return count == 4 || Fail(Cat("is after a row of ", Counted(count, "number"),
                                "; give 4 in each row"));
}

bool SceneReader::EndPose() {
  inside_ = Inside::kBody;
  const absl::StatusOr<std::vector<double>> row = PoseRowOf(std::move(pose_));
  if (!row.ok()) return Fail(std::string(row.status().message()));
  bodies_.back().pose = PoseOfRow(*row);
  const absl::Status regular =
      flatten_ ? absl::OkStatus() : CheckRegular(*row, "the body");
  return regular.ok() || Fail(std::string(regular.message()));
}

bool SceneReader::end_object() {
  if (inside_ == Inside::kPlaces) return EndPlaces();
  if (inside_ == Inside::kProperties) {
    inside_ = Inside::kBody;
    return true;
  }
  if (inside_ == Inside::kBody) return EndBody();
  inside_ = Inside::kNothing;
  return has_bodies_ ||
         FailAt("the scene", "has no bodies; give {\"bodies\": [...]}");
}

bool SceneReader::EndBody() {
  const size_t number = bodies_.size() - 1;
  const std::string place = Cat("bodies[", number, "]");
  SceneBody& body = bodies_.back();
  inside_ = Inside::kBodies;
  if (body.mesh.empty()) {
    return FailAt(place, "has no mesh; name a mesh file");
  }
  if (IsPattern(body) && body.name.empty()) return true;
  if (body.name.empty()) body.name = Cat(number);
  const auto [other, is_new] = by_name_.emplace(body.name, number);
  if (is_new) return true;
  return FailAt(place,
                Cat("its name, ", Quoted(body.name), ", is that of bodies[",
                    other->second, "] too; give it one of its own"));
}

bool SceneReader::parse_error(size_t, const std::string&,
                              const nlohmann::json::exception& error) {
  // Shortens messages such as "[json.exception.parse_error.101] parse error at
  // line 2, column 5: ..."
  constexpr size_t kLongest = 200;
  std::string_view what = error.what();
  what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  if (what.starts_with("parse error at ")) {
    what.remove_prefix(std::min(what.find(": ") + 2, what.size()));
  }
  return FailAt("", Cat("is no JSON: ", OnOneLine(what.substr(0, kLongest))));
}

}  // namespace

absl::StatusOr<std::vector<SceneBody>> ParseScene(std::string_view bytes,
                                                  std::string_view name,
                                                  const std::string& folder,
                                                  bool flatten,
                                                  ScenePlaces* places) {
  SceneReader reader(bytes, name, folder, flatten);
  absl::StatusOr<std::vector<SceneBody>> bodies = reader.Read();
  if (places != nullptr) *places = std::move(reader.places());
  return bodies;
}

}  // namespace orbox::cli
