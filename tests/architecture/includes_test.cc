// SPDX-License-Identifier: Apache-2.0

// Holds every include of the libraries and of the tools to the arrows of
// ARCHITECTURE.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace orbox {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

using source_tree::Lines;
using source_tree::OursOf;
using source_tree::Sources;

struct Room {
  std::string name;
  std::set<std::string> may_include;
};

// The words in backticks.
std::vector<std::string> Quoted(const std::string& text) {
  static const std::regex kWord("`([^`]+)`");
  std::vector<std::string> words;
  for (std::sregex_iterator i(text.begin(), text.end(), kWord), end; i != end;
       ++i) {
    words.push_back((*i)[1]);
  }
  return words;
}

// The rows of the tables under "## Rooms", in their order. "overlap" stands for
// all rooms of that library, "the core" for all rows down to that of `bvh`, and
// "everything above" for all rows so far.
std::vector<Room> Rooms() {
  std::vector<Room> rooms;
  size_t core = 0;
  bool inside = false;
  for (const std::string& line : Lines("ARCHITECTURE.md")) {
    if (line.starts_with("## ")) inside = line == "## Rooms";
    if (inside && line.starts_with("| folder")) break;
    if (!inside || !line.starts_with("| `")) continue;
    const size_t last = line.rfind("| ", line.size() - 2);
    Room room{.name = Quoted(line).front(), .may_include = {}};
    const std::string column = line.substr(last);
    for (const std::string& name : Quoted(column)) {
      for (const Room& above : rooms) {
        if (above.name == name || above.name.starts_with(name + "/")) {
          room.may_include.insert(above.name);
        }
      }
      EXPECT_FALSE(room.may_include.empty())
          << room.name << " lists " << name << ", which is not above it";
    }
    if (column.find("everything above") != std::string::npos) {
      for (const Room& above : rooms) room.may_include.insert(above.name);
    }
    if (column.find("the core") != std::string::npos) {
      EXPECT_GT(core, 0U) << room.name << " is above the core's last room";
      for (size_t i = 0; i < core; ++i) room.may_include.insert(rooms[i].name);
    }
    // Rooms of one row may include those before them, too.
    for (const std::string& name : Quoted(line.substr(0, line.find("| ", 2)))) {
      room.name = name;
      rooms.push_back(room);
      room.may_include.insert(name);
    }
    if (room.name == "bvh") core = rooms.size();
  }
  EXPECT_GT(core, 0U);
  return rooms;
}

// The room of a file: its folder, without a last "internal". A file without a
// folder is a room of its own.
std::string RoomOf(const fs::path& path) {
  if (!path.has_parent_path()) return path.string();
  const fs::path folder = path.parent_path();
  return folder.filename() == "internal" ? folder.parent_path().string()
                                         : folder.string();
}

bool IsPrivate(const fs::path& path) {
  return std::find(path.begin(), path.end(), "internal") != path.end();
}

std::vector<std::string> IncludesOf(const fs::path& path) {
  std::vector<std::string> includes;
  for (const std::string& line : Lines(path)) {
    const std::string include = source_tree::IncludeOf(line);
    if (!include.empty()) includes.push_back(include);
  }
  return includes;
}

std::string Arrow(const fs::path& from, const std::string& include) {
  return from.string() + " includes " + include;
}

TEST(IncludesTest, EveryRoomOfTheTreeHasARowAndEveryRowARoom) {
  std::set<std::string> described;
  for (const Room& room : Rooms()) {
    EXPECT_TRUE(described.insert(room.name).second) << room.name << " twice";
  }
  std::set<std::string> there;
  for (const fs::path& path : Sources()) there.insert(RoomOf(path));
  EXPECT_EQ(described, there);
}

TEST(IncludesTest, FollowTheArrowsOfTheTable) {
  std::map<std::string, Room> rooms;
  for (const Room& room : Rooms()) rooms[room.name] = room;
  std::vector<std::string> wrong;
  size_t arrows = 0;
  for (const fs::path& path : Sources()) {
    const Room& room = rooms[RoomOf(path)];
    for (const std::string& include : IncludesOf(path)) {
      const fs::path target = OursOf(include);
      if (target.empty()) continue;
      ++arrows;
      const std::string to = RoomOf(target);
      if (to != room.name && !room.may_include.contains(to)) {
        wrong.push_back(Arrow(path, include));
      }
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_GT(arrows, 1000U);
}

TEST(IncludesTest, PublicHeadersIncludePublicHeadersAndNeitherBoostNorHighway) {
  std::vector<std::string> wrong;
  for (const fs::path& path : Sources()) {
    if (path.extension() != ".h" || IsPrivate(path)) continue;
    const bool for_boost = path.string().starts_with("bvh/boost_geometry");
    for (const std::string& include : IncludesOf(path)) {
      if (IsPrivate(OursOf(include)) || include.starts_with("hwy/") ||
          (include.starts_with("boost/") && !for_boost)) {
        wrong.push_back(Arrow(path, include));
      }
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// Pictures and reports are made of what others may use too.
TEST(IncludesTest, LibrariesBesideTheCommandsIncludePublicHeadersOfOtherRooms) {
  std::vector<std::string> wrong;
  size_t checked = 0;
  for (const fs::path& path : Sources()) {
    const std::string room = RoomOf(path);
    if (!room.starts_with("tools/") ||
        path.string().starts_with("tools/orbox")) {
      continue;
    }
    for (const std::string& include : IncludesOf(path)) {
      const fs::path target = OursOf(include);
      if (target.empty() || RoomOf(target) == room) continue;
      ++checked;
      if (IsPrivate(target)) wrong.push_back(Arrow(path, include));
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_GT(checked, 50U);
}

// Returns true if a header includes language.h, which reports what its
// compilation requires, before headers of others that may not compile.
bool ReachesLanguage(const fs::path& path, std::map<std::string, bool>& known) {
  if (path == "overlap/base/language.h") return true;
  const auto [at, is_new] = known.try_emplace(path.string(), false);
  if (!is_new) return at->second;
  for (const std::string& include : IncludesOf(path)) {
    const fs::path target = OursOf(include);
    if (!target.empty() && ReachesLanguage(target, known)) {
      return known[path.string()] = true;
    }
  }
  return false;
}

TEST(IncludesTest, AllPublicHeadersSayWhichLanguageTheyNeed) {
  std::map<std::string, bool> known;
  for (const fs::path& path : Sources()) {
    if (path.extension() != ".h" || IsPrivate(path)) continue;
    if (path.string().starts_with("tools/")) continue;
    EXPECT_TRUE(ReachesLanguage(path, known)) << path;
  }
}

TEST(IncludesTest, WhatIsCompiledOncePerInstructionSetIsPrivate) {
  for (const fs::path& path : Sources()) {
    if (path.filename().string().ends_with("-inl.h")) {
      EXPECT_TRUE(IsPrivate(path)) << path;
    }
  }
}

// The examples and the guide show the public interface.
TEST(IncludesTest, ExamplesAndTheGuideIncludePublicHeadersOnly) {
  size_t programs = 0;
  for (const char* folder : {"tests/examples", "tests/docs", "tests/package"}) {
    for (const fs::path& path : Sources({folder})) {
      ++programs;
      for (const std::string& include : IncludesOf(path)) {
        EXPECT_FALSE(IsPrivate(OursOf(include))) << Arrow(path, include);
      }
    }
  }
  EXPECT_GT(programs, 10U);
}

}  // namespace
}  // namespace orbox
