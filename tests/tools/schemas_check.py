# SPDX-License-Identifier: Apache-2.0

"""Validates what every command prints as JSON against the published schemas.

    schemas_check.py ORBOX SCHEMAS FOLDER

Strictly: here, an answer may have no field that its schema does not name. The
header of CSV has to be among those that the schema names as x-csv. Exits with
77, which CTest counts as skipped, where Python has no jsonschema.
"""

import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("SKIPPED: no Python package jsonschema; apt-get install "
          "python3-jsonschema, or pip install jsonschema")
    sys.exit(77)

ORBOX, SCHEMAS, FOLDER = sys.argv[1:4]
IDENTITY = "1,0,0,0,0,1,0,0,0,0,1,0"
APART = "1,0,0,9,0,1,0,0,0,0,1,0"
COMMON = "common.schema.json"
RULES = "rules.schema.json"


def load(name):
    with open(os.path.join(SCHEMAS, name), encoding="utf-8") as file:
        return json.load(file)


def made_local_and_strict(node):
    """References into the file, and no further properties."""
    if isinstance(node, list):
        return [made_local_and_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: made_local_and_strict(value) for key, value in node.items()}
    if isinstance(node.get("$ref"), str):
        node["$ref"] = node["$ref"].replace(COMMON, "")
    if node.get("type") == "object" and "properties" in node:
        node["additionalProperties"] = False
    return node


def validator_of(command):
    schema = made_local_and_strict(load(command + ".schema.json"))
    common = made_local_and_strict(load(COMMON))
    schema["$defs"] = {**common["$defs"], **schema.get("$defs", {})}
    del schema["$id"]
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def run(words, may_fail=False):
    done = subprocess.run([ORBOX, *words], cwd=FOLDER, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"orbox {' '.join(words)}: {done.stderr}")
    return done.stdout


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)


def prepare():
    os.makedirs(FOLDER, exist_ok=True)
    for name, shape in (("a.ply", "torus_knot"), ("b.ply", "sphere")):
        run(["gen", "--shape", shape, "--triangles", "400", "-o", name])
    write("points.csv", "x,y,z\n0,0,0\n9,9,9\n")
    write("planes.csv", "1,0,0,1\n-1,0,0,1\n")
    write("poses.csv", IDENTITY + "\n" + APART + "\n")
    write("scene.json", json.dumps({"bodies": [
        {"name": "one, \"a\"", "mesh": "a.ply", "properties": {"type": "knot"}},
        {"mesh": "b.ply"}]}))
    write("rules.json", json.dumps({"rules": [
        {"name": "tight", "a": "*", "b": "*", "tolerance": 0.5,
         "clearance": 0, "severity": "high"},
        {"a": "type=none", "ignore": True, "insulation": "thick"}]}))
    write("last.json", run(["clash", "scene.json", "--format", "json"]))
    write("motion.csv", f"0,0,{IDENTITY}\n1,0,{APART}\n")


PAIR = ["a.ply", "b.ply"]
EACH = [[], ["--pose", APART], ["--pose", "@poses.csv"],
        ["--pose", "@poses.csv", "--stats"], ["--stats", "--unit", "mm"]]

# Distances with hundreds of pairs: outputs of megabytes test no more, and take
# half a minute to validate.
RUNS = [
    ["info", "a.ply"], ["info", "a.ply", "--stats"],
    ["info", "a.ply", "--surface"], ["info", "a.orbox"],
    ["gen", "--triangles", "100", "-o", "g.off"],
    ["build", "a.ply", "-o", "a.orbox"],
    ["build", "a.ply", "-o", "a.orbox", "--stats"],
    ["build", "a.ply", "-o", "a.orboxd", "--chunk", "50"],
    ["info", "a.orboxd"],
    ["clearance", "a.orboxd", "a.ply", "--within", "0.1"],
    ["split", "a.ply", "-o", "parts.glb"],
    ["range", "a.ply", "--sphere", "0,0,0,1", "--sphere", "9,9,9,0.1"],
    ["range", "a.ply", "--box", "0,0,0,1,1,1", "--stats"],
    ["range", "a.ply", "--half-spaces", "planes.csv"],
    ["nearest", "a.ply", "--points", "points.csv", "--k", "3"],
    ["nearest", "a.ply", "--points", "points.csv", "--max-distance", "1"],
    ["nearest", "a.ply", "--point", "0,0,0", "--signed", "--stats"],
    ["nearest", "a.ply", "--point", "0,0,0", "--winding"],
    ["nearest", "a.ply", "--point", "0,0,0", "--bounds", "--unit", "mm"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--ray", "9,0,0,1,0,0"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--all", "--stats"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--any"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--normals"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--all", "--normals"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--crossings"],
    ["ray", "a.ply", "--ray", "9,0,0,-1,0,0", "--min-t", "9", "--skip", "3"],
    ["nearest", "a.ply", "--point", "0,0,0", "--normals"],
    ["nearest", "a.ply", "--point", "0,0,0", "--signed", "--normals"],
    *[[*query, "--pose", APART] for query in (
        ["range", "a.ply", "--sphere", "9,0,0,1"],
        ["nearest", "a.ply", "--point", "0,0,0", "--signed"],
        ["ray", "a.ply", "--ray", "9,0,9,0,0,-1"])],
    *[["intersect", *PAIR, *more] for more in EACH],
    *[["intersect", *PAIR, "--contacts", *more] for more in EACH],
    *[["intersect", *PAIR, "--count", *more] for more in EACH],
    *[["clearance", *PAIR, *more] for more in EACH],
    *[["clearance", *PAIR, "--within", "0.05", "--count", *more]
      for more in EACH],
    *[["clearance", *PAIR, "--within", "0.05", *more] for more in EACH],
    *[["clearance", *PAIR, "--within", "0.05", "--places", *more]
      for more in EACH],
    ["clearance", *PAIR, "--pose", APART, "--bounds"],
    *[["clearance", *PAIR, "--depth", *more] for more in EACH],
    *[["clearance", *PAIR, "--bounds", "--depth", *more] for more in EACH],
    *[["hausdorff", *PAIR, *more] for more in EACH],
    ["hausdorff", *PAIR, "--field"],
    *[["hausdorff", *PAIR, "--within", "0.1", *more] for more in EACH],
    *[["hausdorff", *PAIR, "--summary", "--from", way] for way in "AB"],
    ["hausdorff", *PAIR, "--pose", APART, "--max-distance", "1"],
    ["self-intersect", "a.ply"],
    ["self-intersect", "a.ply", "--within", "0.1", "--stats"],
    ["self-intersect", "a.ply", "--exit-code"],
    ["self-intersect", "a.ply", "--count"],
    ["self-intersect", "a.ply", "--count", "--within", "0.1"],
    ["clash", "scene.json", "--unit", "mm", "--volume"],
    ["clash", "scene.json", "--within", "9", "--tolerance", "0.01"],
    ["clash", "scene.json", "--within", "9", "--places"],
    ["clash", "scene.json", "--group", "type,name"],
    ["clash", "scene.json", "--compare", "last.json"],
    ["clash", "scene.json", "--rules", "rules.json", "--min-volume", "1e-9"],
    ["clash", "scene.json", "--motion", "motion.csv", "--stats"],
    ["explain", "nearest", "a.ply", "--point", "0,0,0", "--seconds", "0"],
    ["explain", "clearance", *PAIR, "--within", "1", "--seconds", "0"],
    ["picture", "a.ply", "-o", "a.png", "--size", "64x48"],
    ["picture", *PAIR, "-o", "a.png", "--size", "64x48", "--level", "1",
     "--stats"],
]


def commands():
    """Those of the general help that answer something."""
    names = []
    listed = False
    for line in run(["--help"]).splitlines():
        if line == "commands:":
            listed = True
        elif listed and not line.strip():
            break
        elif listed and line.startswith("  ") and line[2] != " ":
            names.append(line.split()[0])
    return [name for name in names if name not in ("help", "completion")]


def check_pictures():
    done = subprocess.run([ORBOX, "picture", "a.ply", "-o", "a.png"],
                          cwd=FOLDER, capture_output=True, check=False)
    return done.returncode == 0


def main():
    prepare()
    run(["build", "a.ply", "-o", "a.orbox"])
    missing = set(commands()) ^ {
        name.split(".")[0] for name in os.listdir(SCHEMAS)
        if name not in (COMMON, RULES)}
    with open(os.path.join(FOLDER, "rules.json"), encoding="utf-8") as file:
        validator_of("rules").validate(json.load(file))
    if missing:
        sys.exit(f"commands without schemas, or the reverse: {missing}")
    has_pictures = check_pictures()
    faults = 0
    checked = set()
    for words in RUNS:
        if words[0] == "picture" and not has_pictures:
            continue
        checked.add(words[0])
        validator = validator_of(words[0])
        text = run([*words, "--format", "json"])
        for error in validator.iter_errors(json.loads(text)):
            faults += 1
            print(f"orbox {' '.join(words)}: at {list(error.absolute_path)}: "
                  f"{error.message[:300]}")
        header = run([*words, "--format", "csv"]).split("\n", maxsplit=1)[0]
        if header not in validator.schema["x-csv"]:
            faults += 1
            print(f"orbox {' '.join(words)}: the header {header!r} is not in "
                  "x-csv")
    unchecked = set(commands()) - checked - (
        set() if has_pictures else {"picture"})
    if unchecked:
        sys.exit(f"nothing is asked of {unchecked}")
    if faults:
        sys.exit(f"{faults} faults")
    print(f"{len(RUNS)} answers are as the schemas say")


main()
