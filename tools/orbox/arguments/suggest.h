// SPDX-License-Identifier: Apache-2.0

// Suggests a known name for a misspelled one.
//
//   Suggest("clearence", {"clearance", "info"})   // "clearance"
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_SUGGEST_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_SUGGEST_H_

#include <span>
#include <string>
#include <string_view>

namespace orbox::cli {

// Returns the known name with the fewest edits (insert, delete, replace, swap
// neighbours), and the first one among ties. Returns an empty name if more than
// a third of the letters would change.
std::string_view Suggest(std::string_view typed,
                         std::span<const std::string_view> known);

// Returns "; did you mean 'clearance'?", or an empty text.
std::string DidYouMean(std::string_view typed,
                       std::span<const std::string_view> known);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_SUGGEST_H_
