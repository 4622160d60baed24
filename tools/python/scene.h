// SPDX-License-Identifier: Apache-2.0

// A scene that several threads may query and change. Changes wait for running
// queries, and queries wait for running changes.
//
//   return NumpyColumns(ValueOnScene(
//       scene, run, [](const Scene& s, const RunOptions& options) {
//         return AllOverlaps(s, options);
//       }));
#ifndef ORBOX_TOOLS_PYTHON_SCENE_H_
#define ORBOX_TOOLS_PYTHON_SCENE_H_

#include <nanobind/nanobind.h>

#include <mutex>
#include <shared_mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "tools/python/calls.h"
#include "tools/python/clash.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <>
struct FieldsOf<BodyPairGap> {
  static auto Of(const BodyPairGap& g) {
    return std::tuple_cat(FieldsOf<BodyPair>::Of(g.bodies),
                          FieldsOf<Witness>::Of(g.gap));
  }
};
template <>
struct FieldsOf<BodyPairClash> {
  static auto Of(const BodyPairClash& c) {
    return std::tuple_cat(FieldsOf<BodyPair>::Of(c.bodies),
                          FieldsOf<Clash>::Of(c.clash));
  }
};
template <>
struct FieldsOf<BodyGap> {
  static auto Of(const BodyGap& g) {
    return std::tuple_cat(FieldsOf<BodyId>::Of(g.body),
                          FieldsOf<Witness>::Of(g.gap));
  }
};

class SharedScene {
 public:
  // Calls work(scene) after running queries have ended. Releases the
  // interpreter's lock meanwhile, because these queries may need it.
  template <typename Work>
  auto Change(Work work) {
    const nb::gil_scoped_release unlocked;
    const std::unique_lock lock(mutex_);
    is_old_ = true;
    return work(scene_);
  }

  // Calls work(scene) with the scene after its last change. Other threads
  // cannot change the scene meanwhile.
  template <typename Work>
  auto Read(Work work) {
    while (true) {
      {
        const std::shared_lock lock(mutex_);
        if (!is_old_) return work(static_cast<const Scene&>(scene_));
      }
      const std::unique_lock lock(mutex_);
      if (is_old_) scene_.Update();
      is_old_ = false;
    }
  }

 private:
  Scene scene_;
  std::shared_mutex mutex_;
  bool is_old_ = false;
};

// Returns the value of call(scene, options).
template <typename Call>
auto ValueOnScene(SharedScene& scene, const CallOptions& run,
                  const Call& call) {
  return ValueOf(
      RunQuery(run, true, RunOptions(), [&](const RunOptions& options) {
        return scene.Read([&](const Scene& s) { return call(s, options); });
      }));
}

// Binds the queries of pairs of bodies.
void BindScenePairs(nb::class_<SharedScene>& scene);

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_SCENE_H_
