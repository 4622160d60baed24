// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/overlap/base/require.h"

namespace orbox {
namespace {

constexpr const char* kForBodies = "for the bodies of a scene; use fewer";

struct Body {
  PosedTree posed;
  std::shared_ptr<const MeshOutline> outline;  // of the tree before posing
  Tree tree;
  Aabb bounds;
};

// Returns a key that is unique among living trees.
const void* KeyOf(const Tree& tree) {
  return tree.storage() == Storage::kWide
             ? static_cast<const void*>(tree.nodes().data())
             : tree.compact_nodes().data();
}

absl::Status NoSuchBody(BodyId body) {
  return absl::NotFoundError(
      absl::StrCat("the scene has no body ", body,
                   "; add it, or use a number that Add "
                   "returned and Remove has not been given since"));
}

// Reserves memory for one element, so that the next push_back does not throw.
template <typename T>
void MakeRoomForOne(std::vector<T>* list) {
  if (list->size() == list->capacity()) list->reserve(2 * list->size() + 1);
}

void RequireBody(bool is_there, const char* where) {
  RequireThat(is_there, where, "the scene has no body of this number",
              "use one that Add returned and Remove has not been given since");
}

absl::Status AfterLastBody() {
  return absl::ResourceExhaustedError(
      "a scene has at most 2^32 - 1 bodies; remove some first");
}

}  // namespace

// Not a symbol of the shared library, although the enclosing class is exported.
struct [[gnu::visibility("hidden")]] Scene::Data {
  std::vector<std::optional<Body>> slots;  // by number
  // Free numbers below slots.size(), the lowest on top.
  std::priority_queue<BodyId, std::vector<BodyId>, std::greater<>> free;
  size_t count = 0;

  // Outlines by the KeyOf of their trees. An outline holds its tree, so the key
  // is not reused during the life of the outline.
  std::unordered_map<const void*, std::weak_ptr<const MeshOutline>> outlines;

  std::unique_ptr<BroadPhase> broad_phase;
  std::vector<BodyId> bodies;     // at the last Update, ascending
  std::vector<uint8_t> is_known;  // to the broad phase; by number
  // Bodies changed since the last Update. A body may occur several times.
  std::vector<BodyId> changed;
  bool is_up_to_date = true;

  const Body& At(BodyId body) const { return *slots[body]; }
  std::shared_ptr<const MeshOutline> OutlineOf(const Tree& tree);
  // Erases the outline of a body's old tree, unless another body uses it.
  void Forget(const Body& body) {
    if (body.outline.use_count() == 1) outlines.erase(KeyOf(body.tree));
  }
  void UpdateBroadPhase(BodyId body);
};

std::shared_ptr<const MeshOutline> Scene::Data::OutlineOf(const Tree& tree) {
  const auto known = outlines.find(KeyOf(tree));
  if (known != outlines.end()) {
    if (auto outline = known->second.lock()) return outline;
  }
  auto outline = std::make_shared<const MeshOutline>(tree);
  outlines[KeyOf(tree)] = outline;
  return outline;
}

void Scene::Data::UpdateBroadPhase(BodyId body) {
  const bool is_there = slots[body].has_value();
  if (is_there && is_known[body] != 0) {
    broad_phase->Move(body, At(body).bounds);
  } else if (is_there) {
    broad_phase->Insert(body, At(body).bounds);
  } else if (is_known[body] != 0) {
    broad_phase->Remove(body);
  }
  is_known[body] = is_there ? 1 : 0;
}

Scene::Scene() : Scene(MakeBroadPhase()) {}
Scene::Scene(std::unique_ptr<BroadPhase> broad_phase)
    : data_(std::make_unique<Data>()) {
  data_->broad_phase = std::move(broad_phase);
}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

Scene::Data& Scene::data() const {
  RequireThat(data_ != nullptr, "Scene", "the scene has been moved from",
              "use the one that it was moved to, or assign another to it");
  return *data_;
}

absl::StatusOr<BodyId> Scene::Add(const Tree& tree, const Pose& pose) {
  absl::StatusOr<PosedTree> posed = PosedTree::Create(tree, pose);
  if (!posed.ok()) return posed.status();
  if (data().free.empty() &&
      data().slots.size() == std::numeric_limits<BodyId>::max()) {
    return AfterLastBody();
  }
  return GuardMemory(kForBodies, [&]() -> absl::StatusOr<BodyId> {
    Body body{*std::move(posed), data().OutlineOf(tree), tree, {}};
    body.bounds = body.outline->BoundsAt(body.posed);
    const bool is_last = data().free.empty();
    const BodyId id =
        is_last ? static_cast<BodyId>(data().slots.size()) : data().free.top();
    // Calls that may throw come first, so that an exception leaves the scene
    // unchanged.
    MakeRoomForOne(&data().changed);
    if (is_last) {
      data().is_known.resize(id + size_t{1});
      data().slots.push_back(std::move(body));
    } else {
      data().slots[id] = std::move(body);
      data().free.pop();
    }
    data().changed.push_back(id);
    data().is_up_to_date = false;
    ++data().count;
    return id;
  });
}

absl::Status Scene::Move(BodyId body, const Pose& pose) {
  if (!Contains(body)) return NoSuchBody(body);
  return Reshape(body, data().At(body).tree, pose);
}

absl::Status Scene::Reshape(BodyId body, const Tree& tree, const Pose& pose) {
  if (!Contains(body)) return NoSuchBody(body);
  absl::StatusOr<PosedTree> posed = PosedTree::Create(tree, pose);
  if (!posed.ok()) return posed.status();
  return GuardMemory(kForBodies, [&] {
    data().changed.push_back(body);
    data().is_up_to_date = false;
    Body& b = *data().slots[body];
    if (KeyOf(tree) != KeyOf(b.tree)) {
      std::shared_ptr<const MeshOutline> outline = data().OutlineOf(tree);
      data().Forget(b);
      b.outline = std::move(outline);
      b.tree = Tree(tree);
    }
    b.posed = *std::move(posed);
    b.bounds = b.outline->BoundsAt(b.posed);
    return absl::OkStatus();
  });
}

absl::Status Scene::Remove(BodyId body) {
  if (!Contains(body)) return NoSuchBody(body);
  return GuardMemory(kForBodies, [&] {
    data().changed.push_back(body);
    data().is_up_to_date = false;
    data().free.push(body);
    data().Forget(data().At(body));
    data().slots[body].reset();
    --data().count;
    return absl::OkStatus();
  });
}

void Scene::Update() {
  Data& data = this->data();
  std::sort(data.changed.begin(), data.changed.end());
  data.changed.erase(std::unique(data.changed.begin(), data.changed.end()),
                     data.changed.end());
  for (const BodyId body : data.changed) data.UpdateBroadPhase(body);
  data.changed.clear();
  data.broad_phase->Update();
  data.bodies.clear();
  for (BodyId body = 0; body < data.is_known.size(); ++body) {
    if (data.is_known[body] != 0) data.bodies.push_back(body);
  }
  data.is_up_to_date = true;
}

bool Scene::is_up_to_date() const { return data().is_up_to_date; }

size_t Scene::body_count() const { return data().count; }

bool Scene::Contains(BodyId body) const {
  return body < data().slots.size() && data().slots[body].has_value();
}

BodyId Scene::id_end() const {
  size_t end = data().slots.size();
  while (end > 0 && !data().slots[end - 1]) --end;
  return static_cast<BodyId>(end);
}

const PosedTree& Scene::body(BodyId body) const {
  RequireBody(Contains(body), "Scene::body");
  return data().At(body).posed;
}

const Aabb& Scene::bounds(BodyId body) const {
  RequireBody(Contains(body), "Scene::bounds");
  return data().At(body).bounds;
}

std::span<const BodyId> Scene::bodies() const { return data().bodies; }

std::span<const BodyPair> Scene::pairs_of_bounds() const {
  return data().broad_phase->pairs();
}

const BroadPhase& Scene::broad_phase() const { return *data().broad_phase; }

}  // namespace orbox
