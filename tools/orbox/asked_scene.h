// SPDX-License-Identifier: Apache-2.0

// The input of `orbox clash`: the bodies, and the question.
#ifndef ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_
#define ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_

#include <cstddef>
#include <span>

#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/scene_file.h"
#include "tools/orbox/scene_frames.h"
#include "tools/report/scene_facts.h"

namespace orbox::cli {

struct AskedScene {
  report::SceneFacts facts;
  std::span<const SceneBody> bodies;
  std::span<const Tree> trees;  // one a body
  const SceneFrames* frames = nullptr;
  ClashQuestion question;
  size_t accepted = 0;  // pairs that are left out because they are accepted
  bool places = false;  // whether the places of clashes are asked for
  bool depths = false;  // whether their depths are asked for

  bool moves = false;  // has a motion, perhaps of a single frame
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ASKED_SCENE_H_
