# SPDX-License-Identifier: Apache-2.0

"""Sees that another program's reader finds what orbox writes as BCF.

    bcf_check.py ORBOX FOLDER

The reader is bcf-client, of IfcOpenShell. It is installed into a virtual
environment in FOLDER, without ifcopenshell itself, which it needs for other
things alone and which is large. Exits with 77, which CTest counts as skipped,
where that cannot be done.
"""

import json
import math
import os
import subprocess
import sys
import types
import zipfile

import readers_venv

ORBOX, FOLDER = sys.argv[1:3]
MODULES = ("bcf", "xsdata", "numpy")
PACKAGES = ("--no-deps", "bcf-client", "xsdata", "typing_extensions", "numpy")
GUID = "10k69mF8j4eeUjUpzCXCG7"


def run(*words):
    return subprocess.run([ORBOX, *words], cwd=FOLDER, check=True,
                          capture_output=True, text=True).stdout


def bcf_reader():
    for name in ("", ".util", ".util.placement", ".util.unit"):
        sys.modules.setdefault("ifcopenshell" + name,
                               types.ModuleType("ifcopenshell" + name))
    sys.modules["ifcopenshell"].entity_instance = object
    import bcf.v2.bcfxml
    import bcf.v3.bcfxml
    return bcf.v2.bcfxml.BcfXml, bcf.v3.bcfxml.BcfXml


def check_version_3(reader, topic_id):
    """With a decision, which both versions have as status and comment."""
    with open(os.path.join(FOLDER, "review.csv"), "w", encoding="utf-8") as file:
        file.write("id,status,assigned,comment,author,date\n"
                   f"{topic_id},Approved,Mia,\"as <planned>\",Ada,"
                   "2026-01-31T12:00:00Z\n")
    run("clash", "s.json", "--tolerance", "0.001", "--unit", "mm", "--bcf",
        "s3.bcf", "--bcf-version", "3.0", "--review", "review.csv",
        "--picture-size", "64x48")
    path = os.path.join(FOLDER, "s3.bcf")
    with reader.load(path) as file:
        assert file.version.version_id == "3.0"
        assert list(file.topics) == [topic_id]
        topic = file.topics[topic_id]
        assert topic.topic.title == "clash: wall <1> and pipe & 2"
        assert topic.topic.topic_status == "Approved"
        assert topic.topic.assigned_to == "Mia"
        (comment,) = topic.topic.comments.comment
        assert (comment.comment, comment.author) == ("as <planned>", "Ada")
        (view,) = topic.viewpoints.values()
        info = view.visualization_info
        (component,) = info.components.selection.component
        assert component.ifc_guid == GUID
        assert info.perspective_camera.aspect_ratio == 1


def check():
    run("gen", "--shape", "box", "--triangles", "12", "-o", "cube.ply")
    pose = "1,0,0,{},0,1,0,0,0,0,1,0"
    bodies = [{"name": name, "mesh": "cube.ply",
               "pose": [float(x) for x in pose.format(at).split(",")]}
              for name, at in (("wall <1>", 0), ("pipe & 2", 0.5),
                               ("far away", 9))]
    bodies[0]["properties"] = {"guid": GUID, "type": "IfcWall",
                               "file": "walls.ifc"}
    with open(os.path.join(FOLDER, "s.json"), "w", encoding="utf-8") as file:
        json.dump({"bodies": bodies}, file)
    answer = json.loads(run(
        "clash", "s.json", "--tolerance", "0.001", "--unit", "mm", "--bcf",
        "s.bcf", "--picture-size", "64x48", "--format", "json"))
    path = os.path.join(FOLDER, "s.bcf")
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        has_pictures = any(name.endswith(".png")
                           for name in archive.namelist())
    (clash,) = answer["clashes"]
    reader, reader_3 = bcf_reader()
    with reader.load(path) as file:
        assert file.version.version_id == "2.1"
        assert list(file.topics) == [clash["id"]]
        topic = file.topics[clash["id"]]
        assert topic.guid == clash["id"]
        assert topic.topic.title == "clash: wall <1> and pipe & 2", topic.topic
        assert topic.topic.topic_status == "Open"
        assert topic.topic.priority == "Low"  # 0.5 mm thick
        assert topic.topic.labels == ["clash"]
        (file_of_body,) = topic.header.file
        assert file_of_body.filename == "walls.ifc"
        assert topic.topic.creation_date.to_datetime().year > 2000
        assert " thick" in topic.topic.description
        (view,) = topic.viewpoints.values()
        info = view.visualization_info
        (component,) = info.components.selection.component
        assert component.ifc_guid == GUID
        assert component.authoring_tool_id == "wall <1>"
        assert info.components.visibility.default_visibility
        (color,) = info.components.coloring.color
        assert [c.ifc_guid for c in color.component] == [GUID]
        camera = info.perspective_camera
        eye, towards, up = (
            [p.x, p.y, p.z] for p in
            (camera.camera_view_point, camera.camera_direction,
             camera.camera_up_vector))
        for vector in (towards, up):
            assert abs(math.hypot(*vector) - 1) < 1e-9, vector
        assert abs(sum(t * u for t, u in zip(towards, up))) < 1e-9
        # The clash is in the direction of view from the eye, in metres.
        to_place = [0.001 * p - e for p, e in zip(clash["place"], eye)]
        away = math.hypot(*to_place)
        assert away > 0
        for p, t in zip(to_place, towards):
            assert abs(p / away - t) < 1e-6, (to_place, towards)
        if has_pictures:
            assert view.snapshot.startswith(b"\x89PNG"), view.snapshot[:8]
    check_version_3(reader_3, clash["id"])
    print("bcf-client reads the topic, its viewpoint and its components")


readers_venv.run_with(FOLDER, MODULES, PACKAGES, check)
