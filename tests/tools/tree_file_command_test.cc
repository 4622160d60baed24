// SPDX-License-Identifier: Apache-2.0

// `orbox build`, and the other commands with what it makes in place of a mesh.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TreeFileCommandTest : public OrboxCommandTest {
 protected:
  std::string Built(const std::string& mesh, const std::string& name,
                    Words more = {}) const {
    Words words = {"build", mesh, "-o", folder_.Path(name)};
    words.insert(words.end(), more.begin(), more.end());
    Output(words);
    return folder_.Path(name);
  }
};

TEST_F(TreeFileCommandTest, BuildWritesTheTreeAndTellsOfIt) {
  const Mesh mesh = meshes::Torus(40, 24);
  const std::string path = File("m.ply", mesh);
  const std::string out = folder_.Path("m.orbox");
  const Json json = JsonOf({"build", path, "-o", out});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "vertices", "triangles", "volumes", "storage",
                          "nodes", "leaves", "depth", "bytes"));
  const absl::StatusOr<Tree> tree = ReadTree(out);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(json["triangles"].number(), mesh.triangle_count());
  EXPECT_EQ(json["vertices"].number(), mesh.vertex_count());
  EXPECT_EQ(json["volumes"].text, "mixed");
  EXPECT_EQ(json["nodes"].number(), tree->nodes().size() - 1);
  EXPECT_EQ(json["leaves"].number(), tree->leaves().size());
  EXPECT_EQ(json["depth"].number(), tree->depth());
  EXPECT_EQ(json["bytes"].number(), std::filesystem::file_size(out));
  EXPECT_THAT(Output({"build", path, "-o", out}),
              AllOf(HasSubstr("triangles  1,920"), HasSubstr("mixed volumes")));
  EXPECT_THAT(Output({"build", path, "-o", out, "--format", "csv"}),
              HasSubstr("vertices,triangles,volumes,nodes,leaves,depth,bytes,"
                        "storage"));
  EXPECT_TRUE(
      JsonOf({"build", path, "-o", out, "--stats"})["statistics"]["tree"].Has(
          "depth"));
}

TEST_F(TreeFileCommandTest, BuildDoesWhatTheLibraryDoes) {
  const std::string path = File("m.ply", meshes::Torus(30, 20));
  const Mesh mesh = *ReadMeshFile(path);
  const struct {
    Words words;
    BuildOptions options;
  } cases[] = {
      {{}, {}},
      {{"--threads", "1"}, {}},
      {{"--quality", "fast"}, {.quality = Quality::kFast}},
      {{"--quality", "best"}, {.quality = Quality::kBest}},
      {{"--volumes", "obb"}, {.volumes = Volumes::kObb}},
      {{"--volumes", "sphere", "--quality", "balanced"},
       {.volumes = Volumes::kSphere}},
  };
  for (const auto& [words, options] : cases) {
    const std::string out = Built(path, "a.orbox", words);
    EXPECT_EQ(ScratchDirectory::Read(out), *EncodeTree(*Build(mesh, options)));
  }
}

TEST_F(TreeFileCommandTest, EveryCommandTakesATreeFile) {
  const std::string a = File("a.ply", meshes::Torus(30, 20));
  const std::string b = File("b.ply", meshes::Icosphere(2, {1, 0, 0}, 0.5));
  // Recognised by its first bytes, not by its name.
  const std::string tree_a = folder_.Path("tree.ply");
  std::filesystem::rename(Built(a, "tree.orbox"), tree_a);
  const std::string tree_b = Built(b, "tree", {"--volumes", "obb"});
  const Words both = {"1,0,0,0.1,0,1,0,0,0,0,1,0"};
  for (const Words& words : std::vector<Words>{
           {"range", "A", "--sphere", "1,0,0,0.5"},
           {"nearest", "A", "--point", "0,0,1", "--k", "3"},
           {"ray", "A", "--ray", "3,0,0,-1,0,0", "--all"},
           {"self-intersect", "A"},
           {"intersect", "A", "B", "--pose", both[0]},
           {"clearance", "A", "B", "--within", "0.5"},
           {"hausdorff", "A", "B"},
       }) {
    Words meshes = words;
    Words trees = words;
    Words mixed = words;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "A") meshes[i] = a, trees[i] = tree_a, mixed[i] = tree_a;
      if (words[i] == "B") meshes[i] = b, trees[i] = tree_b, mixed[i] = b;
    }
    for (Words* w : {&meshes, &trees, &mixed}) {
      w->insert(w->end(), {"--format", "json"});
    }
    const std::string expected = WithoutInputs(Output(meshes));
    EXPECT_EQ(WithoutInputs(Output(trees)), expected) << words[0];
    EXPECT_EQ(WithoutInputs(Output(mixed)), expected) << words[0];
  }
}

TEST_F(TreeFileCommandTest, InfoTellsOfTheTree) {
  const std::string path = File("a.ply", meshes::Torus(30, 20));
  const std::string tree = Built(path, "a.orbox", {"--volumes", "obb"});
  const Json of_mesh = JsonOf({"info", path});
  const Json of_tree = JsonOf({"info", tree});
  EXPECT_THAT(
      of_tree.Keys(),
      ElementsAre("schema_version", "command", "version", "inputs", "format",
                  "bytes", "vertices", "triangles", "degenerate", "closed",
                  "bounds", "size", "solid", "parts", "faces_agree", "tree"));
  EXPECT_EQ(of_tree["triangles"].number(), of_mesh["triangles"].number());
  EXPECT_EQ(of_tree["closed"].boolean(), of_mesh["closed"].boolean());
  EXPECT_EQ(of_tree["tree"]["volumes"].text, "obb");
  EXPECT_EQ(of_tree["tree"]["depth"].number(), ReadTree(tree)->depth());
  EXPECT_THAT(Output({"info", tree}), HasSubstr("tree       obb volumes, "));
  // It keeps its volumes.
  const Json stats = JsonOf({"info", tree, "--stats", "--volumes", "sphere"});
  EXPECT_EQ(stats["statistics"]["tree"]["nodes_by_kind"]["obb"].number(),
            stats["tree"]["nodes"].number());
}

TEST_F(TreeFileCommandTest, StandardInputAndOutput) {
  const std::string path = File("a.ply", meshes::Cube());
  const std::string bytes = Output({"build", path, "-o", "-"});
  EXPECT_EQ(bytes, *EncodeTree(*Build(*ReadMeshFile(path))));
  EXPECT_EQ(JsonOf({"info", "-"}, {.input = bytes})["triangles"].number(), 12);
  EXPECT_EQ(JsonOf({"nearest", "-", "--point", "0.5,0.5,3"},
                   {.input = bytes})["results"][0]
                .items.size(),
            JsonOf({"nearest", path, "--point", "0.5,0.5,3"})["results"][0]
                .items.size());
}

TEST_F(TreeFileCommandTest, Errors) {
  const std::string path = File("a.ply", meshes::Cube());
  const std::string tree = Built(path, "a.orbox");
  std::string bytes = ScratchDirectory::Read(tree);
  EXPECT_THAT(ErrorOf({"build", path}, kUsage),
              HasSubstr("-o FILE is missing"));
  EXPECT_THAT(ErrorOf({"build", "-o", "x"}, kUsage), HasSubstr("MESH"));
  EXPECT_THAT(ErrorOf({"build", path, "-o", "x", "--quality", "bets"}, kUsage),
              HasSubstr("best"));
  ErrorOf({"build", folder_.Path("missing.ply"), "-o", "x"}, kBadInput);
  ErrorOf({"build", path, "-o", folder_.Path("no/such/place")}, kIo);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_THAT(ErrorOf({"build", path, "-o", "/dev/full"}, kIo),
                HasSubstr("No space left"));
  }

  bytes[bytes.size() / 2] ^= 1;
  EXPECT_THAT(ErrorOf({"info", folder_.Write("flipped", bytes)}, kBadInput),
              AllOf(HasSubstr("flipped: the checksum of the"),
                    HasSubstr("build it again")));
  EXPECT_THAT(ErrorOf({"nearest", folder_.Write("cut", bytes.substr(0, 999)),
                       "--point", "0,0,0"},
                      kBadInput),
              HasSubstr("cut: has 999 bytes"));
  EXPECT_THAT(ErrorOf({"info", "-"}, kBadInput, {.input = bytes}),
              HasSubstr("standard input: the checksum"));
}

TEST_F(TreeFileCommandTest, AFailedBuildLeavesNothingBehind) {
  const std::string path = folder_.Write("bad.ply", "ply\nnonsense");
  ErrorOf({"build", path, "-o", folder_.Path("out")}, kBadInput);
  EXPECT_THAT(folder_.Names(), ElementsAre("bad.ply"));
}

}  // namespace
}  // namespace orbox
