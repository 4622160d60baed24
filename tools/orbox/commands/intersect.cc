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
    kCountOption,
    {"--exit-code", "",
     "exit 1 if they overlap or one is inside the other; of several poses, if "
     "this is so at any of them. It means --expect apart, and the text lists "
     "no pairs then"},
    {"--expect", "WHAT",
     "exit 1 unless they are so at each pose: meet or apart; a mesh inside the "
     "solid of the other meets it",
     false, ExpectChoices},
    kInsideOption,
};

constexpr std::string_view kIntersectExamples[] = {
    "orbox intersect arm.stl wall.stl",
    "orbox intersect arm.stl wall.stl --pose 1,0,0,0.5,0,1,0,0,0,0,1,0",
    "orbox intersect arm.stl wall.stl --contacts --format json",
    "orbox intersect arm.stl wall.stl --count",
    "orbox intersect arm.stl wall.stl --pose @path.csv --expect meet",
};

constexpr std::string_view kIntersectVariants[] = {"| --contacts | --count"};

constexpr std::string_view kIntersectInMemory[] = {"--contacts"};

// Result that is needed. All but lists take no memory for pairs.
enum class Wanted { kVerdict, kCount, kPairs, kContacts };

struct IntersectAnswer {
  absl::Status status;
  uint64_t count = 0;             // of pairs; 1 for a verdict, if there are any
  std::vector<GlobalPair> pairs;  // if they are listed
  std::vector<PairContact> contacts;     // of these pairs, if requested
  std::optional<MeshRelation> relation;  // if it is needed

  bool meets() const { return count != 0; }
  size_t size() const {
    return 2 * pairs.size() + contacts.size() * (sizeof(PairContact) / 8);
  }
};

struct IntersectParameters {
  using Answer = IntersectAnswer;

  const PairRelation* relation = nullptr;  // if trees are in memory
  InsideRule inside = InsideRule::kWinding;
  Wanted wanted = Wanted::kPairs;
  bool wants_relation = false;
  uint64_t memory = 0;  // of the pairs
  QueryOptions cores;
  bool any_overlaps = false;
  bool any_apart = false;

  Answer Run(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const;
  Answer Run(const PosedChunkedTarget& a, const PosedChunkedTarget& b,
             TraversalStatistics* statistics) const;
  void AddAnswer(const Answer& answer) {
    const bool meets = answer.meets() || (answer.relation.has_value() &&
                                          AreInEachOther(*answer.relation));
    any_overlaps = any_overlaps || meets;
    any_apart = any_apart || !meets;
  }

  Schema<Answer> ReportedAs() const;

 private:
  bool has_list() const {
    return wanted == Wanted::kPairs || wanted == Wanted::kContacts;
  }
  absl::Status FindPairs(const PosedTree& a, const PosedTree& b,
                         const RunOptions& options, Answer* answer) const;
  absl::Status CheckPairsFit(const PosedTree& a, const PosedTree& b) const {
    return CheckListFits<TrianglePair>(
        {.memory = memory,
         .pair_bytes = sizeof(TrianglePair) + sizeof(GlobalPair) +
                       (wanted == Wanted::kContacts ? sizeof(PairContact) : 0),
         .most_pairs = static_cast<double>(a.tree().mesh().triangle_count()) *
                       static_cast<double>(b.tree().mesh().triangle_count())},
        [&](PairVisitor visitor) { VisitOverlaps(a, b, visitor); });
  }
};

// Moves a value out of a result. Returns the status of the result.
template <typename Result, typename Value>
absl::Status TakeValue(absl::StatusOr<Result> result, Value* value) {
  if (result.ok()) *value = *std::move(result);
  return result.status();
}

absl::Status IntersectParameters::FindPairs(const PosedTree& a,
                                            const PosedTree& b,
                                            const RunOptions& options,
                                            Answer* answer) const {
  if (wanted == Wanted::kVerdict) {
    return TakeValue(AnyOverlap(a, b, options), &answer->count);
  }
  if (wanted == Wanted::kCount) {
    return TakeValue(CountOverlaps(a, b, options), &answer->count);
  }
  if (absl::Status s = CheckPairsFit(a, b); !s.ok()) return s;
  absl::Status status;
  if (wanted == Wanted::kContacts) {
    status = TakeValue(AllContacts(a, b, options), &answer->contacts);
    for (const PairContact& c : answer->contacts) {
      answer->pairs.push_back(Global(c.triangles));
    }
  } else {
    std::vector<TrianglePair> pairs;
    status = TakeValue(AllOverlaps(a, b, options), &pairs);
    answer->pairs = Global(pairs);
  }
  answer->count = answer->pairs.size();
  return status;
}

IntersectAnswer IntersectParameters::Run(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics) const {
  Answer answer;
  answer.status = FindPairs(a, b, RunOptionsOf(cores, statistics), &answer);
  if (answer.status.ok() && wants_relation) {
    answer.relation = relation->Of(a, b, answer.meets(), statistics);
  }
  return answer;
}

IntersectAnswer IntersectParameters::Run(
    const PosedChunkedTarget& a, const PosedChunkedTarget& b,
    TraversalStatistics* statistics) const {
  Answer answer;
  QueryOptions options = cores;
  options.statistics = statistics;
  if (has_list()) {
    answer.status =
        TakeValue(Compute(kAllOverlaps, a, b, options), &answer.pairs);
    answer.count = answer.pairs.size();
  } else {
    answer.status =
        TakeValue(Compute(kCountOverlaps, a, b, options), &answer.count);
  }
  if (!answer.status.ok() || !wants_relation) return answer;
  options.inside = inside;
  const absl::StatusOr<MeshRelation> found =
      RelationOfChunks(a, b, /*meets=*/answer.count > 0, options);
  answer.status = found.status();
  if (found.ok()) answer.relation = *found;
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
  schema.Add({"intersects"}, [](const Answer& a) { return a.meets(); });
  if (wanted == Wanted::kCount) {
    schema.Add({"count", "count"}, [](const Answer& a) { return a.count; });
  } else {
    schema.AddList({.json = "pairs", .rows = wanted != Wanted::kContacts},
                   PairSchema<GlobalPair>(),
                   [](const Answer& a) { return std::span(a.pairs); });
  }
  if (wants_relation) {
    schema.Add({.json = "relation", .type = "relation"}, [](const Answer& a) {
      return std::string(NameOf(*a.relation));
    });
  }
  schema.AddText([wanted = wanted](const Answer& a) {
    if (!a.meets()) {
      return Cat("do not meet", a.relation ? SentenceOf(*a.relation) : "",
                 "\n");
    }
    if (wanted == Wanted::kVerdict) return std::string("meet\n");
    return Cat("meet",
               wanted == Wanted::kCount
                   ? CountOfPairs(a.count)
                   : FirstPairs(a.count, [&](size_t i) { return a.pairs[i]; }),
               "\n");
  });
  if (wanted == Wanted::kContacts) {
    schema.AddList(
        {.json = "contacts", .rows = true, .text_limit = kPairsShown},
        ContactSchema(), [](const Answer& a) { return std::span(a.contacts); });
  }
  return schema;
}

class IntersectQuery : public Query {
 public:
  IntersectQuery(PairArguments pair, Wanted wanted, Expected expected,
                 InsideRule rule)
      : pair_(std::move(pair)),
        wanted_(wanted),
        expected_(expected),
        rule_(rule) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;
  std::optional<ResultType> TypeOfResults() const override {
    return TypeAtPoses(
        IntersectParameters{.wanted = wanted_, .wants_relation = true});
  }

 private:
  // CSV has no column for the relation, but the exit code may depend on it.
  bool NeedsRelation(const QueryContext& context) const {
    return context.settings.format != Format::kCsv ||
           expected_ != Expected::kNothing;
  }
  template <typename Pair>
  absl::StatusOr<Answered> RunOn(const Pair& pair, const QueryContext& context,
                                 IntersectParameters parameters) const;
  // Text without an expectation lists pairs, and the other formats do always.
  Wanted WantedFor(const Settings& settings) const {
    return wanted_ == Wanted::kPairs && settings.format == Format::kText &&
                   expected_ != Expected::kNothing
               ? Wanted::kVerdict
               : wanted_;
  }

  const PairArguments pair_;
  const Wanted wanted_;
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
             .wanted = WantedFor(context.settings),
             .wants_relation = NeedsRelation(context),
             .memory = context.settings.memory});
  if (answered.ok() && context.settings.reported) relation.WriteNotes();
  return answered;
}

absl::StatusOr<Answered> IntersectQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  const ChunkedPair pair = PairOf(pair_, trees);
  absl::StatusOr<Answered> answered =
      RunOn(pair, context,
            {.inside = rule_,
             .wanted = WantedFor(context.settings),
             .wants_relation = NeedsRelation(context)});
  if (answered.ok() && context.settings.reported) {
    WriteNotesOnChunks(pair, rule_);
  }
  return answered;
}

template <typename Pair>
absl::StatusOr<Answered> IntersectQuery::RunOn(
    const Pair& pair, const QueryContext& context,
    IntersectParameters parameters) const {
  parameters.cores = CoresOfEach(pair.poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
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
  if (arguments.Has("--contacts") && arguments.Has("--count")) {
    return UsageError("--contacts and --count: give one of them");
  }
  const Wanted wanted = arguments.Has("--contacts") ? Wanted::kContacts
                        : arguments.Has("--count")  ? Wanted::kCount
                                                    : Wanted::kPairs;
  const absl::StatusOr<InsideRule> rule = ReadInside(arguments);
  if (!rule.ok()) return rule.status();
  return std::make_unique<IntersectQuery>(*std::move(pair), wanted, expected,
                                          *rule);
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
