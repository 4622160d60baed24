// SPDX-License-Identifier: Apache-2.0

// No output of the command is one of its inputs, nor another output; names keep
// what they promise.
#include "tools/orbox/commands/named_files.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class NamedFilesTest : public OrboxCommandTest {
 protected:
  // Runs it, and expects that it is refused before anything has changed: the
  // message names both, and the folder is as it was.
  void ExpectRefused(const Words& words, const std::string& one,
                     const std::string& other) {
    SCOPED_TRACE(::testing::PrintToString(words));
    const auto before = Contents();
    EXPECT_THAT(ErrorOf(words, kUsage),
                AllOf(HasSubstr(one), HasSubstr(other)));
    EXPECT_EQ(Contents(), before);
  }

  std::vector<std::string> Contents() const {
    std::vector<std::string> names = folder_.Names();
    std::sort(names.begin(), names.end());
    for (std::string& name : names) {
      name += "=" + ScratchDirectory::Read(folder_.Path(name));
    }
    return names;
  }

  const std::string a_ = File("a.ply", meshes::Cube());
  const std::string b_ = File("b.ply", meshes::Cube());
};

TEST_F(NamedFilesTest, NoCommandWritesOverItsMeshes) {
  const std::string out = folder_.Path("out");
  ExpectRefused({"info", a_, "-o", a_}, "-o", "MESH");
  ExpectRefused({"build", a_, "-o", a_}, "-o", "MESH");
  ExpectRefused({"picture", a_, b_, "-o", b_}, "-o", "B");
  ExpectRefused({"range", a_, "--sphere", "0,0,0,1", "-o", a_}, "-o", "MESH");
  ExpectRefused({"clearance", a_, b_, "--report", a_}, "--report", "A");
  ExpectRefused({"clearance", a_, b_, "--ply", b_}, "--ply", "B");
  ExpectRefused({"clearance", a_, b_, "-o", b_}, "-o", "B");
  ExpectRefused({"hausdorff", a_, b_, "-o", a_}, "-o", "A");
  ExpectRefused({"self-intersect", a_, "-o", a_}, "-o", "MESH");
  ExpectRefused({"explain", "intersect", a_, b_, "-o", b_}, "-o", "B");
}

TEST_F(NamedFilesTest, NorOverTheFolderOfAMesh) {
  const std::string tree = folder_.Path("a.orboxd");
  ASSERT_EQ(Run({"build", a_, "-o", tree}).exit_code, 0);
  const std::string inner = tree + "/a.ply";
  std::filesystem::copy_file(a_, inner);
  ErrorOf({"build", inner, "-o", tree}, kUsage);
  EXPECT_EQ(ScratchDirectory::Read(inner), ScratchDirectory::Read(a_));
  std::filesystem::remove(inner);
  ErrorOf({"nearest", tree, "--point", "0,0,5", "-o", tree + "/manifest"},
          kUsage);
  EXPECT_EQ(Run({"nearest", tree, "--point", "0,0,5"}).exit_code, 0);
}

TEST_F(NamedFilesTest, NorOverQueriesAndPoses) {
  const std::string rows = folder_.Write("rows", "0,0,0,1\n");
  const std::string pose = folder_.Write("pose", "1,0,0,0,0,1,0,0,0,0,1,0\n");
  ExpectRefused({"range", a_, "--spheres", rows, "-o", rows}, "-o",
                "--spheres");
  ExpectRefused({"nearest", a_, "--points", rows, "-o", rows}, "-o",
                "--points");
  ExpectRefused({"ray", a_, "--rays", rows, "-o", rows}, "-o", "--rays");
  ExpectRefused({"intersect", a_, b_, "--pose", "@" + pose, "-o", pose}, "-o",
                "--pose");
}

TEST_F(NamedFilesTest, NorOverTheMeshesOfAScene) {
  const std::string scene = folder_.Write(
      "s.json", "{\"bodies\":[{\"mesh\":\"a.ply\"},{\"mesh\":\"b.ply\"}]}");
  const std::string motion =
      folder_.Write("motion", "0,0,1,0,0,0,0,1,0,0,0,0,1,0\n");
  std::filesystem::create_symlink("b.ply", folder_.Path("soft"));
  ExpectRefused({"clash", scene, "--report", folder_.Path("soft")}, "--report",
                "bodies[1].mesh");
  ExpectRefused({"clash", scene, "-o", scene}, "-o", "SCENE");
  ExpectRefused({"clash", scene, "--motion", motion, "-o", motion}, "-o",
                "--motion");
  std::filesystem::create_hard_link(a_, folder_.Path("page"));
  ExpectRefused({"clash", scene, "--report", folder_.Path("page")}, "--report",
                "bodies[0].mesh");
}

TEST_F(NamedFilesTest, LinksAndOtherSpellingsAreTheSameFile) {
  std::filesystem::create_symlink("a.ply", folder_.Path("soft"));
  std::filesystem::create_hard_link(a_, folder_.Path("hard"));
  for (const std::string& name :
       {folder_.Path("soft"), folder_.Path("hard"), folder_.Path("./a.ply")}) {
    ExpectRefused({"info", a_, "-o", name}, name, a_);
    ExpectRefused({"info", name, "-o", a_}, name, a_);
  }
}

TEST_F(NamedFilesTest, StandardInputAndOutputAreFilesToo) {
  const auto before = Contents();
  const std::string command =
      "'" ORBOX_COMMAND "' info - -o '" + a_ + "' < '" + a_ + "'";
  const ProcessResult in = RunProcess("/bin/sh", {"-c", command});
  EXPECT_EQ(in.exit_code, kUsage);
  EXPECT_THAT(in.err, HasSubstr("standard input"));
  const ProcessResult out = RunProcess(
      "/bin/sh",
      {"-c", "'" ORBOX_COMMAND "' info '" + a_ + "' >> '" + a_ + "'"});
  EXPECT_EQ(out.exit_code, kUsage);
  EXPECT_THAT(out.err, HasSubstr("standard output"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(NamedFilesTest, TwoOutputsAreTwoFiles) {
  const std::string x = folder_.Path("x");
  ExpectRefused({"clearance", a_, b_, "--ply", x, "--report", x}, "--ply",
                "--report");
  ExpectRefused(
      {"clearance", a_, b_, "--ply", folder_.Path("none/../x"), "-o", x},
      "--ply", "-o");
  folder_.Write("x", "old");
  std::filesystem::create_symlink("x", folder_.Path("y"));
  ExpectRefused({"clearance", a_, b_, "-o", folder_.Path("y"), "--report", x},
                "-o", "--report");
}

TEST_F(NamedFilesTest, WhatIsNoFileMayBeShared) {
  EXPECT_EQ(Run({"clearance", a_, b_, "--ply", "/dev/null", "--report",
                 "/dev/null", "--picture-size", "16x16", "-o", "/dev/null"})
                .exit_code,
            0);
  // One mesh twice is two inputs.
  EXPECT_EQ(Run({"intersect", a_, a_}).exit_code, 0);
}

TEST_F(NamedFilesTest, NamesKeepWhatTheyPromise) {
  const auto refused = [this](Words words, const std::string& name) {
    words.push_back(folder_.Path(name));
    SCOPED_TRACE(::testing::PrintToString(words));
    const std::string error = ErrorOf(words, kUsage);
    EXPECT_THAT(error,
                AllOf(HasSubstr(words[words.size() - 2]), HasSubstr(name)));
    EXPECT_THAT(folder_.Names(), Not(::testing::Contains(name)));
  };
  refused({"clearance", a_, b_, "--ply"}, "x.obj");
  refused({"clearance", a_, b_, "--ply"}, "x.STL");
  refused({"clearance", a_, b_, "--report"}, "x.pdf");
  refused({"clearance", a_, b_, "-o"}, "x.html");
  refused({"info", a_, "-o"}, "x.ply");
  refused({"build", a_, "-o"}, "x.stl");
  refused({"gen", "-o"}, "x.txt");
  refused({"help", "--man", "-o"}, "x.png");
  refused({"completion", "bash", "-o"}, "x.zip");
}

TEST_F(NamedFilesTest, OtherNamesArePeoplesOwn) {
  const auto written = [this](Words words, const std::string& name) {
    words.push_back(folder_.Path(name));
    SCOPED_TRACE(::testing::PrintToString(words));
    EXPECT_EQ(Run(words).exit_code, 0);
    EXPECT_THAT(folder_.Names(), ::testing::Contains(name));
  };
  written({"clearance", a_, b_, "--ply"}, "x.PLY");
  written({"clearance", a_, b_, "--ply"}, "version-1.2");
  written({"info", a_, "-o"}, "x.log");
  written({"info", a_, "--format", "json", "-o"}, "x.JSON");
  written({"info", a_, "--format", "csv", "-o"}, "x.txt");
  written({"help", "--man", "-o"}, "orbox.1");
  written({"build", a_, "-o"}, "x.tree");
}

}  // namespace
}  // namespace orbox::cli
