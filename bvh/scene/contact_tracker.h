// SPDX-License-Identifier: Apache-2.0

// Pairs of bodies that begin, continue or end contact from frame to frame.
//
//   ContactTracker tracker(0.01);      // within a distance; 0: overlapping
//   for (...) {
//     scene.Move(body, pose); scene.Update();                  // a frame
//     tracker.Update(scene);
//     for (const ContactEvent& e : tracker.events()) ...
//   }
//
// The pairs, and the gaps if requested, are those of AllWithin (scene_within.h)
// in each frame, to the last bit. Results of the last frame make the next one
// cheaper. A pair is skipped if neither body moved, or if both together moved
// less than their last distance. The triangles that were closest bound the next
// distance.
//
// A body is identified by its number. If a body is removed and another one gets
// its number, the tracker treats both as the same body. Memory: some bytes for
// each pair whose bounds are close enough, and a pose for each body. If memory
// runs out, Update throws std::bad_alloc. Then contacts, events and gaps remain
// those of the previous update, and the next Update reports all changes since
// that update. Not thread-safe, except for reading between updates.
#ifndef ORBOX_BVH_SCENE_CONTACT_TRACKER_H_
#define ORBOX_BVH_SCENE_CONTACT_TRACKER_H_

#include <compare>
#include <cstddef>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class ContactChange { kBegin, kStay, kEnd };

struct ContactEvent {
  BodyPair bodies;
  ContactChange change = ContactChange::kBegin;

  friend auto operator<=>(const ContactEvent&, const ContactEvent&) = default;
};

// With kYes, the tracker computes the gaps of pairs in contact. A gap needs a
// distance query instead of a faster test.
enum class ContactGaps { kNo, kYes };

class ORBOX_EXPORT ContactTracker {
 public:
  // Two bodies are in contact if they are within this distance. Ends the
  // program with a message if it is negative or NaN.
  explicit ContactTracker(double within = 0,
                          ContactGaps gaps = ContactGaps::kNo);
  ~ContactTracker();
  ContactTracker(ContactTracker&&) noexcept;
  ContactTracker& operator=(ContactTracker&&) noexcept;

  // Advances to the next frame. Requires that the scene is up to date
  // (Scene::Update). The scene may be another one than in the previous frame.
  // If the form with run options returns an error (query_options.h), the
  // results are unchanged, and the next Update queries all pairs again.
  void Update(const Scene& scene);
  absl::Status Update(const Scene& scene, const RunOptions& options);

  // Results of the last Update, ascending by bodies, valid until the next.
  // There is an event for each pair that is in contact in this frame or was in
  // contact in the previous one.
  std::span<const BodyPair> contacts() const;
  std::span<const ContactEvent> events() const;
  // The gaps of the contacts: gaps()[i] belongs to contacts()[i]. Empty without
  // ContactGaps::kYes.
  std::span<const BodyPairGap> gaps() const;

  // Number of pairs whose meshes were queried. The other pairs were decided by
  // the results of earlier frames.
  size_t pairs_looked_at() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_CONTACT_TRACKER_H_
