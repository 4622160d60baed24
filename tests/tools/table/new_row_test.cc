// SPDX-License-Identifier: Apache-2.0

// A query of one row, which this program adds to the table of commands: the
// parser, --help, the manual page, completion, the JSON Schema, `orbox
// explain`,
// --pose, chunked trees and the executor of ranks have it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/completion.h"
#include "tools/orbox/commands/one_mesh_query.h"
#include "tools/orbox/run.h"

namespace orbox::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr QueryArgument<Vec3> kPlace = {"--place", "--places", "x,y,z",
                                        AnyNumbers,
                                        [](std::span<const double> row) {
                                          return Vec3{row[0], row[1], row[2]};
                                        }};

constexpr Option kGapOptions[] = {
    {"--place", "x,y,z", "a place; may be repeated", true},
    {"--places", "FILE", "places, one a row: x,y,z"},
    {"--face", "", "add the triangle"},
    kMeshPoseOption,
    kMeshFlattenOption};

// The distances of places from the mesh.
struct GapRow {
  struct Found {
    double distance;
    uint64_t triangle;
  };
  static constexpr std::span<const Option> kOptions = kGapOptions;

  std::vector<Vec3> places;
  bool face;

  static absl::StatusOr<GapRow> Read(const Arguments& arguments) {
    if (absl::Status s = CheckOneIsGiven(arguments, kPlace); !s.ok()) return s;
    absl::StatusOr<std::vector<Vec3>> places =
        arguments.Has("--places")
            ? ReadQueries(arguments.Value("--places"), kPlace)
            : ReadTypedQueries(arguments, kPlace);
    if (!places.ok()) return places.status();
    return GapRow{*std::move(places), arguments.Has("--face")};
  }

  size_t size() const { return places.size(); }

  Schema<std::span<const Found>> Results(const PosedTree* /*tree*/) const {
    Schema<Found> found;
    found.Add({"gap", "gap", "a gap of {u}", "length"},
              [](const Found& f) { return f.distance; });
    if (face) {
      found.Add({"face.triangle", "triangle", ", face {}", "triangle"},
                [](const Found& f) { return f.triangle; });
    }
    found.AddText([](const Found&) { return "\n"; });
    Schema<std::span<const Found>> schema;
    schema.AddList({.json = "",
                    .rows = true,
                    .lines = true,
                    .form = ListForm::kFirstOrNull},
                   found, [](std::span<const Found> list) { return list; });
    return schema;
  }

  template <typename AnyTree>
  absl::StatusOr<BatchSearch<Found>> On(const AnyTree& tree,
                                        const Settings&) const {
    return [this, &tree](const QueryBatch& batch) {
      return ListsOfOne<Found>(Compute(kClosestPoint, tree, batch.Of(places),
                                       OptionsFor(tree, batch.options)),
                               [](const auto& p) {
                                 return Found{p->distance, p->triangle};
                               });
    };
  }
};

constexpr std::string_view kGapExamples[] = {
    "orbox gap part.stl --place 0,0,1"};
constexpr std::string_view kGapVariants[] = {"--place 0,0,0", "| --face"};
constexpr std::string_view kGapInMemory[] = {"--pose"};

const Command kGapCommand = OneMeshCommand<GapRow>({
    .name = "gap",
    .summary = "the gaps between places and a mesh",
    .about = "Prints the gap of each place.\n",
    .examples = kGapExamples,
    .variants = kGapVariants,
    .in_memory = kGapInMemory,
});

constexpr const Command* kTable[] = {&kGapCommand, &kNearestCommand,
                                     &kBuildCommand, &kExplainCommand,
                                     &kHelpCommand};

}  // namespace

// In place of tools/orbox/commands/command_table.cc, which is not linked.
std::span<const Command* const> Commands() { return kTable; }

namespace {

class NewRowTest : public OrboxCommandTest {
 protected:
  // Output of a command that succeeds, run in this process.
  std::string OutputOf(Words words, ChunkExecutor* executor = nullptr) {
    const std::string out = folder_.Path("out.txt");
    words.insert(words.end(), {"-o", out});
    EXPECT_EQ(cli::Run(words, executor), 0) << words[0];
    return folder_.Read(out);
  }

  const std::string cube_ = File("cube.ply", meshes::Cube());
};

TEST_F(NewRowTest, AnswersInEachFormat) {
  const Words words = {"gap", cube_, "--place", "0,0,3", "--place", "5,0,0"};
  EXPECT_EQ(OutputOf(words), "query 0: a gap of 2\nquery 1: a gap of 4\n");
  Words csv = words;
  csv.insert(csv.end(), {"--face", "--format", "csv"});
  EXPECT_THAT(OutputOf(csv), HasSubstr("query,gap,triangle\n0,2,"));
  Words json = words;
  json.insert(json.end(), {"--format", "json"});
  EXPECT_THAT(OutputOf(json), HasSubstr(R"("results":[{"gap":2},{"gap":4}])"));
  const std::string places = folder_.Write("p.csv", "0,0,3\n5,0,0\n");
  EXPECT_EQ(OutputOf({"gap", cube_, "--places", places}), OutputOf(words));
  EXPECT_EQ(OutputOf({"gap", cube_, "--place", "0,0,3", "--pose",
                      "1,0,0,0,0,1,0,0,0,0,1,1"}),
            "query 0: a gap of 1\n");
}

TEST_F(NewRowTest, HelpCompletionAndTheManualHaveIt) {
  EXPECT_THAT(OutputOf({"help"}),
              HasSubstr("the gaps between places and a mesh"));
  EXPECT_THAT(OutputOf({"help", "gap"}),
              AllOf(HasSubstr("usage: orbox gap MESH [OPTIONS]"),
                    HasSubstr("places, one a row"), HasSubstr("moves the mesh"),
                    HasSubstr("orbox gap part.stl --place 0,0,1")));
  EXPECT_THAT(ManPage(), HasSubstr("a place; may be repeated"));
  for (const std::string& script : {BashCompletion(), ZshCompletion()}) {
    EXPECT_THAT(script, AllOf(HasSubstr("--place"), HasSubstr("explain gap")));
  }
}

TEST_F(NewRowTest, TheSchemaIsThatOfAllVariants) {
  const absl::StatusOr<std::string> text = JsonSchemaOf(kGapCommand);
  ASSERT_TRUE(text.ok()) << text.status();
  const std::optional<Json> schema = ParseJson(*text);
  ASSERT_TRUE(schema.has_value()) << *text;
  EXPECT_EQ((*schema)["title"].text, kGapCommand.summary);
  const Json& found = (*schema)["properties"]["results"]["items"]["anyOf"][1];
  EXPECT_EQ(found["properties"]["gap"]["$ref"].text,
            "common.schema.json#/$defs/length");
  EXPECT_EQ(found["properties"]["face"]["properties"]["triangle"]["$ref"].text,
            "common.schema.json#/$defs/triangle");
  ASSERT_EQ(found["required"].size(), 1U);
  EXPECT_EQ(found["required"][0].text, "gap");
  ASSERT_EQ((*schema)["x-csv"].size(), 2U);
  EXPECT_EQ((*schema)["x-csv"][1].text, "query,gap,triangle");
}

TEST_F(NewRowTest, ExplainMeasuresIt) {
  EXPECT_THAT(OutputOf({"explain", "gap", cube_, "--place", "0,0,3",
                        "--seconds", "0", "--format", "json"}),
              AllOf(HasSubstr("\"gap "), HasSubstr("leaves")));
}

// An executor like that of orbox-mpi, in this process.
class Ranks : public ChunkExecutor {
 public:
  bool is_alone() const override { return false; }
};

TEST_F(NewRowTest, ChunksAndRanksAnswerTheSame) {
  const std::string mesh = File("torus.ply", meshes::Torus(40, 24));
  const std::string chunks = folder_.Path("torus.orboxd");
  ASSERT_EQ(cli::Run(Words{"build", mesh, "-o", chunks, "--chunk", "100"}), 0);
  const auto words = [](const std::string& of) {
    return Words{"gap",     of,      "--place", "0,0.25,3",
                 "--place", "1,0,0", "--face"};
  };
  const std::string expected = OutputOf(words(mesh));
  EXPECT_EQ(OutputOf(words(chunks)), expected);
  Ranks ranks;
  EXPECT_EQ(OutputOf(words(chunks), &ranks), expected);
  Words posed = words(chunks);
  posed.insert(posed.end(), {"--pose", "1,0,0,0,0,1,0,0,0,0,1,1"});
  testing::internal::CaptureStderr();
  EXPECT_EQ(cli::Run(posed), kUsage);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("--pose does not support chunked trees"));
}

}  // namespace
}  // namespace orbox::cli
