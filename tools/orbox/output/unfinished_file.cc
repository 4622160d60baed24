// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/unfinished_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

// Number of files that may be unfinished at a time. Their names are in an
// array, because a signal handler may not allocate. A command writes its files
// one after the other.
constexpr int kSlots = 8;
constexpr size_t kLongestName = 4096;  // of most systems

struct NameSlot {
  std::atomic<bool> is_used = false;
  std::atomic<bool> filled = false;  // set while the handler may read the name
  std::array<char, kLongestName> name = {};
};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler reads them");

std::array<NameSlot, kSlots> slots;

// Stores a name. Returns its index, or -1 if no slot is free.
int Remember(const std::string& name) {
  if (name.size() >= kLongestName) return -1;
  for (int i = 0; i < kSlots; ++i) {
    if (slots[i].is_used.exchange(true)) continue;
    std::memcpy(slots[i].name.data(), name.c_str(), name.size() + 1);
    slots[i].filled = true;
    return i;
  }
  return -1;
}

void Forget(int slot) {
  if (slot < 0) return;
  slots[slot].filled = false;
  slots[slot].is_used = false;
}

// May be called by a signal handler.
void RemoveUnfinished() {
  for (const NameSlot& slot : slots) {
    if (slot.filled) os::Remove(slot.name.data());
  }
  EraseProgressAtSignal();
}

absl::Status CannotWrite(std::string_view what, const std::string& path) {
  return absl::UnavailableError(
      Cat("cannot ", what, " ", path, ": ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<UnfinishedFile> UnfinishedFile::Create(const std::string& path) {
  UnfinishedFile file;
  file.path_ = path;
  file.target_ = os::FollowLinks(path);
  const std::optional<os::FileFacts> old = os::FactsOf(file.target_);
  const int permissions =
      old.has_value() ? old->permissions : os::kUsualPermissions;
  std::string temporary;
  {
    const os::EndHeldBack held;
    file.descriptor_ = os::CreateBeside(file.target_, permissions, temporary);
    if (file.descriptor_ < 0) return CannotWrite("write", path);
    file.temporary_ = std::move(temporary);
    file.slot_ = Remember(file.temporary_);
  }
  if (old.has_value() && !os::SetPermissions(file.descriptor_, permissions)) {
    return CannotWrite("set the permissions of", path);
  }
  return file;
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) os::Close(descriptor_);
  if (!temporary_.empty()) os::Remove(temporary_.c_str());
  Forget(slot_);
}

absl::Status UnfinishedFile::Finish() {
  if (!os::Sync(descriptor_)) return CannotWrite("write", path_);
  if (!os::Close(std::exchange(descriptor_, -1))) {
    return CannotWrite("write", path_);
  }
  if (!os::Rename(temporary_, target_)) {
    return CannotWrite("rename the finished file to", path_);
  }
  temporary_.clear();
  Forget(std::exchange(slot_, -1));
  os::SyncFolder(os::FolderOf(target_));
  return absl::OkStatus();
}

void RemoveUnfinishedFilesAtEnd() { os::CleanBeforeEnd(RemoveUnfinished); }

}  // namespace orbox::cli
