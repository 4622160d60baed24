// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/clash.h"

#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

std::string_view NameOf(ClashKind kind) {
  switch (kind) {
    case ClashKind::kApart:
      return "apart";
    case ClashKind::kClearance:
      return "clearance";
    case ClashKind::kTouch:
      return "touch";
    case ClashKind::kCrossing:
      return "crossing";
    case ClashKind::kFirstInside:
      return "first inside";
    case ClashKind::kSecondInside:
      return "second inside";
    case ClashKind::kDuplicate:
      return "duplicate";
    case ClashKind::kClash:
      return "clash";
  }
  return "";
}

bool IsClash(ClashKind kind) { return kind >= ClashKind::kCrossing; }

namespace {

Clash FindClash(const PosedTree& a, const PosedTree& b,
                const ClashOptions& options, const Execution& run) {
  return ClashOfSolids(Solid(a, options.inside, options.close_holes),
                       Solid(b, options.inside, options.close_holes), options,
                       run);
}

}  // namespace

Clash ClashOf(const PosedTree& a, const PosedTree& b,
              const ClashOptions& options) {
  return FindClash(a, b, options, Execution(RunOptions()));
}

absl::StatusOr<Clash> ClashOf(const PosedTree& a, const PosedTree& b,
                              const ClashOptions& options,
                              const RunOptions& run) {
  return WithRunOptions(run, [&](const Execution& execution) {
    return FindClash(a, b, options, execution);
  });
}

}  // namespace orbox
