// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_compare.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

#include "orbox/bvh/base/internal/file_io.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using report::ResolvedClash;

// Returns the text of a key, or nothing if there is none.
std::optional<std::string> TextAt(const nlohmann::json& object,
                                  const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool IsNameOfKindToLookAt(const std::string& kind) {
  for (const ClashKind known : report::KindCounts::kKinds) {
    if (kind == report::KindNameOf(known)) return report::IsToLookAt(known);
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<ResolvedClash>> ReadLastRun(
    const std::string& path) {
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  const auto error = [&path](const std::string& what) {
    return absl::InvalidArgumentError(
        Cat(NameOfInput(path), ": ", what,
            "; give what 'orbox clash --format json' wrote"));
  };
  const nlohmann::json run =
      nlohmann::json::parse(bytes->view().begin(), bytes->view().end(), nullptr,
                            /*allow_exceptions=*/false);
  if (run.is_discarded()) return error("is no JSON");
  if (TextAt(run, "command") != "clash" || !run.contains("clashes") ||
      !run["clashes"].is_array()) {
    return error("is no answer of orbox clash");
  }
  std::vector<ResolvedClash> clashes;
  for (const nlohmann::json& clash : run["clashes"]) {
    const auto id = TextAt(clash, "id"), kind = TextAt(clash, "kind");
    const auto a = TextAt(clash, "a_name"), b = TextAt(clash, "b_name");
    if (!id || !kind || !a || !b) {
      return error(Cat("clashes[", clashes.size(),
                       "] lacks one of id, kind, a_name, b_name"));
    }
    if (IsNameOfKindToLookAt(*kind)) clashes.push_back({*id, *a, *b, *kind});
  }
  return clashes;
}

}  // namespace orbox::cli
