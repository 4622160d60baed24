# SPDX-License-Identifier: Apache-2.0

"""Opens a page of clashes in a headless Chromium, and works with it.

    viewer_check.py ORBOX FOLDER

The page comes from a file, without network. The canvas is not blank; a click
on a row selects its issue and moves the camera; a click on a body selects it
and its issue; a page that becomes narrow still shows all. Keys select and mark;
what is marked and commented is saved as a table, and the next page has it. A
page of thousands of issues has rows for those in view. The console has no
messages. Exits with 77, which CTest counts as skipped, without Chromium, and
where Orbox was built without its viewer.
"""

import json
import os
import shutil
import subprocess
import sys
import time

ORBOX, FOLDER = (os.path.abspath(name) for name in sys.argv[1:3])
SECONDS = 600


def skip(why):
    print("SKIPPED: " + why)
    sys.exit(77)


class Browser:
    """Chromium, spoken to by its DevTools protocol through two pipes."""

    def __init__(self, path, profile):
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def own_pipes():
            # By way of high numbers, so that neither is overwritten.
            os.dup2(to_read, 103)
            os.dup2(from_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu-sandbox",
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--hide-scrollbars", "--remote-debugging-pipe",
             "--window-size=1280,900", "--user-data-dir=" + profile,
             "about:blank"],
            preexec_fn=own_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.bytes = b""
        self.count = 0
        self.session = None
        self.events = []

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def message(self):
        while b"\0" not in self.bytes:
            more = os.read(self.from_read, 1 << 20)
            if not more:
                sys.exit("Chromium has ended")
            self.bytes += more
        text, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.count += 1
        number = self.count
        call = {"id": number, "method": method, "params": parameters}
        if self.session is not None:
            call["sessionId"] = self.session
        os.write(self.to_write, json.dumps(call).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0,
                  downloadThroughput=0, uploadThroughput=0)
        self.call("Browser.setDownloadBehavior", behavior="allow",
                  downloadPath=FOLDER)
        self.call("Page.navigate", url=url)

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script,
                           awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, script):
        end = time.monotonic() + SECONDS
        while not self.value(script):
            if time.monotonic() > end:
                sys.exit(f"never true: {script}; {self.complaints()}")
            time.sleep(0.05)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      **({"text": key} if len(key) == 1 and kind == "keyDown"
                         else {}))

    def complaints(self):
        found = []
        for event in self.events:
            method, said = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(said["exceptionDetails"])
            elif method == "Runtime.consoleAPICalled":
                found.append(said["args"])
            elif method == "Log.entryAdded":
                found.append(said["entry"]["text"])
        # Not of the page: Chromium draws by the processor here.
        return [f for f in found if "GPU stall due to ReadPixels" not in str(f)]


# Distinct colours of the canvas, on a coarse grid.
COLORS = """(() => {
  const canvas = document.querySelector('#model canvas');
  const small = document.createElement('canvas');
  small.width = 64; small.height = 48;
  const context = small.getContext('2d');
  context.drawImage(canvas, 0, 0, 64, 48);
  const data = context.getImageData(0, 0, 64, 48).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) {
    seen.add(data.slice(i, i + 4).join());
  }
  return seen.size;
})()"""
EYE = "orboxShown.camera.position.toArray().join()"
STILL = "!orboxShown.flying"
SELECTED = """(orboxPage.data.issues[orboxPage.selected()] ?? {id: ''}).id"""
ASPECT = "orboxShown.camera.aspect"
FITS = """(() => {
  const {camera, controls, size} = orboxShown;
  const away = camera.position.distanceTo(controls.target);
  const half = Math.tan(camera.fov * Math.PI / 360) * Math.min(1, camera.aspect);
  return away * half >= size / 2;
})()"""
MIDDLE = """(() => {
  document.querySelector('#model canvas').scrollIntoView();
  const box = document.querySelector('#model canvas').getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
})()"""
PICKED = "document.getElementById('model-picked').textContent"


def make_page(*options):
    """Returns None if Orbox cannot read a file of the options."""
    os.makedirs(FOLDER, exist_ok=True)

    def run(*words):
        subprocess.run([ORBOX, *words], cwd=FOLDER, check=True,
                       stdout=subprocess.DEVNULL)

    run("gen", "--shape", "box", "--triangles", "12", "-o", "box.ply")
    run("gen", "--shape", "torus_knot", "--triangles", "600", "-o", "knot.ply")
    # Far from the origin, as buildings on a map are.
    at = [[1, 0, 0, 5e6 + x, 0, 1, 0, 4e6, 0, 0, 1, 0] for x in (0, 1, 9, 14)]
    bodies = [{"name": name, "mesh": mesh, "pose": pose}
              for name, mesh, pose in zip(
                  ["a </script> & \"b\"", "knot", "far box", "alone"],
                  ["box.ply", "knot.ply", "box.ply", "knot.ply"], at)]
    with open(os.path.join(FOLDER, "s.json"), "w", encoding="utf-8") as file:
        json.dump({"bodies": bodies}, file)
    try:
        run("clash", "s.json", "--within", "20", "--places", "--report",
            "page.html", *options)
    except subprocess.CalledProcessError:
        if "review.bcf" not in options or "--bcf" in options:
            raise
        return None
    return os.path.join(FOLDER, "page.html")


def check(browser, page):
    browser.open("file://" + os.path.abspath(page))
    browser.wait_for("document.readyState === 'complete'")
    browser.wait_for("document.querySelector('#model')?.dataset.ready === 'yes'")
    browser.wait_for(STILL)
    assert browser.value("document.querySelector('#model').hidden") is False
    browser.wait_for(COLORS + " > 20")  # or the canvas is blank

    # A click on the second row: the camera flies there.
    before = browser.value(EYE)
    rows = "document.querySelectorAll('.row')"
    assert browser.value(rows + ".length") >= 3
    wanted = browser.value("orboxPage.data.issues[1].id")
    browser.value(rows + "[1].click()")
    browser.wait_for(STILL)
    assert browser.value(SELECTED) == wanted
    assert browser.value(EYE) != before, "the camera stays"
    assert " and " in browser.value(PICKED)
    browser.wait_for(COLORS + " > 20")

    # One on a place of it.
    before = browser.value(EYE)
    browser.value("document.querySelector('#details button.place').click()")
    browser.wait_for(STILL)
    assert browser.value(SELECTED) == wanted
    assert browser.value(EYE) != before, "the camera stays at the place"

    # A click on a body, where it is seen alone.
    browser.value("document.getElementById('model-all').click()")
    browser.wait_for(STILL)
    assert browser.value(SELECTED) == ""
    places = browser.value("""(() => {
      const box = document.querySelector('#model canvas').getBoundingClientRect();
      const found = {};
      for (let y = 2; y < box.height; y += 4) {
        for (let x = 2; x < box.width; x += 4) {
          const body = orboxShown.bodyAt(box.left + x, box.top + y);
          if (body !== null) {
            (found[body] ??= []).push([box.left + x, box.top + y]);
          }
        }
      }
      // Not at an edge: in the middle of the list.
      for (const body of Object.keys(found)) {
        found[body] = found[body][Math.floor(found[body].length / 2)];
      }
      return found;
    })()""")
    assert sorted(places) == ["0", "1", "2", "3"], places
    browser.click(*places["0"])
    browser.wait_for(SELECTED + " !== ''")
    assert browser.value(PICKED).startswith("a </script> & \"b\": 3 issues"), (
        browser.value(PICKED))
    assert browser.value(SELECTED) == browser.value(
        "orboxPage.data.issues[0].id")

    # If the page becomes narrow, the whole model stays in view. A view that a
    # user has turned is kept.
    browser.value("document.getElementById('model-all').click()")
    browser.wait_for(STILL)
    wide = browser.value(ASPECT)
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=1600,
                 deviceScaleFactor=2, mobile=True)
    browser.wait_for(f"{ASPECT} < {wide} && {FITS}")
    x, y = browser.value(MIDDLE)
    browser.click(x, y)
    before = browser.value(EYE)
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.wait_for(f"{ASPECT} === {wide}")
    assert browser.value(EYE) == before, "a view that somebody has turned moves"

    # Nothing under the pointer: nothing is selected.
    browser.value("document.querySelector('#model-only').click()")
    browser.value(rows + "[0].click()")
    browser.wait_for(STILL)
    browser.wait_for(COLORS + " > 20")


def check_decisions(browser, page):
    """Marks and comments with the keyboard, saves, and reads back."""
    table = os.path.join(FOLDER, "review.csv")
    if os.path.exists(table):
        os.remove(table)
    browser.value("document.getElementById('issues').focus()")
    browser.press("Home")
    browser.press("3")
    browser.press("ArrowDown")
    browser.press("c")
    browser.wait_for("document.activeElement.id === 'comment'")
    browser.call("Input.insertText", text='=1+1, "then" <b>\nmove it')
    browser.value("document.querySelector('.saying button').click()")
    browser.value("orboxPage.decide(1, {as: 'Mia'})")
    assert browser.value("document.querySelectorAll('blockquote').length") == 1
    browser.value("document.getElementById('save').click()")
    end = time.monotonic() + SECONDS
    while not os.path.exists(table):
        assert time.monotonic() < end, "no table was saved"
        time.sleep(0.05)
    ids = browser.value("orboxPage.data.issues.map((issue) => issue.id)")
    make_page("--review", "review.csv", "--bcf", "review.bcf")
    for last in ("review.csv", "review.bcf"):
        if make_page("--review", last) is None:
            continue  # without Expat or zlib
        browser.open("file://" + os.path.abspath(page))
        browser.wait_for("document.querySelectorAll('.row').length > 2")
        issues = browser.value("orboxPage.data.issues")
        assert [issue["id"] for issue in issues] == ids
        assert issues[0]["st"] == "Approved", issues[0]
        assert issues[1]["as"] == "Mia"
        ((said, _, date),) = issues[1]["co"]
        assert said == '=1+1, "then" <b>\nmove it', said
        assert date.endswith("Z")
        # Filters: what is to do, and a word of a comment.
        browser.value("""(() => {
          const form = document.getElementById('filters');
          form.elements.status.value = 'to do';
          form.elements.search.value = 'move';
          form.dispatchEvent(new Event('input'));
        })()""")
        assert browser.value("orboxPage.shown()") == [1]


def check_many(browser):
    """Thousands of issues, of which those in view have rows."""
    os.makedirs(os.path.join(FOLDER, "many"), exist_ok=True)
    bodies = [{"name": str(i), "mesh": "../box.ply",
               "pose": [1, 0, 0, 0.001 * i, 0, 1, 0, 0, 0, 0, 1, 0]}
              for i in range(70)]
    with open(os.path.join(FOLDER, "many", "s.json"), "w",
              encoding="utf-8") as file:
        json.dump({"bodies": bodies}, file)
    subprocess.run([ORBOX, "clash", "s.json", "--report", "page.html",
                    "--pictures", "1"], cwd=os.path.join(FOLDER, "many"),
                   check=True, stdout=subprocess.DEVNULL)
    browser.open("file://" + os.path.join(FOLDER, "many", "page.html"))
    browser.wait_for("document.querySelectorAll('.row').length > 2")
    count = browser.value("orboxPage.shown().length")
    assert count == 70 * 69 // 2, count
    browser.value("document.getElementById('issues').focus()")
    browser.press("End")
    browser.wait_for(f"document.getElementById('issue-{count - 1}') !== null")
    assert browser.value("document.querySelectorAll('.row').length") < 100
    last = browser.value("orboxPage.selected()")
    assert last == count - 1, last


def main():
    path = next((found for name in ("chromium", "chromium-browser",
                                    "google-chrome")
                 if (found := shutil.which(name))), None)
    if path is None:
        skip("no Chromium; apt-get install chromium")
    page = make_page()
    with open(page, encoding="utf-8") as file:
        if 'id="model-viewer"' not in file.read():
            skip("this orbox was built without its viewer (ORBOX_WITH_VIEWER)")
    browser = Browser(path, os.path.join(FOLDER, "profile"))
    try:
        check(browser, page)
        check_decisions(browser, page)
        check_many(browser)
        assert browser.complaints() == [], browser.complaints()
    finally:
        browser.close()
    print("the model turns, decisions are saved and read back, lists are short")


main()
