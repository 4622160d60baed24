#include "tools/orbox/poses.h"

#include <span>
#include <utility>

#include "orbox/bvh/query/posed_tree.h"
#include "orbox/overlap/shapes.h"
#include "orbox/overlap/vec3.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kColumns =
    "r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz";

absl::Status AnyNumbers(std::span<const double>) { return absl::OkStatus(); }

Pose PoseOf(std::span<const double> row) {
  Pose pose;
  for (size_t axis = 0; axis < 3; ++axis) {
    const std::span<const double> r = row.subspan(4 * axis, 4);
    pose.rows[axis] = {r[0], r[1], r[2]};
    pose.translation[axis] = r[3];
  }
  return pose;
}

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

absl::StatusOr<Poses> ReadPoses(const std::string& value) {
  Poses result;
  if (!value.starts_with("@")) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(value, kColumns, AnyNumbers);
    if (!row.ok()) {
      return UsageError(Cat("--pose: ", std::string(row.status().message()),
                            ", or @FILE with one pose a row"));
    }
    result.poses.push_back(PoseOf(*row));
    return result;
  }
  absl::StatusOr<Rows> rows = ReadRows(PoseFileOf(value), kColumns, AnyNumbers);
  if (!rows.ok()) return rows.status();
  result.poses.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    result.poses.push_back(PoseOf(rows->row(i)));
  }
  result.file = std::move(*rows);
  return result;
}

absl::Status CheckPoses(const Poses& poses, const Tree& tree) {
  for (size_t i = 0; i < poses.poses.size(); ++i) {
    const Pose& pose = poses.poses[i];
    if (KeepsBoxFinite(pose, tree.mesh().bounds())) continue;
    const absl::StatusOr<PosedTree> posed = PosedTree::Create(tree, pose);
    if (posed.ok()) continue;
    const std::string why(posed.status().message());
    if (!poses.is_list()) return UsageError(Cat("--pose: ", why));
    return absl::Status(posed.status().code(),
                        Cat(poses.file->Place(i), ": ", why));
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
