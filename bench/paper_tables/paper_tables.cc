// SPDX-License-Identifier: Apache-2.0

// Tables 1 and 2 of Larsson, Akenine-Moller and Lengyel, "On Faster Sphere-Box
// Overlap Testing" (2007), measured again, with every row of variants.h and the
// batches added. The rows of eight boxes are the traversal's tests of nodes:
//
//   paper_tables                          # text, the paper's columns beside
//   paper_tables --json                   # the same numbers for programs
//   paper_tables --svg plot.svg           # and a plot
//   paper_tables --count 20000            # quick; only the answers mean much
//
// Each time is the least of several repetitions (--repetitions N, default 7),
// so that other programs on the machine matter little. It exits with 1 if any
// test returned a wrong result.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"
#include "bench/paper_tables/results.h"
#include "orbox/overlap/boxes/batch.h"
#include "orbox/overlap/boxes/variants.h"

namespace orbox::bench {
namespace {

struct Options {
  size_t count = 2'000'000;
  int repetitions = 9;
  bool json = false;
  std::string svg;
};

// Larger than any last-level cache we know of (a server's share of one).
constexpr size_t kFlushBytes = size_t{96} << 20;
constexpr size_t kChunk = 32768;     // pairs; a multiple of 64
constexpr size_t kTablePairs = 512;  // 20 KB of AABB pairs, 39 KB of OBB pairs

// Keeps a result alive.
volatile uint64_t sink;

uint64_t SumOfWords(std::span<const uint64_t> words) {
  uint64_t sums[4] = {0};
  size_t i = 0;
  for (; i + 4 <= words.size(); i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += words[i + k];
  }
  for (; i < words.size(); ++i) sums[0] += words[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

class Stopwatch {
 public:
  explicit Stopwatch(int repetitions) : repetitions_(repetitions) {}

  // The least time of `work`, in milliseconds. Its result is kept.
  template <typename Work>
  double LeastMs(Work work) {
    // Short, so that more repetitions cost little.
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 8 * repetitions_; ++i) {
      const auto start = Clock::now();
      sink = work();
      least = std::min(least, MsSince(start));
    }
    return least;
  }

  // The least times of work(begin, end) over the chunks of [0, n), summed: a
  // chunk takes a millisecond or less, so that even on a busy machine one of
  // its repetitions is undisturbed. All chunks run before the first is
  // repeated, and before that the caches are filled with other data.
  template <typename Work>
  double LeastColdMs(size_t n, Work work) {
    if (other_.empty()) other_.resize(kFlushBytes / sizeof(uint64_t), 1);
    std::vector<double> least((n + kChunk - 1) / kChunk,
                              std::numeric_limits<double>::infinity());
    for (int i = 0; i < repetitions_; ++i) {
      sink = SumOfWords(other_);
      for (size_t c = 0; c < least.size(); ++c) {
        const size_t begin = c * kChunk;
        const auto start = Clock::now();
        sink = work(begin, std::min(n, begin + kChunk));
        least[c] = std::min(least[c], MsSince(start));
      }
    }
    double sum = 0;
    for (double ms : least) sum += ms;
    return sum;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double MsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  }

  int repetitions_;
  std::vector<uint64_t> other_;
};

size_t CountOnes(std::span<const uint64_t> bits) {
  size_t count = 0;
  for (uint64_t word : bits) {
    count += static_cast<size_t>(std::popcount(word));
  }
  return count;
}

template <typename Box>
using TableOf =
    std::conditional_t<std::is_same_v<Box, Aabbf>, AabbTable, ObbTable>;

template <typename Box>
using BlockOf =
    std::conditional_t<std::is_same_v<Box, Aabbf>, AabbBlock<8>, ObbBlock<8>>;

// The input of one column: pairs in the paper's layout and in rows.
template <typename Box>
struct Input {
  explicit Input(size_t count, int percent)
      : pairs(MakePairs<Box>(count, percent, /*seed=*/1)),
        overlapping(count * static_cast<size_t>(percent) / 100),
        bits(WordsFor(count)) {
    std::vector<Spheref> s;
    std::vector<Box> b;
    for (const auto& pair : pairs) {
      s.push_back(pair.sphere);
      b.push_back(pair.box);
    }
    spheres = SphereTable(s);
    boxes = TableOf<Box>(b);
  }

  std::vector<SphereBoxPair<Box>> pairs;
  size_t overlapping;
  SphereTable spheres;
  TableOf<Box> boxes;
  std::vector<uint64_t> bits;
};

template <typename Box>
class Measurement {
 public:
  Measurement(Table& table, const Options& options)
      : table_(table), options_(options), stopwatch_(options.repetitions) {}

  // Fills the table; returns false if a result was wrong.
  bool Run() {
    for (column_ = 0; column_ < kColumns; ++column_) {
      const int percent = kFrequencies[column_];
      std::fprintf(stderr, "%s %d %%\n", table_.title.c_str(), percent);
      Input<Box> big(options_.count, percent);
      Input<Box> small(std::min(kTablePairs, options_.count), percent);
      const auto order = RandomOrder(small.pairs.size(), 1 << 16, /*seed=*/2);
      RunRows(big, small, order, std::make_index_sequence<Rows().size()>());
      RunBatches(big, small);
      RunRowsOfEight(small);
    }
    return right_;
  }

 private:
  static constexpr auto Rows() {
    if constexpr (std::is_same_v<Box, Aabbf>) {
      return std::span(kSphereAabbVariants);
    } else {
      return std::span(kSphereObbVariants);
    }
  }
  static constexpr auto RowsOfEight() {
    if constexpr (std::is_same_v<Box, Aabbf>) {
      return std::span(kSphereEightAabbsVariants);
    } else {
      return std::span(kSphereEightObbsVariants);
    }
  }

  template <size_t... row>
  void RunRows(const Input<Box>& big, const Input<Box>& small,
               const std::vector<uint16_t>& order,
               std::index_sequence<row...>) {
    (RunRow<row>(big, small, order), ...);
  }

  // The row is a constant, so that its test is inlined into the loops.
  template <size_t row>
  void RunRow(const Input<Box>& big, const Input<Box>& small,
              const std::vector<uint16_t>& order) {
    constexpr SphereBoxVariant<Box> kRow = Rows()[row];
    const std::string name(kRow.name);
    const size_t n = big.pairs.size();
    Store(table_.memory, name,
          stopwatch_.LeastColdMs(n, [&](size_t begin, size_t end) {
            size_t some = 0;
            for (size_t i = begin; i < end; ++i) {
              some += kRow.overlaps(big.pairs[i].sphere, big.pairs[i].box);
            }
            return some;
          }));
    size_t hits = 0;
    for (const auto& p : big.pairs) hits += kRow.overlaps(p.sphere, p.box);
    Check(name, kRow.answer, hits, big.overlapping, big.pairs.size());
    if (kRow.answer == AnswerKind::kConservative && hits > 0) {
      table_.error[column_] = 100.0 *
                              static_cast<double>(hits - big.overlapping) /
                              static_cast<double>(hits);
    }
    const double ms = stopwatch_.LeastMs([&] {
      size_t some = 0;
      for (uint16_t i : order) {
        some += kRow.overlaps(small.pairs[i].sphere, small.pairs[i].box);
      }
      return some;
    });
    Store(table_.l1, name, Scaled(ms, order.size()));
  }

  void RunBatches(Input<Box>& big, Input<Box>& small) {
    for (AnswerKind answer : {AnswerKind::kExact, AnswerKind::kConservative}) {
      const bool exact = answer == AnswerKind::kExact;
      const std::string pairs = exact ? "n:n" : "n:n cons";
      Store(table_.memory, pairs,
            stopwatch_.LeastColdMs(
                big.pairs.size(), [&](size_t begin, size_t end) {
                  TestPairs(answer, Part(big.spheres.view(), begin, end),
                            Part(big.boxes.view(), begin, end),
                            std::span(big.bits).subspan(begin / 64));
                  return big.bits[begin / 64];
                }));
      Check(pairs, answer, CountOnes(big.bits), big.overlapping,
            big.pairs.size());
      // A call on a small table is too short for the clock: many in a row.
      constexpr size_t kCalls = 256;
      const size_t n = small.pairs.size();
      Store(table_.l1, pairs,
            Scaled(stopwatch_.LeastMs([&] {
              for (size_t call = 0; call < kCalls; ++call) {
                TestPairs(answer, small.spheres.view(), small.boxes.view(),
                          small.bits);
              }
              return small.bits.front();
            }),
                   kCalls * n));
      Store(table_.l1, exact ? "1:n" : "1:n cons",
            Scaled(stopwatch_.LeastMs([&] {
              for (size_t call = 0; call < kCalls; ++call) {
                TestOneToMany(answer, small.pairs[call % n].sphere,
                              small.boxes.view(), small.bits);
              }
              return small.bits.front();
            }),
                   kCalls * n));
    }
    Store(
        table_.memory, "(read only)",
        stopwatch_.LeastColdMs(big.pairs.size(), [&](size_t begin, size_t end) {
          return SumOfRows(big, begin, end);
        }));
  }

  // One sphere against eight boxes at a time, as the traversal tests nodes.
  void RunRowsOfEight(const Input<Box>& small) {
    const auto view = small.boxes.view();
    std::vector<BlockOf<Box>> blocks(small.pairs.size() / 8);
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (size_t k = 0; k < view.rows.size(); ++k) {
        std::copy_n(view.rows[k] + 8 * i, 8, blocks[i].rows[k]);
      }
    }
    constexpr size_t kSpheres = 64;
    const auto spheres =
        std::span(small.pairs).first(std::min(kSpheres, small.pairs.size()));
    const size_t tests = spheres.size() * blocks.size() * 8;
    size_t overlapping = 0;
    for (const auto& a : spheres) {
      for (size_t i = 0; i < blocks.size() * 8; ++i) {
        overlapping +=
            DoOverlap(SphereBoxPair<Box>{a.sphere, small.pairs[i].box});
      }
    }
    for (const auto& row : RowsOfEight()) {
      const std::string name(row.name);
      const auto count = [&] {
        size_t some = 0;
        for (const auto& a : spheres) {
          for (const auto& block : blocks) {
            some += static_cast<size_t>(
                std::popcount(row.overlaps(a.sphere, block)));
          }
        }
        return some;
      };
      Check(name, row.answer, count(), overlapping, tests);
      Store(table_.l1, name, Scaled(stopwatch_.LeastMs(count), tests));
    }
  }

  // The shapes from `begin` to `end`.
  template <typename View>
  static View Part(View view, size_t begin, size_t end) {
    for (const float*& row : view.rows) row += begin;
    view.size = end - begin;
    return view;
  }

  // A plain streaming read of the bytes that n:n reads.
  static uint64_t SumOfRows(const Input<Box>& input, size_t begin, size_t end) {
    uint64_t sum = 0;
    auto add = [&](const auto& view) {
      for (const float* row : view.rows) {
        sum += SumOfWords({reinterpret_cast<const uint64_t*>(row + begin),
                           (end - begin) / 2});
      }
    };
    add(input.spheres.view());
    add(input.boxes.view());
    return sum;
  }

  double Scaled(double ms, size_t tests) const {
    return ms * static_cast<double>(options_.count) /
           static_cast<double>(tests);
  }

  void Store(std::vector<Row>& rows, const std::string& name, double ms) {
    auto it = std::find_if(rows.begin(), rows.end(),
                           [&](const Row& r) { return r.method == name; });
    if (it == rows.end()) it = rows.insert(rows.end(), {name, {}});
    it->ms[column_] = ms;
  }

  // Pairs are random, so few are near enough to tangency for the rounding of
  // float to decide: about one in a million. A conservative test may not miss
  // even one.
  void Check(const std::string& name, AnswerKind answer, size_t hits,
             size_t overlapping, size_t count) {
    const size_t off =
        hits > overlapping ? hits - overlapping : overlapping - hits;
    const bool right = answer == AnswerKind::kExact ? off <= 2 + count / 100'000
                                                    : hits >= overlapping;
    if (right) return;
    right_ = false;
    std::fprintf(stderr,
                 "%s %s: %zu of %zu pairs reported, %zu overlap; the test is "
                 "wrong\n",
                 table_.title.c_str(), name.c_str(), hits, count, overlapping);
  }

  Table& table_;
  const Options& options_;
  Stopwatch stopwatch_;
  size_t column_ = 0;
  bool right_ = true;
};

constexpr char kUsage[] =
    "usage: paper_tables [--count N] [--repetitions N] [--json] [--svg FILE]\n";

std::optional<uint64_t> ParseNumber(const char* text, uint64_t max) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0') return std::nullopt;
  if (value == 0 || value > max) return std::nullopt;
  return value;
}

std::optional<Options> Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == argc) return std::nullopt;
    const char* const value = argv[++i];
    if (flag == "--svg") {
      options.svg = value;
    } else if (flag == "--count") {
      // Fifty pairs have at least one of each kind at 5 %.
      const auto count = ParseNumber(value, 100'000'000);
      if (!count.has_value() || *count < 50) return std::nullopt;
      options.count = *count;
    } else if (flag == "--repetitions") {
      const auto repetitions = ParseNumber(value, 1000);
      if (!repetitions.has_value()) return std::nullopt;
      options.repetitions = static_cast<int>(*repetitions);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int Main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  const std::optional<Options> options = Parse(argc, argv);
  if (!options.has_value()) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::vector<Table> tables(2);
  tables[0].key = "sphere_aabb";
  tables[0].title = "Sphere-AABB";
  tables[1].key = "sphere_obb";
  tables[1].title = "Sphere-OBB";
  bool right = Measurement<Aabbf>(tables[0], *options).Run();
  right = Measurement<Obbf>(tables[1], *options).Run() && right;
  if (options->json) {
    PrintJson(tables);
  } else {
    PrintText(tables, options->count);
  }
  if (!options->svg.empty() &&
      !WriteSvg(tables, options->count, options->svg)) {
    std::fprintf(stderr, "cannot write %s\n", options->svg.c_str());
    return 4;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace orbox::bench

int main(int argc, char** argv) { return orbox::bench::Main(argc, argv); }
