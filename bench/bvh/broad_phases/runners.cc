// SPDX-License-Identifier: Apache-2.0

#include "bench/bvh/broad_phases/runner.h"
#include "orbox/bvh/broad_phases/broad_phases.h"

namespace orbox::broad_bench {
namespace {

class OrboxRunner final : public Runner {
 public:
  explicit OrboxRunner(BroadPhaseKind kind) : phase_(MakeBroadPhase(kind)) {}

  size_t Frame(std::span<const Ball> balls,
               std::span<const BodyId> moved) override {
    if (is_first_) {
      for (BodyId i = 0; i < balls.size(); ++i) {
        phase_->Insert(i, balls[i].Box());
      }
      is_first_ = false;
    } else {
      for (const BodyId i : moved) phase_->Move(i, balls[i].Box());
    }
    phase_->Update();
    size_t count = 0;
    for (const BodyPair& pair : phase_->pairs()) count += pair.a < pair.b;
    return count;
  }

  std::vector<BodyPair> Pairs() const override {
    return {phase_->pairs().begin(), phase_->pairs().end()};
  }

 private:
  std::unique_ptr<BroadPhase> phase_;
  bool is_first_ = true;
};

}  // namespace

std::vector<RunnerRow> Runners() {
  std::vector<RunnerRow> rows;
  for (const BroadPhaseRow& row : kBroadPhases) {
    rows.push_back({std::string(row.name), false,
                    [](int kind) -> std::unique_ptr<Runner> {
                      return std::make_unique<OrboxRunner>(
                          static_cast<BroadPhaseKind>(kind));
                    },
                    static_cast<int>(row.kind)});
  }
#ifdef ORBOX_PEER_FCL
  AppendFclRunners(&rows);
#endif
#ifdef ORBOX_PEER_BULLET
  AppendBulletRunners(&rows);
#endif
  return rows;
}

}  // namespace orbox::broad_bench
