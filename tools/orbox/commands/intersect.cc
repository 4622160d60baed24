// SPDX-License-Identifier: Apache-2.0

// orbox intersect: tests if two meshes overlap, and finds the overlapping
// triangles.

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/list_memory.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/pose_loop.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/pair_schema.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

// Expected relation of the meshes. Any other relation needs attention.
enum class Expected { kNothing, kMeet, kApart };
constexpr std::string_view kExpected[] = {"meet", "apart"};
std::vector<std::string_view> ExpectChoices() {
  return {std::begin(kExpected), std::end(kExpected)};
}

constexpr Option kIntersectOptions[] = {
    kPoseOption,
    kFlattenOption,
    {"--contacts", "",
     "add what each pair has in common: a point, the ends of a segment, or "
     "the corners of a polygon"},
    {"--exit-code", "",
     "exit 1 where they overlap or one is inside the other, with a file of "
     "poses at any of them: as --expect apart; the text lists no pairs then"},
    {"--expect", "WHAT",
     "exit 1 unless they meet, or unless they are apart (meet, apart), at each "
     "pose; a mesh inside the solid of the other meets it",
     false, ExpectChoices},
    kInsideOption,
};

constexpr std::string_view kIntersectExamples[] = {
    "orbox intersect arm.stl wall.stl",
    "orbox intersect arm.stl wall.stl --pose 1,0,0,0.5,0,1,0,0,0,0,1,0",
    "orbox intersect arm.stl wall.stl --contacts --format json",
    "orbox intersect arm.stl wall.stl --pose @path.csv --expect meet",
};

constexpr std::string_view kIntersectVariants[] = {"| --contacts"};

constexpr std::string_view kIntersectInMemory[] = {"--contacts", "--inside"};

struct IntersectAnswer {
  absl::Status status;
  std::vector<GlobalPair> pairs;
  std::vector<PairContact> contacts;     // of these pairs, if requested
  std::optional<MeshRelation> relation;  // if it is needed

  size_t size() const {
    return 2 * pairs.size() + contacts.size() * (sizeof(PairContact) / 8);
  }
};

struct IntersectParameters {
  using Answer = IntersectAnswer;

  const PairRelation* relation = nullptr;  // if it is needed
  bool wants_contacts = false;
  bool wants_relation = false;
  bool wants_pairs = true;  // otherwise the first pair found is enough
  uint64_t memory = 0;      // of the pairs
  QueryOptions cores;
  bool any_overlaps = false;
  bool any_apart = false;

  Answer Run(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const;
  Answer Run(const PosedChunkedTarget& a, const PosedChunkedTarget& b,
             TraversalStatistics* statistics) const;
  void AddAnswer(const Answer& answer) {
    const bool meets =
        !answer.pairs.empty() ||
        (answer.relation.has_value() && AreInEachOther(*answer.relation));
    any_overlaps = any_overlaps || meets;
    any_apart = any_apart || !meets;
  }

  Schema<Answer> ReportedAs() const;

 private:
  Answer RunForVerdict(const PosedTree& a, const PosedTree& b,
                       TraversalStatistics* statistics) const;
  absl::Status CheckPairsFit(const PosedTree& a, const PosedTree& b) const {
    return CheckListFits<TrianglePair>(
        {.memory = memory,
         .pair_bytes = sizeof(TrianglePair) + sizeof(GlobalPair) +
                       (wants_contacts ? sizeof(PairContact) : 0),
         .most_pairs = static_cast<double>(a.tree().mesh().triangle_count()) *
                       static_cast<double>(b.tree().mesh().triangle_count())},
        [&](PairVisitor visitor) { VisitOverlaps(a, b, visitor); });
  }
};

// Stops at the first pair. There may be very many.
IntersectAnswer IntersectParameters::RunForVerdict(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics) const {
  Answer answer;
  answer.status = VisitOverlaps(
      a, b,
      [&answer](const TrianglePair& pair) {
        answer.pairs.push_back(Global(pair));
        return Visit::kStop;
      },
      RunOptionsOf(cores, statistics));
  if (!answer.status.ok()) return answer;
  if (wants_relation) {
    answer.relation =
        relation->Of(a, b, /*meets=*/!answer.pairs.empty(), statistics);
  }
  return answer;
}

IntersectAnswer IntersectParameters::Run(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics) const {
  if (!wants_pairs) return RunForVerdict(a, b, statistics);
  if (absl::Status s = CheckPairsFit(a, b); !s.ok()) return {.status = s};
  Answer answer;
  const RunOptions options = RunOptionsOf(cores, statistics);
  if (wants_contacts) {
    absl::StatusOr<std::vector<PairContact>> contacts =
        AllContacts(a, b, options);
    answer.status = contacts.status();
    if (!contacts.ok()) return answer;
    answer.contacts = *std::move(contacts);
    for (const PairContact& c : answer.contacts) {
      answer.pairs.push_back(Global(c.triangles));
    }
  } else {
    const absl::StatusOr<std::vector<TrianglePair>> pairs =
        AllOverlaps(a, b, options);
    answer.status = pairs.status();
    if (!pairs.ok()) return answer;
    answer.pairs = Global(*pairs);
  }
  if (wants_relation) {
    answer.relation =
        relation->Of(a, b, /*meets=*/!answer.pairs.empty(), statistics);
  }
  return answer;
}

IntersectAnswer IntersectParameters::Run(
    const PosedChunkedTarget& a, const PosedChunkedTarget& b,
    TraversalStatistics* statistics) const {
  Answer answer;
  QueryOptions options = cores;
  options.statistics = statistics;
  absl::StatusOr<std::vector<GlobalPair>> pairs =
      Compute(kAllOverlaps, a, b, options);
  answer.status = pairs.status();
  if (pairs.ok()) answer.pairs = *std::move(pairs);
  return answer;
}

Schema<PairContact> ContactSchema() {
  Schema<Vec3> point;
  point.Add({"", "x,y,z", " {}"}, [](const Vec3& p) { return p; });
  Schema<PairContact> schema;
  schema
      .Add({"a", "a", "  {}", "triangle"},
           [](const PairContact& c) { return c.triangles.a; })
      .Add({"b", "b", "-{} at", "triangle"},
           [](const PairContact& c) { return c.triangles.b; })
      .AddList({.json = "points", .rows = true}, point,
               [](const PairContact& c) { return c.contact.points(); })
      .AddText([](const PairContact&) { return "\n"; });
  return schema;
}

// CSV contains a row for each corner of a contact.
Schema<IntersectAnswer> IntersectParameters::ReportedAs() const {
  Schema<Answer> schema;
  schema.Add({"intersects"}, [](const Answer& a) { return !a.pairs.empty(); })
      .AddList({.json = "pairs", .rows = !wants_contacts},
               PairSchema<GlobalPair>(),
               [](const Answer& a) { return std::span(a.pairs); });
  if (wants_relation) {
    schema.Add({.json = "relation", .type = "relation"}, [](const Answer& a) {
      return std::string(NameOf(*a.relation));
    });
  }
  schema.AddText([wants_pairs = wants_pairs](const Answer& a) {
    if (!a.pairs.empty() && !wants_pairs) return std::string("meet\n");
    if (!a.pairs.empty()) {
      return Cat(
          "meet",
          FirstPairs(a.pairs.size(), [&](size_t i) { return a.pairs[i]; }),
          "\n");
    }
    return Cat("do not meet", a.relation ? SentenceOf(*a.relation) : "", "\n");
  });
  if (wants_contacts) {
    schema.AddList(
        {.json = "contacts", .rows = true, .text_limit = kPairsShown},
        ContactSchema(), [](const Answer& a) { return std::span(a.contacts); });
  }
  return schema;
}

class IntersectQuery : public Query {
 public:
  IntersectQuery(PairArguments pair, bool wants_contacts, Expected expected,
                 InsideRule rule)
      : pair_(std::move(pair)),
        wants_contacts_(wants_contacts),
        expected_(expected),
        rule_(rule) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;
  std::optional<ResultType> TypeOfResults() const override {
    IntersectParameters parameters{.wants_contacts = wants_contacts_};
    ResultType type = TypeAtPoses(parameters);
    parameters.wants_relation = true;  // not of chunked trees
    type.json.Merge(TypeAtPoses(parameters).json);
    return type;
  }

 private:
  template <typename Pair>
  absl::StatusOr<Answered> RunOn(const Pair& pair, const QueryContext& context,
                                 IntersectParameters parameters) const;

  const PairArguments pair_;
  const bool wants_contacts_;
  const Expected expected_;
  const InsideRule rule_;
};

absl::StatusOr<Answered> IntersectQuery::Run(std::span<const Tree> trees,
                                             const QueryContext& context) {
  const absl::StatusOr<MeshPair> pair = PairOf(pair_, trees);
  if (!pair.ok()) return pair.status();
  const PairRelation relation(*pair, rule_);
  absl::StatusOr<Answered> answered =
      RunOn(*pair, context,
            {.relation = &relation,
             .wants_contacts = wants_contacts_,
             // CSV has no column for the relation, but the exit code may depend
             // on it.
             .wants_relation = context.settings.format != Format::kCsv ||
                               expected_ != Expected::kNothing,
             .wants_pairs = context.settings.format != Format::kText ||
                            expected_ == Expected::kNothing || wants_contacts_,
             .memory = context.settings.memory});
  if (answered.ok() && context.settings.reported) relation.WriteNotes();
  return answered;
}

absl::StatusOr<Answered> IntersectQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  return RunOn(PairOf(pair_, trees), context, {});
}

template <typename Pair>
absl::StatusOr<Answered> IntersectQuery::RunOn(
    const Pair& pair, const QueryContext& context,
    IntersectParameters parameters) const {
  parameters.cores = CoresOfEach(pair.poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  if (context.settings.reported && parameters.any_apart &&
      parameters.relation == nullptr) {
    WriteNoteOnChunks();
  }
  const bool look = (expected_ == Expected::kMeet && parameters.any_apart) ||
                    (expected_ == Expected::kApart && parameters.any_overlaps);
  return Answered{look ? ExitCode::kLook : ExitCode::kOk, *statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadIntersect(const Arguments& arguments,
                                                     const Settings&) {
  absl::StatusOr<PairArguments> pair = ReadPair(arguments);
  if (!pair.ok()) return pair.status();
  const absl::StatusOr<size_t> choice =
      arguments.Choice("--expect", kExpected, std::size(kExpected));
  if (!choice.ok()) return choice.status();
  const bool wants_exit_code = arguments.Has("--exit-code");
  Expected expected = wants_exit_code ? Expected::kApart : Expected::kNothing;
  if (*choice < std::size(kExpected)) {
    expected = *choice == 0 ? Expected::kMeet : Expected::kApart;
    if (wants_exit_code) {
      return UsageError("--exit-code and --expect: give one of them");
    }
  }
  const absl::StatusOr<InsideRule> rule = ReadInside(arguments);
  if (!rule.ok()) return rule.status();
  return std::make_unique<IntersectQuery>(
      *std::move(pair), arguments.Has("--contacts"), expected, *rule);
}

}  // namespace

const Command kIntersectCommand = {
    .name = "intersect",
    .summary = "do two meshes overlap; all pairs of triangles that do",
    .operands = kPairOperands,
    .options = kIntersectOptions,
    .about =
        "Prints the pairs of triangles, one of A and one of B, that overlap;\n"
        "touching counts. The text shows the first pairs, json and csv all.\n",
    .examples = kIntersectExamples,
    .read_query = ReadIntersect,
    .variants = kIntersectVariants,
    .in_memory = kIntersectInMemory,
    .more_help = HelpOnRelations,
};

}  // namespace orbox::cli
