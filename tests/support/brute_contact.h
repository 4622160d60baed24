// SPDX-License-Identifier: Apache-2.0

// The first contact of deforming meshes, by testing every pair of triangles.
#ifndef ORBOX_TESTS_SUPPORT_BRUTE_CONTACT_H_
#define ORBOX_TESTS_SUPPORT_BRUTE_CONTACT_H_

#include <algorithm>
#include <optional>

#include "orbox/bvh/motion/deforming_contact.h"
#include "orbox/overlap/motion/moving_triangles.h"

namespace orbox::brute_force {

// Takes the contact of two triangles into that of the meshes. Requires calls in
// the order of ids: the first of equal contacts stays.
inline void KeepFirst(TrianglePair ids,
                      const std::optional<MotionContact>& contact,
                      std::optional<DeformingContact>* best) {
  if (!contact) return;
  if (!*best) {
    *best = {contact->earliest, contact->latest, ids, {}};
    return;
  }
  (*best)->earliest = std::min((*best)->earliest, contact->earliest);
  if (contact->latest < (*best)->latest) {
    (*best)->latest = contact->latest;
    (*best)->triangles = ids;
  }
}

}  // namespace orbox::brute_force

#endif  // ORBOX_TESTS_SUPPORT_BRUTE_CONTACT_H_
