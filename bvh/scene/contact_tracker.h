// Which bodies come into contact from frame to frame, stay in it, and part?
//
//   ContactTracker tracker(0.01);          // within a distance; 0: meeting
//   for (...) {
//     scene.Move(body, pose); scene.Update();                  // a frame
//     tracker.Update(scene);
//     for (const ContactEvent& e : tracker.events()) ...
//   }
//
// The pairs are those that BodiesWithin (scene_pairs.h) finds in each frame,
// and so are their gaps where they are asked for, to the last bit. What was
// found in the frame before makes it cheaper: two bodies that were further
// apart than they can have moved since are not looked at, nor are two that did
// not move; and the triangles that were closest bound the next distance.
// Contacts are of numbers: a body that was removed and another one that was
// given its number are the same here. Memory for each pair whose bounds are
// close enough, and a pose for each body. Where that runs out, Update throws
// std::bad_alloc: contacts, events and gaps are still those of the update
// before, and the next one tells what has changed since then. Not thread-safe,
// but for reading between updates.
#ifndef ORBOX_BVH_SCENE_CONTACT_TRACKER_H_
#define ORBOX_BVH_SCENE_CONTACT_TRACKER_H_

#include <compare>
#include <cstddef>
#include <memory>
#include <span>

#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_pairs.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class ContactChange { kBegin, kStay, kEnd };

struct ContactEvent {
  BodyPair bodies;
  ContactChange change = ContactChange::kBegin;

  friend auto operator<=>(const ContactEvent&, const ContactEvent&) = default;
};

// Whether the gaps of pairs in contact are wanted: takes a distance query where
// a yes or no would do.
enum class ContactGaps { kNo, kYes };

class ORBOX_EXPORT ContactTracker {
 public:
  // Two bodies are in contact within this distance; never, where it is negative
  // or NaN.
  explicit ContactTracker(double within = 0,
                          ContactGaps gaps = ContactGaps::kNo);
  ~ContactTracker();
  ContactTracker(ContactTracker&&) noexcept;
  ContactTracker& operator=(ContactTracker&&) noexcept;

  // The next frame. Requires that the scene is up to date (Scene::Update); it
  // may be another one.
  void Update(const Scene& scene, const SceneOptions& options = {});

  // Of the last Update, ascending by their bodies, and valid until the next. An
  // event for each pair that is in contact, or was in the frame before.
  std::span<const BodyPair> contacts() const;
  std::span<const ContactEvent> events() const;
  // With ContactGaps::kYes that of each contact, at its place; otherwise none.
  std::span<const BodyGap> gaps() const;

  // Of how many pairs the meshes were looked at; of the others, what was known
  // sufficed.
  size_t pairs_looked_at() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_CONTACT_TRACKER_H_
