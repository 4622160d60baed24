// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phases/internal/endpoints.h"

#include <algorithm>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"

namespace orbox {

Attendance::Changes Attendance::Update(const Bodies& bodies) {
  is_there_.resize(bodies.id_end(), 0);
  Changes changes;
  for (const BodyId body : bodies.touched()) {
    if (!bodies.Contains(body)) {
      changes.some_are_gone |= is_there_[body] != 0;
      is_there_[body] = 0;
    } else if (is_there_[body] == 0) {
      is_there_[body] = 1;
      changes.added.push_back(body);
    }
  }
  return changes;
}

void FollowBodies(const Bodies& bodies, const Attendance& attendance,
                  const Attendance::Changes& changes, size_t axis,
                  std::vector<Endpoint>* endpoints) {
  if (changes.some_are_gone) {
    std::erase_if(*endpoints, [&attendance](const Endpoint& e) {
      return attendance.IsGone(e.body);
    });
  }
  for (const BodyId body : changes.added) {
    endpoints->push_back({0, body, 0});
    endpoints->push_back({0, body, 1});
  }
  for (Endpoint& e : *endpoints) {
    const Aabb& box = bodies.box(e.body);
    e.at = (e.is_end != 0 ? box.hi : box.lo)[axis];
  }
}

std::vector<Endpoint> EndpointsOf(const Bodies& bodies, size_t axis) {
  std::vector<Endpoint> endpoints;
  endpoints.reserve(2 * bodies.count());
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body)) continue;
    endpoints.push_back({bodies.box(body).lo[axis], body, 0});
    endpoints.push_back({bodies.box(body).hi[axis], body, 1});
  }
  return endpoints;
}

size_t AxisOfGreatestVariance(const Bodies& bodies) {
  // Uses mapped coordinates, so that squares neither overflow nor underflow.
  const BoxMap map(BoundsOf(bodies));
  double sum[3] = {0, 0, 0};
  double squares[3] = {0, 0, 0};
  double length[3] = {0, 0, 0};
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body)) continue;
    const Aabbf box = map(bodies.box(body));
    for (size_t axis = 0; axis < 3; ++axis) {
      const double lo = static_cast<double>(box.lo[axis]);
      sum[axis] += lo;
      squares[axis] += lo * lo;
      length[axis] += static_cast<double>(box.hi[axis]) - lo;
    }
  }
  const auto n = static_cast<double>(std::max<size_t>(bodies.count(), 1));
  const auto spread = [&](size_t axis) {
    const double variance = squares[axis] / n - sum[axis] / n * (sum[axis] / n);
    const double mean = std::max(length[axis] / n, 1e-6);
    return variance / (mean * mean);
  };
  size_t best = 0;
  for (size_t axis = 1; axis < 3; ++axis) {
    if (spread(axis) > spread(best)) best = axis;
  }
  return best;
}

bool OverlapsAcross(const Aabb& a, const Aabb& b, size_t axis) {
  const size_t u = (axis + 1) % 3;
  const size_t v = (axis + 2) % 3;
  return a.lo[u] <= b.hi[u] && b.lo[u] <= a.hi[u] && a.lo[v] <= b.hi[v] &&
         b.lo[v] <= a.hi[v];
}

void SweepEndpoints(const std::vector<Endpoint>& sorted, const Bodies& bodies,
                    size_t axis, std::vector<BodyPair>* pairs) {
  struct Begun {
    Aabb box;
    BodyId body;
  };
  std::vector<Begun> begun;
  std::vector<uint32_t> places(bodies.id_end());
  pairs->clear();
  for (const Endpoint& e : sorted) {
    if (e.is_end != 0) {
      const uint32_t place = places[e.body];
      begun[place] = begun.back();
      places[begun[place].body] = place;
      begun.pop_back();
      continue;
    }
    const Aabb& box = bodies.box(e.body);
    for (const Begun& other : begun) {
      if (OverlapsAcross(box, other.box, axis)) {
        pairs->push_back(
            {std::min(e.body, other.body), std::max(e.body, other.body)});
      }
    }
    places[e.body] = static_cast<uint32_t>(begun.size());
    begun.push_back({box, e.body});
  }
  std::vector<BodyPair> scratch;
  SortBodyPairs(pairs, &scratch);
}

}  // namespace orbox
