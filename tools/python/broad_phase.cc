// SPDX-License-Identifier: Apache-2.0

// Broad phases: the overlapping pairs of many boxes, from frame to frame.
#include "orbox/bvh/broad_phase/broad_phase.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orbox/bvh/broad_phase/pair_changes.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"

namespace orbox::python {

namespace {

// Limit of body numbers, because memory is proportional to the largest one.
constexpr int64_t kMostBodies = int64_t{1} << 28;

using Ids =
    nb::ndarray<const int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void Refuse(size_t row, int64_t id, const char* why) {
  throw nb::value_error(("bodies: row " + std::to_string(row) + " is " +
                         std::to_string(id) + ", " + why)
                            .c_str());
}

// A broad phase that serves one call at a time.
class SharedBroadPhase {
 public:
  explicit SharedBroadPhase(std::string_view kind) {
    const auto* row =
        std::ranges::find(kBroadPhases, kind, &BroadPhaseRow::name);
    if (row == std::end(kBroadPhases)) {
      throw nb::value_error("kind: there is no such broad phase");
    }
    phase_ = MakeBroadPhase(row->kind);
  }

  // Inserts or moves a body for each box.
  void Set(const Ids& ids, const DoubleRows<6>& array) {
    const ArrayRows<Aabb> boxes(array);
    if (ids.shape(0) != boxes.size()) {
      throw nb::value_error("bodies: there are not as many as boxes");
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (ids.data()[i] < 0 || ids.data()[i] >= kMostBodies) {
        Refuse(i, ids.data()[i], "and has to be 0 or more, and below 2**28");
      }
    }
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < boxes.size(); ++i) {
      const auto body = static_cast<BodyId>(ids.data()[i]);
      if (!IsValid(boxes[i])) continue;  // another thread changed it
      if (present_.insert(body).second) {
        phase_->Insert(body, boxes[i]);
      } else {
        phase_->Move(body, boxes[i]);
      }
    }
  }

  void Remove(const Ids& ids) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < ids.shape(0); ++i) {
      const int64_t id = ids.data()[i];
      if (id < 0 || id >= kMostBodies ||
          present_.erase(static_cast<BodyId>(id)) == 0) {
        Refuse(i, id, "and is not there");
      }
      phase_->Remove(static_cast<BodyId>(id));
    }
  }

  // Returns the pairs of overlapping boxes: all, and those that began and
  // ended.
  nb::tuple Update() {
    PairChanges changes;
    {
      const nb::gil_scoped_release unlocked;
      const std::lock_guard lock(mutex_);
      phase_->Update();
      const std::span<const BodyPair> now = phase_->pairs();
      changes = ChangesOf(pairs_, now);
      pairs_.assign(now.begin(), now.end());
    }
    return nb::make_tuple(NumpyColumns(pairs_), NumpyColumns(changes.begun),
                          NumpyColumns(changes.ended));
  }

  size_t size() const { return present_.size(); }

 private:
  std::unique_ptr<BroadPhase> phase_;
  std::unordered_set<BodyId> present_;
  std::vector<BodyPair> pairs_;
  std::mutex mutex_;
};

}  // namespace

void BindBroadPhase(nb::module_& m) {
  nb::class_<SharedBroadPhase>(m, "BroadPhase")
      .def(nb::init<std::string_view>())
      .def("set", &SharedBroadPhase::Set)
      .def("remove", &SharedBroadPhase::Remove)
      .def("update", &SharedBroadPhase::Update)
      .def("__len__", &SharedBroadPhase::size);
  nb::list names;
  for (const BroadPhaseRow& row : kBroadPhases) names.append(row.name);
  m.attr("broad_phases") = names;
}

}  // namespace orbox::python
