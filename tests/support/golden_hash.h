// SPDX-License-Identifier: Apache-2.0

// Results of queries as one number, which tests have recorded: equal on every
// machine, by every compiler.
//
//   void Overlaps(const Case& c, Hash& hash) {
//     hash.Add(AllOverlaps(c.a, c.b));
//   }
//   constexpr Golden<Case> kGolden[] = {
//       {"Overlaps", Overlaps, 0xa1c2ddf1593abaa7},
//   };
#ifndef ORBOX_TESTS_SUPPORT_GOLDEN_HASH_H_
#define ORBOX_TESTS_SUPPORT_GOLDEN_HASH_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "orbox/orbox.h"

namespace orbox {

// FNV-1a by words of eight bytes; values, not their memory, whose padding
// nobody defines.
class Hash {
 public:
  void Add(uint64_t word) {
    constexpr uint64_t kPrime = 0x100000001b3;
    value_ = (value_ ^ word) * kPrime;
    value_ ^= value_ >> 29;
  }
  void Add(double x) { Add(std::bit_cast<uint64_t>(x)); }
  void Add(std::string_view bytes) {
    Add(uint64_t{bytes.size()});
    for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i,
                  std::min(sizeof(word), bytes.size() - i));
      Add(word);
    }
  }
  void Add(const Vec3& v) {
    Add(v.x);
    Add(v.y);
    Add(v.z);
  }
  void Add(const TrianglePair& p) { Add(uint64_t{p.a} << 32 | p.b); }
  void Add(const PairDistance& p) {
    Add(p.triangles);
    Add(p.distance);
  }
  void Add(const SurfacePoint& p) {
    Add(uint64_t{p.triangle});
    Add(p.distance);
    Add(p.point);
  }
  void Add(const RayHit& hit) {
    Add(uint64_t{hit.triangle});
    Add(hit.t);
    Add(hit.barycentric);
    Add(hit.point);
  }
  void Add(const SweepHit& hit) {
    Add(uint64_t{hit.triangle});
    Add(hit.earliest);
    Add(hit.latest);
    Add(hit.point);
  }
  void Add(const BodyPair& p) { Add(uint64_t{p.a} << 32 | p.b); }
  void Add(const BodyPairGap& g) {
    Add(g.bodies);
    Add(g.gap);
  }
  void Add(const BodyGap& g) {
    Add(uint64_t{g.body});
    Add(g.gap);
  }
  void Add(const BodyPoint& p) {
    Add(uint64_t{p.body});
    Add(p.surface);
  }
  void Add(const BodyTriangle& t) { Add(uint64_t{t.body} << 32 | t.triangle); }
  void Add(const BodyHit& h) {
    Add(uint64_t{h.body});
    Add(h.hit);
  }
  void Add(const ContactEvent& e) {
    Add(e.bodies);
    Add(static_cast<uint64_t>(e.change));
  }
  void Add(const MotionContact& c) {
    Add(c.earliest);
    Add(c.latest);
  }
  void Add(const DeformingContact& c) {
    Add(c.earliest);
    Add(c.latest);
    Add(c.triangles);
    Add(c.point);
  }
  void Add(const TimeOfContactResult& r) {
    Add(static_cast<uint64_t>(r.outcome));
    Add(r.earliest);
    Add(r.latest);
    Add(Witness{r.triangles, r.distance, r.on_a, r.on_b});
    Add(static_cast<uint64_t>(r.steps));
  }
  // The triangles that are reported for overlapping meshes depend on their
  // trees.
  void Add(const Witness& d) {
    Add(d.distance);
    if (d.distance == 0) return;
    Add(d.triangles);
    Add(d.on_a);
    Add(d.on_b);
  }
  template <typename T>
  void Add(const std::optional<T>& value) {
    Add(uint64_t{value.has_value()});
    if (value) Add(*value);
  }
  template <typename T>
  void Add(std::span<const T> values) {
    Add(uint64_t{values.size()});
    for (const T& value : values) {
      if constexpr (std::is_integral_v<T>) {
        Add(uint64_t{value});
      } else {
        Add(value);
      }
    }
  }
  template <typename T>
  void Add(const std::vector<T>& values) {
    Add(std::span<const T>(values));
  }
  template <typename T>
  void Add(const Lists<T>& lists) {
    Add(uint64_t{lists.size()});
    for (size_t i = 0; i < lists.size(); ++i) Add(lists[i]);
  }
  template <typename Body, typename T>
  void Add(const ListsOfBodies<Body, T>& lists) {
    Add(lists.bodies);
    Add(lists.pairs);
  }

  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

// Expects the hash that is written down, and leaves what it found in the test's
// report, of which tools/scripts/golden_hash.sh makes one number.
inline void ExpectGolden(uint64_t found, uint64_t expected) {
  const std::string text = absl::StrCat(absl::Hex(found, absl::kZeroPad16));
  testing::Test::RecordProperty("golden", text);
  EXPECT_EQ(found, expected) << "0x" << text;
}

// A row of a test of golden hashes: a query of a case, and the hash that all
// cases must have.
template <typename Case>
struct Golden {
  uint64_t HashOf(const Case& c) const {
    Hash hash;
    add(c, hash);
    return hash.value();
  }

  const char* name;
  void (*add)(const Case& c, Hash& hash);
  uint64_t expected;
};

template <typename Case>
void PrintTo(const Golden<Case>& golden, std::ostream* out) {
  *out << golden.name;
}

// The last argument of INSTANTIATE_TEST_SUITE_P.
template <typename Case>
std::string NameOfGolden(const testing::TestParamInfo<Golden<Case>>& instance) {
  return instance.param.name;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_GOLDEN_HASH_H_
