// SPDX-License-Identifier: Apache-2.0

// Sentences of `orbox clash` about a pair of bodies.
//
//   ClashSentence(pair, scene)       // "duct and wall clash, 3 mm thick"
//   WhereOf(pair)                    // "    around (1, 2, 3)\n"
//   VolumeLine(pair.clash)           // "    volume 0.98 to 1.02 m^3\n"
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_SENTENCES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_SENTENCES_H_

#include <optional>

#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/scene_frames.h"

namespace orbox::cli {

// Returns the middle of the shared region or of the gap.
std::optional<Vec3> PlaceOf(const Clash& clash);

// Returns a sentence about the relation of two bodies, without an end of line.
Phrase ClashSentence(const BodyClash& pair, const ClashInput& scene);

// Returns a second line, with the position.
Phrase WhereOf(const BodyClash& pair);

// Returns a line with the bounds of the volume of the shared region, or an
// empty phrase if the volume was not measured.
Phrase VolumeLine(const Clash& clash);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_SENTENCES_H_
