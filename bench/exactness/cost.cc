// SPDX-License-Identifier: Apache-2.0

#include "bench/exactness/cost.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

#include "bench/exactness/decisions.h"
#include "bench/exactness/float_queries.h"
#include "orbox/orbox.h"

namespace orbox::exactness {
namespace {

// A result as a number: a distance, or a value of a set that few other sets
// have.
using Call = double (*)(const Questions& q, size_t i);

struct CostWork {
  const char* name;
  // Results are equal if they differ by no more than this fraction of them. The
  // error of a right distance in float is about 1e-4.
  double same;
  size_t (*count)(const Questions& q);
  Call exact;
  Call floats;
};

uint64_t Mixed(uint64_t key) { return (key + 1) * 0x9e3779b97f4a7c15u >> 12; }

double NumberOf(const std::vector<uint32_t>& ids) {
  uint64_t sum = 0;
  for (const uint32_t id : ids) sum += Mixed(id);
  return static_cast<double>(sum % (uint64_t{1} << 53));
}
double NumberOf(const std::optional<RayHit>& hit) { return hit ? hit->t : -1; }
double NumberOf(const std::vector<TrianglePair>& pairs) {
  uint64_t sum = 0;
  for (const TrianglePair& p : pairs) sum += Mixed(Mixed(p.a) + p.b);
  return static_cast<double>(sum % (uint64_t{1} << 53));
}
double NumberOf(const std::vector<PairDistance>& pairs) {
  uint64_t sum = 0;
  for (const PairDistance& p : pairs) {
    sum += Mixed(Mixed(p.triangles.a) + p.triangles.b);
  }
  return static_cast<double>(sum % (uint64_t{1} << 53));
}

std::vector<uint32_t>& Room() {
  static std::vector<uint32_t> ids;
  ids.clear();
  return ids;
}

template <auto Balls>
double Ball(const Questions& q, size_t i) {
  std::vector<uint32_t>& ids = Room();
  AppendOverlaps(q.tree, (q.*Balls)[i], &ids, IdOrder::kOfTree);
  return NumberOf(ids);
}
template <auto Balls>
double FloatBall(const Questions& q, size_t i) {
  std::vector<uint32_t>& ids = Room();
  FloatAppendInRange(q.tree, (q.*Balls)[i], &ids);
  return NumberOf(ids);
}

template <auto Points>
double Closest(const Questions& q, size_t i) {
  return ClosestPoint(q.tree, (q.*Points)[i])->distance;
}
template <auto Points>
double FloatClosest(const Questions& q, size_t i) {
  return FloatClosestPoint(q.tree, (q.*Points)[i]).distance;
}

template <auto Poses>
double Distance(const Questions& q, size_t i) {
  return ClosestPair(Posed<Poses>(q, i), q.pairs.b)->distance;
}
template <auto Poses>
double FloatDistance(const Questions& q, size_t i) {
  return FloatMeshDistance(Posed<Poses>(q, i), q.pairs.b).distance;
}

using Q = Questions;
using P = PairQuestions;

constexpr CostWork kWorks[] = {
    {"triangles in a ball, 1 %", 0, CountOf<&Q::small_balls>,
     Ball<&Q::small_balls>, FloatBall<&Q::small_balls>},
    {"triangles in a ball, 5 %", 0, CountOf<&Q::large_balls>,
     Ball<&Q::large_balls>, FloatBall<&Q::large_balls>},
    {"closest point, near", 1e-4, CountOf<&Q::near>, Closest<&Q::near>,
     FloatClosest<&Q::near>},
    {"closest point, far", 1e-4, CountOf<&Q::far>, Closest<&Q::far>,
     FloatClosest<&Q::far>},
    {"hit by a ray, any", 0, CountOf<&Q::rays>,
     [](const Q& q, size_t i) { return AnyHit(q.tree, q.rays[i]) ? 1.0 : 0.0; },
     [](const Q& q, size_t i) {
       return FloatAnyHit(q.tree, q.rays[i]) ? 1.0 : 0.0;
     }},
    {"hit by a ray, closest", 1e-4, CountOf<&Q::rays>,
     [](const Q& q, size_t i) {
       return NumberOf(ClosestHit(q.tree, q.rays[i]));
     },
     [](const Q& q, size_t i) {
       return NumberOf(FloatClosestHit(q.tree, q.rays[i]));
     }},
    {"meshes meet", 0, CountOfPairs<&P::half_meeting>,
     [](const Q& q, size_t i) {
       return AnyOverlap(Posed<&P::half_meeting>(q, i), q.pairs.b) ? 1.0 : 0.0;
     },
     [](const Q& q, size_t i) {
       return FloatMeshesOverlap(Posed<&P::half_meeting>(q, i), q.pairs.b)
                  ? 1.0
                  : 0.0;
     }},
    {"all meeting pairs", 0, CountOfPairs<&P::meeting>,
     [](const Q& q, size_t i) {
       return NumberOf(AllOverlaps(Posed<&P::meeting>(q, i), q.pairs.b));
     },
     [](const Q& q, size_t i) {
       return NumberOf(
           FloatOverlappingPairs(Posed<&P::meeting>(q, i), q.pairs.b));
     }},
    {"meshes within 1 %", 0, CountOfPairs<&P::nearly_meeting>,
     [](const Q& q, size_t i) {
       return AnyWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b, 0.01) ? 1.0
                                                                          : 0.0;
     },
     [](const Q& q, size_t i) {
       return FloatMeshesWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b,
                                0.01)
                  ? 1.0
                  : 0.0;
     }},
    {"pairs within 1 %", 0, CountOfPairs<&P::nearly_meeting>,
     [](const Q& q, size_t i) {
       return NumberOf(
           AllWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b, 0.01));
     },
     [](const Q& q, size_t i) {
       return NumberOf(
           FloatPairsWithin(Posed<&P::nearly_meeting>(q, i), q.pairs.b, 0.01));
     }},
    {"distance of meshes, near", 1e-4, CountOfPairs<&P::nearly_meeting>,
     Distance<&P::nearly_meeting>, FloatDistance<&P::nearly_meeting>},
    {"distance of meshes, far", 1e-4, CountOfPairs<&P::apart>,
     Distance<&P::apart>, FloatDistance<&P::apart>},
};

double Now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Costs {
  double log_ratio = 0;
  double highest = 0;
  double log_ns = 0;
  size_t meshes = 0;
  size_t queries = 0;
  size_t differences = 0;

  void Print(const char* name) const {
    const auto n = static_cast<double>(meshes);
    std::printf("| %s | %.3g | %.2f | %.2f | %zu of %zu |\n", name,
                1e-3 * std::exp(log_ns / n), std::exp(log_ratio / n), highest,
                differences, queries);
  }
};

void Compare(const CostWork& work, const Questions& q, Costs* costs) {
  const size_t count = work.count(q);
  for (size_t i = 0; i < count; ++i) {
    const double exact = work.exact(q, i);
    const double floats = work.floats(q, i);
    const bool is_same =
        std::abs(exact - floats) <=
        work.same * std::max(std::abs(exact), 1e-3 * q.diagonal);
    costs->differences += is_same ? 0 : 1;
  }
  costs->queries += count;
}

void Measure(const CostWork& work, const Questions& q, double seconds,
             Costs* costs) {
  const size_t count = work.count(q);
  if (count == 0) return;
  constexpr size_t kFewest = 7;
  // Some passes take microseconds: several make one.
  double begin = Now();
  for (size_t i = 0; i < count; ++i) work.exact(q, i);
  const auto repeats =
      static_cast<size_t>(1 + 0.005 / std::max(1e-9, Now() - begin));
  const auto pass = [&](Call call) {
    begin = Now();
    for (size_t k = 0; k < repeats; ++k) {
      for (size_t i = 0; i < count; ++i) call(q, i);
    }
    return Now() - begin;
  };
  std::vector<double> exact;
  std::vector<double> ratios;
  const double end = Now() + seconds;
  while (exact.size() < kFewest || Now() < end) {
    const double floats = pass(work.floats);
    exact.push_back(pass(work.exact));
    // Compared with the passes before and after, so that drifts cancel.
    ratios.push_back(2 * exact.back() / (floats + pass(work.floats)));
  }
  const double ratio = Median(ratios);
  costs->log_ratio += std::log(ratio);
  costs->highest = std::max(costs->highest, ratio);
  costs->log_ns +=
      std::log(Median(exact) * 1e9 / static_cast<double>(count * repeats));
  ++costs->meshes;
}

}  // namespace

void PrintCosts(const std::vector<peers::MeshCase>& cases, double seconds,
                const std::string& part_of_name) {
  std::vector<CostWork> works;
  for (const CostWork& work : kWorks) {
    if (std::string(work.name).find(part_of_name) != std::string::npos) {
      works.push_back(work);
    }
  }
  std::vector<Costs> costs(works.size());
  for (const peers::MeshCase& mesh : cases) {
    const Questions questions = AtRandom(mesh);
    for (size_t w = 0; w < works.size(); ++w) {
      Compare(works[w], questions, &costs[w]);
      Measure(works[w], questions, seconds, &costs[w]);
    }
    std::fprintf(stderr, "%s done\n", mesh.name.c_str());
  }
  std::printf(
      "| question | us | beside float | most | float's answer differs |\n"
      "| --- | ---: | ---: | ---: | ---: |\n");
  for (size_t w = 0; w < works.size(); ++w) {
    costs[w].Print(works[w].name);
  }
}

}  // namespace orbox::exactness
