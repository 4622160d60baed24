#include "tools/orbox/poses.h"

#include <span>
#include <utility>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

absl::Status AnyNumbers(std::span<const double>) { return absl::OkStatus(); }

// Each coordinate of a moved vertex lies between those of the moved corners of
// the box, and rounding keeps that order: finite corners suffice.
bool KeepsBoxFinite(const Pose& pose, const Aabb& box) {
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{corner & 1 ? box.hi.x : box.lo.x,
                 corner & 2 ? box.hi.y : box.lo.y,
                 corner & 4 ? box.hi.z : box.lo.z};
    if (!IsFinite(pose.Apply(p))) return false;
  }
  return true;
}

}  // namespace

std::string PoseFileOf(const std::string& value) {
  return value.starts_with("@") ? value.substr(1) : "";
}

Pose PoseOfRow(std::span<const double> row) {
  Pose pose;
  for (size_t axis = 0; axis < 3; ++axis) {
    const std::span<const double> r = row.subspan(4 * axis, 4);
    pose.rows[axis] = {r[0], r[1], r[2]};
    pose.translation[axis] = r[3];
  }
  return pose;
}

absl::StatusOr<Poses> ReadPoses(const std::string& value) {
  Poses result;
  if (!value.starts_with("@")) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(value, kPoseColumns, AnyNumbers);
    if (!row.ok()) {
      return UsageError(Cat("--pose: ", std::string(row.status().message()),
                            ", or @FILE with one pose a row"));
    }
    result.poses.push_back(PoseOfRow(*row));
    return result;
  }
  absl::StatusOr<Rows> rows =
      ReadRows(PoseFileOf(value), kPoseColumns, AnyNumbers);
  if (!rows.ok()) return rows.status();
  result.poses.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    result.poses.push_back(PoseOfRow(rows->row(i)));
  }
  result.file = std::move(*rows);
  return result;
}

absl::Status CheckPose(const Pose& pose, const Tree& tree) {
  if (KeepsBoxFinite(pose, tree.mesh().bounds())) return absl::OkStatus();
  return PosedTree::Create(tree, pose).status();
}

absl::Status CheckPoses(const Poses& poses, const Tree& tree) {
  for (size_t i = 0; i < poses.poses.size(); ++i) {
    const absl::Status status = CheckPose(poses.poses[i], tree);
    if (status.ok()) continue;
    const std::string why(status.message());
    if (!poses.is_list()) return UsageError(Cat("--pose: ", why));
    return absl::Status(status.code(), Cat(poses.file->Place(i), ": ", why));
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
