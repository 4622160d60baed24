// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_motion.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kWanted =
    "rows of frame,body and 12 numbers, [R | t]";

struct MotionRow {
  std::string_view frame;
  std::string_view body;
  std::string_view pose;
};

// Splits a row. The name is everything between the frame number and the last
// twelve numbers, because it may contain commas. Returns nothing if there are
// too few parts.
std::optional<MotionRow> SplitRow(std::string_view line) {
  size_t pose = line.size();
  for (int i = 0; i < 12; ++i) {
    if (pose == 0) return std::nullopt;
    pose = line.rfind(',', pose - 1);
    if (pose == std::string_view::npos) return std::nullopt;
  }
  const size_t frame = line.find(',');
  if (frame >= pose) return std::nullopt;
  return MotionRow{.frame = line.substr(0, frame),
                   .body = TrimSpaces(line.substr(frame + 1, pose - frame - 1)),
                   .pose = line.substr(pose + 1)};
}

class MotionReader {
 public:
  MotionReader(std::string name, std::span<const SceneBody> bodies,
               bool flatten)
      : bodies_(bodies), flatten_(flatten), frame_of_body_(bodies.size()) {
    motion_.name = std::move(name);
    for (size_t i = 0; i < bodies.size(); ++i) by_name_[bodies[i].name] = i;
  }

  absl::Status AddRow(const Line& line);
  absl::StatusOr<Motion> Finish();

 private:
  absl::StatusOr<size_t> BodyNamed(std::string_view name) const;

  const std::span<const SceneBody> bodies_;
  const bool flatten_;
  std::unordered_map<std::string_view, size_t> by_name_;
  std::vector<std::optional<uint64_t>> frame_of_body_;  // its last frame
  Motion motion_;
  bool header_possible_ = true;
};

absl::StatusOr<size_t> MotionReader::BodyNamed(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return found->second;
  const absl::StatusOr<uint64_t> number =
      ParseCount(name, 0, bodies_.size() - 1);
  if (number.ok()) return *number;
  // Limits the number of names, because a suggestion compares all of them.
  std::vector<std::string_view> names;
  for (size_t i = 0; i < std::min<size_t>(bodies_.size(), 1000); ++i) {
    names.push_back(bodies_[i].name);
  }
  const std::string guess = DidYouMean(name, names);
  return absl::InvalidArgumentError(
      Cat("there is no body ", Quoted(name),
          !guess.empty()
              ? guess
              : Cat("; give a name of the scene's, or a number from 0 to ",
                    bodies_.size() - 1)));
}

absl::Status MotionReader::AddRow(const Line& line) {
  if (std::exchange(header_possible_, false) && IsHeader(line.text)) {
    return absl::OkStatus();
  }
  const std::optional<MotionRow> row = SplitRow(line.text);
  if (!row.has_value()) {
    return absl::InvalidArgumentError(Cat("found ",
                                          SplitAtCommas(line.text).size(),
                                          " of 14 parts; give ", kWanted));
  }
  const absl::StatusOr<uint64_t> frame =
      ParseCount(row->frame, 0, kLargestFrame);
  if (!frame.ok()) {
    return absl::InvalidArgumentError(
        Cat("the frame: ", std::string(frame.status().message())));
  }
  const absl::StatusOr<size_t> body = BodyNamed(row->body);
  if (!body.ok()) return body.status();
  const absl::StatusOr<std::vector<double>> numbers = ParseReals(row->pose, 12);
  if (!numbers.ok()) {
    return absl::InvalidArgumentError(
        Cat(std::string(numbers.status().message()), "; give ", kWanted));
  }
  const absl::Status regular =
      flatten_ ? absl::OkStatus() : CheckRegular(*numbers, "the body");
  if (!regular.ok()) return regular;
  std::vector<MotionFrame>& frames = motion_.frames;
  if (!frames.empty() && *frame < frames.back().number) {
    return absl::InvalidArgumentError(Cat("frame ", *frame, " after frame ",
                                          frames.back().number,
                                          "; sort the rows by frame"));
  }
  if (frame_of_body_[*body] == *frame) {
    return absl::InvalidArgumentError(Cat("body ", Quoted(bodies_[*body].name),
                                          " is given twice in frame ", *frame,
                                          "; give it once"));
  }
  frame_of_body_[*body] = *frame;
  if (frames.empty() || frames.back().number != *frame) {
    frames.push_back({.number = *frame, .steps = {}});
  }
  frames.back().steps.push_back(
      {.body = *body, .pose = PoseOfRow(*numbers), .line = line.number});
  return absl::OkStatus();
}

absl::StatusOr<Motion> MotionReader::Finish() {
  if (motion_.frames.empty()) {
    return absl::InvalidArgumentError(
        Cat(motion_.name, ": there are no rows in it; give ", kWanted));
  }
  return std::move(motion_);
}

}  // namespace

absl::StatusOr<Motion> ReadMotion(const std::string& path,
                                  std::span<const SceneBody> bodies,
                                  bool flatten) {
  MotionReader reader(NameOfInput(path), bodies, flatten);
  const absl::Status status =
      VisitLines(path, kWanted,
                 [&reader](const Line& line) { return reader.AddRow(line); });
  if (!status.ok()) return status;
  return reader.Finish();
}

}  // namespace orbox::cli
