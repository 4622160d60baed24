// SPDX-License-Identifier: Apache-2.0

// The table of commands. A file of its own, so that tests can link another one.

#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

constexpr const Command* kCommands[] = {
    &kInfoCommand,      &kRangeCommand,         &kNearestCommand,
    &kRayCommand,       &kIntersectCommand,     &kClearanceCommand,
    &kHausdorffCommand, &kSelfIntersectCommand, &kClashCommand,
    &kBuildCommand,     &kSplitCommand,         &kExplainCommand,
    &kPictureCommand,   &kGenCommand,           &kCompletionCommand,
    &kHelpCommand,
};

}  // namespace

std::span<const Command* const> Commands() { return kCommands; }

}  // namespace orbox::cli
