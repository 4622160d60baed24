// SPDX-License-Identifier: Apache-2.0

// Searches for a wrong result in hundreds of millions of adversarial pairs:
// grazing, tangent, denormal, at 2^20 offsets, needles, flat and point boxes,
// zero radii.
//
//   certify --count 100000000 --seed 1
//
// Conservative tests and batches may never miss an overlap; the exact tests
// must agree with the oracle (long double if that is certain, else rationals).
// The tests run the same checks on smaller counts. Prints the checks; exits
// with 1 at the first wrong result.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/boxes/batch.h"
#include "orbox/overlap/boxes/sphere_box_exact.h"
#include "orbox/overlap/boxes/variants.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/shape_generator.h"

namespace orbox::bench {
namespace {

struct Totals {
  uint64_t pairs = 0;
  uint64_t rejected = 0;  // rejections that the oracle confirmed
  uint64_t exact = 0;     // decisions in double that the oracle confirmed
  ArithmeticCounts counts;
};

template <typename Shapes>
[[noreturn]] void Report(const char* what, uint64_t pair, const Shapes& s) {
  std::fprintf(stderr, "%s is wrong on pair %llu; sphere at %a %a %a of %a\n",
               what, static_cast<unsigned long long>(pair),
               static_cast<double>(s.center.x), static_cast<double>(s.center.y),
               static_cast<double>(s.center.z), static_cast<double>(s.radius));
  std::exit(1);
}

// One chunk of float pairs through the rows and, on every instruction set, the
// batch. The oracle runs once for each pair that any test rejected.
template <typename Box, typename Table, typename Rows, typename Next>
void CertifyConservative(const Rows& rows, Next next, size_t n,
                         Totals& totals) {
  std::vector<Spheref> spheres(n);
  std::vector<Box> boxes(n);
  for (size_t i = 0; i < n; ++i) {
    const auto [s, b] = next();
    spheres[i] = s;
    boxes[i] = b;
  }
  std::vector<const char*> rejected_by(n, nullptr);
  for (const auto& row : rows) {
    if (row.answer != AnswerKind::kConservative) continue;
    for (size_t i = 0; i < n; ++i) {
      if (!row.overlaps(spheres[i], boxes[i])) rejected_by[i] = row.name.data();
    }
  }
  const SphereTable sphere_table(spheres);
  const Table box_table(boxes);
  std::vector<uint64_t> bits(WordsFor(n));
  for (InstructionSet set : SupportedInstructionSets()) {
    SetInstructionSet(set);
    TestPairs(AnswerKind::kConservative, sphere_table.view(), box_table.view(),
              bits);
    for (size_t i = 0; i < n; ++i) {
      if ((bits[i / 64] >> (i % 64) & 1) == 0) rejected_by[i] = "batch";
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (rejected_by[i] == nullptr) continue;
    ++totals.rejected;
    if (exact::Overlaps(spheres[i], boxes[i])) {
      Report(rejected_by[i], totals.pairs + i, spheres[i]);
    }
  }
  totals.pairs += n;
}

void CertifyExact(ShapeGenerator<double>& generator, size_t n, Totals& totals) {
  for (size_t i = 0; i < n; ++i) {
    const auto [s, b] = generator.NextAabb();
    if (Overlaps(s, b, &totals.counts) != exact::Overlaps(s, b)) {
      Report("Overlaps(Sphere, Aabb)", totals.exact, s);
    }
    ++totals.exact;
  }
}

uint64_t NumberAfter(int argc, char** argv, const char* flag,
                     uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], flag) == 0) {
      return std::strtoull(argv[i + 1], nullptr, 10);
    }
  }
  return otherwise;
}

int Main(int argc, char** argv) {
  const uint64_t count = NumberAfter(argc, argv, "--count", 1'000'000);
  const uint64_t seed = NumberAfter(argc, argv, "--seed", 1);
  ShapeGenerator<float> floats(seed);
  ShapeGenerator<double> doubles(seed);
  Totals totals;
  constexpr size_t kChunk = 4096;
  while (totals.pairs < count) {
    CertifyConservative<Aabbf, AabbTable>(
        kSphereAabbVariants, [&] { return floats.NextAabb(); }, kChunk, totals);
    CertifyConservative<Obbf, ObbTable>(
        kSphereObbVariants, [&] { return floats.NextObb(); }, kChunk, totals);
    // Every third pair in double or so is tangent, and rationals are slow.
    CertifyExact(doubles, kChunk / 64, totals);
  }
  SetInstructionSet(std::nullopt);
  std::printf(
      "%llu pairs through every conservative test and batch on %zu instruction "
      "sets: %llu rejections, no overlap missed\n"
      "%llu exact decisions, all right: %llu in double, %llu in exact "
      "arithmetic\n",
      static_cast<unsigned long long>(totals.pairs),
      SupportedInstructionSets().size(),
      static_cast<unsigned long long>(totals.rejected),
      static_cast<unsigned long long>(totals.exact),
      static_cast<unsigned long long>(totals.counts.by_double),
      static_cast<unsigned long long>(totals.counts.by_exact));
  return 0;
}

}  // namespace
}  // namespace orbox::bench

int main(int argc, char** argv) { return orbox::bench::Main(argc, argv); }
