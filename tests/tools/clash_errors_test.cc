// SPDX-License-Identifier: Apache-2.0

// Error messages of `orbox clash` for wrong arguments: the location, the fault,
// and what to do.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ClashErrorsTest : public OrboxCommandTest {
 protected:
  void SetUp() override {
    File("cube.ply", meshes::Cube());
    scene_ = folder_.Write("scene.json",
                           R"({"bodies": [{"name": "box", "mesh": "cube.ply"},
                                          {"mesh": "cube.ply"}]})");
  }

  std::string scene_;
};

TEST_F(ClashErrorsTest, WrongInputIsExplained) {
  const std::string none = folder_.Path("none");
  const std::string ifc = folder_.Write("house.ifc", "ISO-10303-21;\n");
  const std::string empty = folder_.Write("empty.json", "{}");
  const struct {
    Words more;
    int code;
    const char* text;
  } kErrors[] = {
      {{}, 2, "the argument SCENE is missing"},
      {{scene_, scene_}, 2, "too many arguments"},
      {{scene_, "--within", "-1"}, 2, "--within: '-1' is too small; give 0"},
      {{scene_, "--within", "x"}, 2, "--within: 'x' is not a number"},
      {{scene_, "--tolerance", "nan"}, 2, "'nan' is not a finite number"},
      {{scene_, "--exact", "--tolerance", "1"}, 2, "leave out one of the two"},
      {{scene_, "--pictures", "-3"}, 2, "--pictures: '-3' is not a whole"},
      {{scene_, "--tolerence", "1"}, 2, "did you mean '--tolerance'?"},
      {{"-", "--motion", "-"}, 2, "standard input can be read once"},
      {{scene_, "--report", "x.txt"}, 2, "name a .html file"},
      {{scene_, "--bcf", "x.txt"}, 2, "name a .bcf file"},
      {{scene_, "--glb", "x.txt"}, 2, "name a .glb file"},
      {{scene_, "--bcf", ""}, 2, "--bcf: '' is no name"},
      {{none}, 3, "none: cannot be read: No such file or directory"},
      {{scene_, "--motion", none}, 3, "No such file or directory; check the"},
      {{scene_, "--accepted", none}, 3, "none: cannot be read: No such file"},
      {{scene_, "--compare", none}, 3, "none: cannot be read: No such file"},
      {{scene_, "--id", "guid"}, 3, "--id: no body has the property 'guid'"},
      {{empty}, 3, "has no bodies; give {\"bodies\": [...]}"},
      {{ifc}, 3, "is an IFC model, which Orbox does not read; IfcConvert"},
  };
  for (const auto& wrong : kErrors) {
    Words words = {"clash"};
    words.insert(words.end(), wrong.more.begin(), wrong.more.end());
    EXPECT_THAT(ErrorOf(words, wrong.code), HasSubstr(wrong.text));
  }
  const std::string missing = folder_.Write(
      "missing.json",
      "{\"bodies\": [{\"mesh\": \"cube.ply\"}, {\"mesh\": \"gone.ply\"}]}");
  EXPECT_THAT(ErrorOf({"clash", missing}, 3),
              AllOf(HasSubstr("missing.json: bodies[1].mesh: "),
                    HasSubstr("gone.ply"), HasSubstr("No such file")));
  const std::string beyond = "1e308,0,0,1e308,0,1,0,0,0,0,1,0";
  EXPECT_THAT(ErrorOf({"clash", folder_.Write("beyond.json",
                                              Cat("{\"bodies\": [{\"mesh\": "
                                                  "\"cube.ply\", \"pose\": [",
                                                  beyond, "]}]}"))},
                      3),
              HasSubstr("beyond.json: bodies[0].pose: "));
  EXPECT_THAT(
      ErrorOf({"clash", scene_, "--motion",
               folder_.Write("beyond.csv", Cat("\n3,box,", beyond, "\n"))},
              3),
      HasSubstr("beyond.csv:2: "));
  EXPECT_EQ(Run({"clash", scene_, "-o", "/dev/full"}).exit_code, 4);
}

TEST_F(ClashErrorsTest, WrongNamesOfBodiesAreExplained) {
  const std::string file = folder_.Path("two.glb");
  const std::vector<NamedBody> bodies = {{"left", meshes::Cube(), {}, {}},
                                         {"right", meshes::Cube(), {}, {}}};
  ASSERT_TRUE(WriteBodiesFile(bodies, file).ok());
  EXPECT_THAT(ErrorOf({"clash", file + "#up"}, 3),
              HasSubstr("has no body 'up'; give one of 2: 'left', 'right'"));
  EXPECT_THAT(
      ErrorOf({"clash",
               folder_.Write("n.json",
                             R"({"bodies": [{"mesh": "two.glb#rigth"}]})")},
              3),
      AllOf(HasSubstr("n.json: bodies[0].mesh: "),
            HasSubstr("two.glb: has no body 'rigth'")));
  EXPECT_THAT(
      ErrorOf({"clash", folder_.Write("d.json",
                                      R"({"bodies": [{"mesh": "two.glb#*"},
                                      {"mesh": "two.glb#left",
                                       "name": "left"}]})")},
              3),
      HasSubstr("bodies[1].name: 'left' of 'two.glb#left' is also in "
                "'two.glb#left'; give one of them a name"));
}

}  // namespace
}  // namespace orbox
