# SPDX-License-Identifier: Apache-2.0

"""Other collision libraries behind one interface: a mesh, and the same mesh at a pose."""

from __future__ import annotations

from typing import Any

import numpy as np


class Fcl:
    """python-fcl, as trimesh uses it."""

    name = "python-fcl"

    def __init__(self, fcl: Any, v: Any, f: Any) -> None:
        self.fcl = fcl
        self.v, self.f = v, f
        self.model = self.build()
        self.still = fcl.CollisionObject(self.model, fcl.Transform())

    def build(self) -> Any:
        model = self.fcl.BVHModel()
        model.beginModel(len(self.v), len(self.f))
        model.addSubModel(self.v, self.f)
        model.endModel()
        return model

    def at(self, pose: Any) -> Any:
        place = self.fcl.Transform(pose[:3, :3], pose[:3, 3])
        return self.fcl.CollisionObject(self.model, place)

    def overlaps(self, moved: Any) -> bool:
        request, result = self.fcl.CollisionRequest(), self.fcl.CollisionResult()
        return self.fcl.collide(moved, self.still, request, result) > 0

    def pairs(self, moved: Any) -> int:
        request = self.fcl.CollisionRequest(num_max_contacts=10_000_000, enable_contact=True)
        return self.fcl.collide(moved, self.still, request, self.fcl.CollisionResult())

    def distance(self, moved: Any) -> float:
        request, result = self.fcl.DistanceRequest(), self.fcl.DistanceResult()
        return max(0.0, self.fcl.distance(moved, self.still, request, result))


class Coal:
    """coal, formerly hpp-fcl."""

    name = "coal"

    def __init__(self, coal: Any, v: Any, f: Any) -> None:
        self.coal = coal
        self.v, self.f = v, f.astype(np.uint32)
        self.model = self.build()
        self.still = coal.Transform3s()

    def build(self) -> Any:
        model = self.coal.BVHModelOBBRSS()
        model.beginModel(len(self.f), len(self.v))
        model.addVertices(self.v)
        model.addTriangles(self.f)
        model.endModel()
        return model

    def at(self, pose: Any) -> Any:
        return self.coal.Transform3s(pose[:3, :3], pose[:3, 3])

    def overlaps(self, moved: Any) -> bool:
        return self.pairs(moved, 1) > 0

    def pairs(self, moved: Any, most: int = 10_000_000) -> int:
        request = self.coal.CollisionRequest()
        request.num_max_contacts = most
        result = self.coal.CollisionResult()
        self.coal.collide(self.model, moved, self.model, self.still, request, result)
        return result.numContacts()

    def distance(self, moved: Any) -> float:
        request, result = self.coal.DistanceRequest(), self.coal.DistanceResult()
        return max(
            0.0,
            self.coal.distance(self.model, moved, self.model, self.still, request, result),
        )
