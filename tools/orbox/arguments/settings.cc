// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/settings.h"

#include <algorithm>
#include <optional>
#include <span>

#include "tools/base/parallel.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// In the order of the enumerators.
constexpr std::string_view kFormats[] = {"text", "json", "csv"};
constexpr std::string_view kVolumes[] = {"mixed", "sphere", "aabb", "obb"};
constexpr std::string_view kQualities[] = {"fast", "balanced", "best"};
constexpr std::string_view kStorages[] = {"wide", "compact"};

// Far more threads than any machine needs. Each thread takes memory for a
// stack.
constexpr uint64_t kMostThreads = 1024;

std::vector<std::string_view> ListOf(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string_view> FormatChoices() { return ListOf(kFormats); }
std::vector<std::string_view> VolumesChoices() { return ListOf(kVolumes); }
std::vector<std::string_view> QualityChoices() { return ListOf(kQualities); }
std::vector<std::string_view> StorageChoices() { return ListOf(kStorages); }

std::string_view NameOf(Volumes volumes) {
  return kVolumes[static_cast<size_t>(volumes)];
}
std::string_view NameOf(Quality quality) {
  return kQualities[static_cast<size_t>(quality)];
}
std::string_view NameOf(Storage storage) {
  return kStorages[static_cast<size_t>(storage)];
}

absl::StatusOr<Settings> ReadSettings(const Arguments& arguments) {
  Settings settings;
  settings.command = arguments.command();
  settings.inputs.assign(arguments.operands().begin(),
                         arguments.operands().end());
  const absl::StatusOr<std::optional<uint64_t>> digits =
      arguments.Count("--digits", 1, kMostDigits);
  if (!digits.ok()) return digits.status();
  settings.style.digits = static_cast<int>(digits->value_or(kDefaultDigits));
  settings.style.unit = arguments.Value("--unit");
  if (settings.style.unit != OnOneLine(settings.style.unit)) {
    return UsageError(
        "--unit: the name has control characters; give a word, as mm");
  }
  const absl::StatusOr<size_t> format =
      arguments.Choice("--format", kFormats, 0);
  if (!format.ok()) return format.status();
  settings.format = static_cast<Format>(*format);

  const absl::StatusOr<size_t> volumes =
      arguments.Choice("--volumes", kVolumes, 0);
  if (!volumes.ok()) return volumes.status();
  settings.volumes = static_cast<Volumes>(*volumes);

  const absl::StatusOr<size_t> storage =
      arguments.Choice("--storage", kStorages, 0);
  if (!storage.ok()) return storage.status();
  settings.storage = static_cast<Storage>(*storage);

  const absl::StatusOr<size_t> quality = arguments.Choice(
      "--quality", kQualities, static_cast<size_t>(settings.quality));
  if (!quality.ok()) return quality.status();
  settings.quality = static_cast<Quality>(*quality);

  const absl::StatusOr<std::optional<uint64_t>> threads =
      arguments.Count("--threads", 1, kMostThreads);
  if (!threads.ok()) return threads.status();
  settings.threads = threads->value_or(tools::DefaultThreads());

  const absl::StatusOr<std::optional<uint64_t>> memory =
      arguments.Size("--memory");
  if (!memory.ok()) return memory.status();
  settings.memory = memory->value_or(settings.memory);

  settings.statistics = arguments.Has("--stats");
  const absl::StatusOr<std::optional<double>> weld =
      arguments.Real("--weld", 0);
  if (!weld.ok()) return weld.status();
  settings.weld = *weld;
  settings.skips_invalid = arguments.Has("--skip-invalid");
  settings.output = arguments.Value("-o", "-");
  if (settings.output.empty()) {
    return UsageError(
        "-o: the name is empty; give a file, or - for standard "
        "output");
  }
  return settings;
}

absl::Status CheckStandardInput(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") <= 1) {
    return absl::OkStatus();
  }
  return UsageError(
      "- is given twice, but standard input can be read once; name a file");
}

}  // namespace orbox::cli
