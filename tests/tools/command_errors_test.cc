// SPDX-License-Identifier: Apache-2.0

// Messages and exit codes of the orbox command for errors.

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/process.h"
#include "tests/support/sanitized.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kLook = 1;

class CommandErrorsTest : public OrboxCommandTest {
 protected:
  const std::string cube_ = File("cube.ply", meshes::Cube());
  const std::string far_ = File("far.ply", meshes::Cube({5, 0, 0}));
};

TEST_F(CommandErrorsTest, NegativeAnswersCountOnlyWhereRequested) {
  EXPECT_EQ(Run({"intersect", cube_, far_}).exit_code, 0);
  EXPECT_EQ(Run({"intersect", cube_, cube_, "--exit-code"}).exit_code, kLook);
  EXPECT_EQ(Run({"intersect", cube_, far_, "--exit-code"}).exit_code, 0);
  for (const std::string& other : {cube_, far_}) {
    const bool meets = other == cube_;
    EXPECT_EQ(Run({"intersect", cube_, other, "--expect", "meet"}).exit_code,
              meets ? 0 : kLook);
    EXPECT_EQ(Run({"intersect", cube_, other, "--expect", "apart"}).exit_code,
              meets ? kLook : 0);
  }
  ErrorOf({"intersect", cube_, far_, "--expect", "maybe"}, kUsage);
  ErrorOf({"intersect", cube_, far_, "--expect", "meet", "--exit-code"},
          kUsage);

  EXPECT_EQ(Run({"clearance", cube_, cube_}).exit_code, 0);
  // A mesh inside the solid of another one meets it.
  const std::string inner =
      File("inner.ply", meshes::Cube({0.25, 0.25, 0.25}, 0.5));
  for (const char* command : {"intersect", "clearance"}) {
    for (const char* format : {"text", "json", "csv"}) {
      EXPECT_EQ(Run({command, cube_, inner, "--exit-code", "--format", format})
                    .exit_code,
                kLook);
      EXPECT_EQ(Run({command, inner, cube_, "--exit-code", "--format", format})
                    .exit_code,
                kLook);
    }
  }
  EXPECT_EQ(Run({"intersect", cube_, inner, "--expect", "meet"}).exit_code, 0);
  EXPECT_EQ(Run({"clearance", cube_, inner, "--within", "0.1", "--exit-code"})
                .exit_code,
            kLook);
  // Deep in two boxes of one mesh: outside by parity.
  const std::string boxes = File(
      "boxes.ply", meshes::Joined(meshes::Cube(), meshes::Cube({0.5, 0, 0})));
  const std::string probe =
      File("probe.ply", meshes::Cube({0.7, 0.4, 0.4}, 0.1));
  for (const char* command : {"intersect", "clearance"}) {
    EXPECT_EQ(Run({command, boxes, probe, "--exit-code"}).exit_code, kLook);
    EXPECT_EQ(Run({command, boxes, probe, "--exit-code", "--inside", "parity"})
                  .exit_code,
              0);
  }
  EXPECT_EQ(Run({"clearance", cube_, cube_, "--exit-code"}).exit_code, kLook);
  EXPECT_EQ(Run({"clearance", cube_, far_, "--exit-code"}).exit_code, 0);
  // The gap is 4.
  EXPECT_EQ(
      Run({"clearance", cube_, far_, "--within", "4", "--exit-code"}).exit_code,
      kLook);
  EXPECT_EQ(Run({"clearance", cube_, far_, "--within", "3.9", "--exit-code"})
                .exit_code,
            0);
}

TEST_F(CommandErrorsTest, AListOfPosesHasOneExitCode) {
  const std::string poses = "@" + folder_.Write("p.csv",
                                                "1,0,0,0,0,1,0,0,0,0,1,0\n"
                                                "1,0,0,4,0,1,0,0,0,0,1,0\n");
  const std::string apart =
      "@" + folder_.Write("q.csv", "1,0,0,0,0,1,0,0,0,0,1,0\n");
  EXPECT_EQ(
      Run({"intersect", cube_, far_, "--pose", poses, "--exit-code"}).exit_code,
      kLook);
  EXPECT_EQ(
      Run({"intersect", cube_, far_, "--pose", apart, "--exit-code"}).exit_code,
      0);
  EXPECT_EQ(Run({"intersect", cube_, far_, "--pose", poses, "--expect", "meet"})
                .exit_code,
            kLook);
  EXPECT_EQ(
      Run({"clearance", cube_, far_, "--pose", poses, "--exit-code"}).exit_code,
      kLook);
  EXPECT_EQ(
      Run({"clearance", cube_, far_, "--pose", apart, "--exit-code"}).exit_code,
      0);
}

TEST_F(CommandErrorsTest, MistypedNamesAreSuggested) {
  EXPECT_THAT(ErrorOf({"intersct", cube_, cube_}, kUsage),
              HasSubstr("did you mean 'intersect'?"));
  EXPECT_THAT(ErrorOf({"clearance", cube_, cube_, "--witin", "1"}, kUsage),
              AllOf(HasSubstr("clearance: unknown option '--witin'"),
                    HasSubstr("did you mean '--within'?"),
                    HasSubstr("orbox clearance --help")));
  EXPECT_THAT(ErrorOf({"gen", "--shape", "torus_nkot", "-o", "x.ply"}, kUsage),
              HasSubstr("did you mean 'torus_knot'?"));
  EXPECT_THAT(ErrorOf({"xyzzy"}, kUsage), HasSubstr("orbox --help"));
}

TEST_F(CommandErrorsTest, CommandLinesThatMakeNoSense) {
  const std::vector<Words> commands = {
      {},
      {""},
      {"--format", "json"},
      {"info"},
      {"info", cube_, cube_},
      {"info", cube_, "--format"},
      {"info", cube_, "--format", "xml"},
      {"info", cube_, "--volumes", "capsule"},
      {"info", cube_, "--storage", "small"},
      {"info", cube_, "--threads", "0"},
      {"info", cube_, "--threads", "many"},
      {"info", cube_, "--threads", "-1"},
      {"info", cube_, "--seed", "1"},
      {"info", cube_, "--stats=yes"},
      {"info", cube_, "-o", ""},
      {"range", cube_},
      {"range", cube_, "--sphere", "0,0,0"},
      {"range", cube_, "--sphere", "0,0,0,1,2"},
      {"range", cube_, "--sphere", "0,0,0,-1"},
      {"range", cube_, "--sphere", "0,0,0,nan"},
      {"range", cube_, "--sphere", "0,0,zero,1"},
      {"range", cube_, "--box", "0,0,0,1,1,-1"},
      {"range", cube_, "--sphere", "0,0,0,1", "--box", "0,0,0,1,1,1"},
      {"range", "-", "--spheres", "-"},
      {"range", "-", "--half-spaces", "-"},
      {"range", cube_, "--half-spaces", "-", "--half-spaces", "-"},
      {"nearest", cube_},
      {"nearest", cube_, "--point", "0,0"},
      {"nearest", cube_, "--point", "0,0,0", "--k", "0"},
      {"nearest", cube_, "--point", "0,0,0", "--k", "1.5"},
      {"nearest", cube_, "--point", "0,0,0", "--max-distance", "-1"},
      {"nearest", cube_, "--point", "0,0,0", "--max-distance", "inf"},
      {"nearest", cube_, "--point", "0,0,0", "--points", "p.csv"},
      {"intersect", cube_},
      {"intersect", "-", "-"},
      {"intersect", cube_, "-", "--pose", "@-"},
      {"intersect", cube_, cube_, "--pose", "a,b,c,d,e,f,g,h,i,j,k,l"},
      {"intersect", cube_, cube_, "--pose", "1,0,0"},
      {"intersect", cube_, cube_, "--pose", ""},
      {"intersect", cube_, cube_, "--pose", "1,0,0,nan,0,1,0,0,0,0,1,0"},
      {"clearance", cube_, cube_, "--within", "-0.5"},
      {"clearance", cube_, cube_, "--within", "close"},
      {"clearance", cube_, cube_, "--within", "nan"},
      {"hausdorff", cube_},
      {"hausdorff", cube_, cube_, "--tolerance", "-0.5"},
      {"hausdorff", cube_, cube_, "--tolerance", "nan"},
      {"self-intersect"},
      {"self-intersect", cube_, cube_},
      {"gen"},
      {"gen", "-o", "mesh.doc"},
      {"gen", "-o", "x.ply", "--triangles", "0"},
      {"gen", "-o", "x.ply", "--triangles", "99999999999999"},
      {"gen", "-o", "x.ply", "--seed", "-1"},
      {"gen", "-o", "x.ply", "--shape", "hypercube"},
  };
  for (const Words& command : commands) {
    SCOPED_TRACE(::testing::PrintToString(command));
    ErrorOf(command, kUsage);
  }
  EXPECT_THAT(ErrorOf({"clearance", cube_, cube_, "--within", "-0.5"}, kUsage),
              AllOf(HasSubstr("--within"), HasSubstr("'-0.5'"),
                    HasSubstr("0 or more")));
}

TEST_F(CommandErrorsTest, MeshesThatCannotBeRead) {
  const std::vector<std::string> files = {
      folder_.Path("missing.obj"),
      folder_.Path(""),
      folder_.Path("cube.ply") + "/below",
      folder_.Write("empty.obj", ""),
      folder_.Write("empty.stl", ""),
      folder_.Write("letter.doc", "Dear reader"),
      folder_.Write("noise", "\x01\x02\x03"),
      folder_.Write("text.ply",
                    "ply\nformat ascii 1.0\nelement vertex 4000000"
                    "000\nproperty float x\nproperty float y\n"
                    "property float z\nend_header\n0 0 0\n"),
      folder_.Write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
      folder_.Write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
      folder_.Write("inf.off", "OFF\n3 1 0\n0 0 inf\n1 0 0\n0 1 0\n3 0 1 2\n"),
      folder_.Write("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"),
      folder_.Write("cut.ply", ScratchDirectory::Read(cube_).substr(0, 200)),
  };
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    EXPECT_THAT(ErrorOf({"info", file}, kBadInput), HasSubstr(file));
    ErrorOf({"clearance", cube_, file}, kBadInput);
    ErrorOf({"nearest", file, "--point", "0,0,0"}, kBadInput);
  }
  EXPECT_THAT(ErrorOf({"info", files[8]}, kBadInput),
              HasSubstr("range.obj: line 4: "));
  ErrorOf({"info", "-"}, kBadInput);
}

TEST_F(CommandErrorsTest, QueryFilesThatCannotBeRead) {
  const auto range = [this](const std::string& file) {
    return ErrorOf({"range", cube_, "--spheres", file}, kBadInput);
  };
  EXPECT_THAT(range(folder_.Path("none.csv")), HasSubstr("none.csv"));
  EXPECT_THAT(range(folder_.Path("")), HasSubstr("directory"));
  EXPECT_THAT(range(folder_.Write("empty.csv", "")), HasSubstr("no rows"));
  EXPECT_THAT(range(folder_.Write("q.csv", "0,0,0,1\n0,0,0,-1\n")),
              HasSubstr("q.csv:2: the radius -1 is negative"));
  EXPECT_THAT(range(folder_.Write("r.csv", "0,0,0,1\n0,0,1\n")),
              HasSubstr("r.csv:2: found 3 numbers where 4"));
  EXPECT_THAT(range(cube_), HasSubstr("cube.ply:"));
  EXPECT_THAT(ErrorOf({"range", cube_, "--boxes",
                       folder_.Write("b.csv", "0,0,0,1,1,1\n0,2,0,1,1,1\n")},
                      kBadInput),
              HasSubstr("b.csv:2"));
  EXPECT_THAT(ErrorOf({"nearest", cube_, "--points",
                       folder_.Write("p.csv", "0,0,0\n0,inf,0\n")},
                      kBadInput),
              HasSubstr("p.csv:2"));
}

TEST_F(CommandErrorsTest, PoseFilesThatCannotBeRead) {
  const auto pose = [this](const std::string& content) {
    return ErrorOf({"intersect", cube_, cube_, "--pose",
                    "@" + folder_.Write("p.csv", content)},
                   kBadInput);
  };
  const std::string good = "1,0,0,0,0,1,0,0,0,0,1,0\n";
  EXPECT_THAT(pose(good + "1,0,0,x,0,1,0,0,0,0,1,0\n"), HasSubstr("p.csv:2"));
  EXPECT_THAT(pose(good + "\n1,0,0\n"), HasSubstr("p.csv:3"));
  EXPECT_THAT(pose(""), HasSubstr("no rows"));
  // Finite, but it moves the corner (1, 1, 1) beyond the range of models.
  const std::string beyond = "1,0,0,2e60,0,1,0,0,0,0,1,0";
  EXPECT_THAT(pose(good + beyond + "\n"), HasSubstr("p.csv:2"));
  EXPECT_THAT(ErrorOf({"clearance", cube_, cube_, "--pose", beyond}, kUsage),
              HasSubstr("--pose"));
  ErrorOf({"intersect", cube_, cube_, "--pose", "@" + folder_.Path("none")},
          kBadInput);
}

TEST_F(CommandErrorsTest, FileNamesDoNotBreakTheLine) {
  EXPECT_THAT(ErrorOf({"info", folder_.Path("a\nb.obj")}, kBadInput),
              HasSubstr("a\\nb.obj"));
}

TEST_F(CommandErrorsTest, UnreadableFilesAreTheSystemsFault) {
  std::string file = cube_;
  if (geteuid() == 0) {
    // Root may open any file, but cannot read unmapped memory.
    const std::string memory = "/proc/self/mem";
    if (!std::filesystem::exists(memory)) {
      GTEST_SKIP() << "root may read everything";
    }
    file = folder_.Path("memory.obj");
    std::filesystem::create_symlink(memory, file);
  } else {
    std::filesystem::permissions(file, std::filesystem::perms::none);
  }
  EXPECT_THAT(ErrorOf({"info", file}, kIo), HasSubstr(file));
  EXPECT_THAT(ErrorOf({"range", far_, "--spheres", file}, kIo),
              HasSubstr(file));
}

TEST_F(CommandErrorsTest, ResultsThatCannotBeWritten) {
  const std::vector<Words> commands = {
      {"--help"},
      {"--version"},
      {"clearance", "--help"},
      {"info", cube_},
      {"range", cube_, "--sphere", "0,0,0,1"},
      {"nearest", cube_, "--point", "0,0,0"},
      {"intersect", cube_, cube_},
      {"clearance", cube_, cube_},
      {"hausdorff", cube_, cube_},
      {"self-intersect", cube_},
      {"ray", cube_, "--ray", "0.5,0.5,9,0,0,-1"},
      {"gen", "--triangles", "1000", "-o", "-"},
  };
  for (const Words& command : commands) {
    SCOPED_TRACE(::testing::PrintToString(command));
    EXPECT_THAT(ErrorOf(command, kIo, {.output_path = "/dev/full"}),
                HasSubstr("No space left"));
    ErrorOf(command, kIo, {.close_output = true});
    if (command[0] == "gen" || command.back().starts_with("--")) continue;
    for (const char* format : {"json", "csv"}) {
      Words other = command;
      other.insert(other.end(), {"--format", format});
      EXPECT_THAT(ErrorOf(other, kIo, {.output_path = "/dev/full"}),
                  HasSubstr("No space left"));
    }
  }
  ErrorOf({"build", cube_, "-o", "/dev/full"}, kIo);
  ErrorOf({"info", cube_, "-o", folder_.Path("none/x")}, kIo);
  ErrorOf({"info", cube_, "-o", folder_.Path("")}, kIo);
  ErrorOf({"info", cube_, "-o", "/dev/full"}, kIo);
  ErrorOf({"gen", "-o", folder_.Path("none/x.ply")}, kIo);
}

TEST_F(CommandErrorsTest, AFailedRunLeavesNoFile) {
  const std::string out = folder_.Path("out.csv");
  ErrorOf({"range", cube_, "--sphere", "0,0,0", "-o", out}, kUsage);
  ErrorOf({"info", folder_.Path("missing.obj"), "-o", out}, kBadInput);
  EXPECT_THAT(folder_.Names(),
              ::testing::UnorderedElementsAre("cube.ply", "far.ply"));
}

#if !ORBOX_SANITIZED
// Sanitizers reserve terabytes of address space and cannot be limited.
TEST_F(CommandErrorsTest, RunningOutOfMemoryIsAMessage) {
  const std::string knot = folder_.Path("knot.ply");
  ASSERT_EQ(Run({"gen", "--triangles", "300000", "-o", knot}).exit_code, 0);
  // The limit is the command's alone: 48 MB are less than this program takes.
  const ProcessResult result = RunProcess(
      "/bin/sh", {"-c", "ulimit -v 49152; exec \"$@\"", "sh", ORBOX_COMMAND,
                  "clearance", knot, knot, "--threads", "1"});
  EXPECT_EQ(result.exit_code, kIo) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("memory"));
}
#endif

}  // namespace
}  // namespace orbox
