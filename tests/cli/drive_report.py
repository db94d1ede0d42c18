#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Clicks and types in the panes of a report, in a headless Chromium, as a person would.

  drive_report.py CHROMIUM clicks PAGE FOLDER                  the experiments of report_browser_test.cpp
  drive_report.py CHROMIUM walk PAGE FOLDER ADDRESS SHOWN      any experiment: shows what holos serve shows at ADDRESS, whatever is
                                                               clicked on, and the values of holos show --format json in SHOWN
FOLDER is for the browser's own files. Prints what is wrong; exit code 1: something is.
"""
import json
import math
import random
import sys

from chromium import Browser, read_to, row, shown

TREES = ("metrics", "calls", "system")
CHOICE = """document.querySelector("[data-part=experiment]")"""
NOTE = """document.querySelector("[data-part=live]")"""


# The page's list of contents stays in sight, and would lie upon them.
TO_PANES = """document.querySelector(".holos").scrollIntoView({ block: "end" })"""


def show_all(browser, height):
    browser.ask("Emulation.setDeviceMetricsOverride", width=1200, height=height, deviceScaleFactor=1, mobile=False)


def text_of(part):
    return f"""document.querySelector("[data-part={part}]").textContent"""


def panes(browser):
    browser.expect("metrics at first", shown("metrics"), "time=33 s, instructions=30, cycles=10, ipc=3, largest=7, strange=–")
    browser.expect("call paths at first", shown("calls"), "main=33 s")
    browser.expect("the system at first", shown("system"), "cluster=33 s")
    browser.click(row("metrics", "time") + """.querySelector(".fold")""")
    browser.expect("call paths of the open metric", shown("calls"), "main=26 s")
    browser.click(row("metrics", "mpi"))
    browser.click(row("calls", "main") + """.querySelector(".fold")""")
    browser.expect("call paths of another metric", shown("calls"), "main=0, work=7 s")
    browser.click(row("calls", "work"))
    browser.click(row("system", "cluster"))
    for _ in range(5):
        browser.press("ArrowRight")
    browser.expect("threads of a call path", shown("system"), "cluster=, node 1=, MPI Rank 0=, Thread 0=3 s, Thread 1=4 s")
    browser.press("Home")
    browser.press("ArrowLeft")
    browser.expect("a closed system", shown("system"), "cluster=7 s")


def kinds(browser):
    """Ratios and extremes are no sums."""
    browser.click(row("metrics", "ipc"))
    browser.expect("a ratio of call paths", shown("calls"), "main=5, work=2.500")
    browser.click(row("metrics", "largest"))
    browser.expect("an extreme of call paths", shown("calls"), "main=3, work=7")
    browser.click(row("metrics", "strange"))
    browser.expect("no value", shown("calls"), "main=–, work=–")
    browser.expect("why", text_of("metric"), "strange (strange)Not evaluated: its formula is more than this page can evaluate; "
                   "holos view shows its values")


def others(browser):
    browser.value(CHOICE + ".focus()")
    browser.press("ArrowDown")
    browser.expect("another experiment", shown("metrics"), "time=42 s")
    browser.expect("what stays open there", shown("calls"), "main=0, rest=42 s")
    browser.expect("what its values are", NOTE + ".textContent", "With all threads there are too many values for this page; it has sums of processes.")
    browser.value(CHOICE + ".focus()")
    browser.press("ArrowUp")
    browser.expect("the first again", NOTE + ".hidden", True)
    browser.expect("what is not offered", """[...document.querySelectorAll("[role=tab]")].map(e => e.textContent).join(", ") + " " +
        [...document.querySelectorAll(".holos header > :not([hidden])")].map(e => e.textContent.split(" ")[0]).join(", ")""",
        "Metric, Flame graph Experiment, Values, Find, , ")


def search(browser):
    browser.click(row("calls", "main") + """.querySelector(".fold")""")
    browser.click("""document.querySelector("[data-part=find]")""")
    browser.type("WORK")
    browser.expect("what was found", text_of("found"), "1 found")
    browser.expect("where it is", """document.querySelector("[data-part=calls] .found .name").textContent""", "work")


def flame(browser):
    browser.click(row("metrics", "time"))
    browser.click("""document.querySelector("[data-part=tab-flame]")""")
    browser.expect("boxes", """document.querySelector("[data-part=flame] canvas").style.height""", "40px")
    browser.click("""document.querySelector("[data-part=flame] canvas")""")
    browser.press("ArrowUp")
    browser.press("ArrowDown")
    browser.expect("a box by keys", text_of("flame"), "work: 30 s, 90.91 %")
    browser.press(" ")
    browser.expect("its call path", """document.querySelector("[data-part=calls] [aria-selected=true] .name").textContent""", "work")


def screen_reader(browser):
    found = read_to(browser)[1]
    for wanted in [("tree", "Metrics"), ("treeitem", "time, 33 s"), ("treeitem", "main, 3 s"), ("tab", "Flame graph")]:
        if wanted not in found:
            raise SystemExit(f"a screen reader finds no {wanted}: {found}")


def second(browser, page):
    """The page has the panes twice: what is done in one is not done in the other, and no element of it is taken for another."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    begin = text.index('<script type="application/json"')
    end = text.index("</script>", begin) + len("</script>")
    with open(page + ".twice.html", "w", encoding="utf-8") as file:
        file.write(text[:end] + text[begin:])
    browser.ask("Page.navigate", url=f"file://{page}.twice.html")
    browser.expect("panes", """document.querySelectorAll(".holos").length""", 2)
    browser.expect("metrics of the second", """document.querySelectorAll(".holos")[1].querySelector("[data-part=metrics] .row")?.textContent""", "▸33 stime")
    browser.expect("twins", """(() => { const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
        return ids.filter((id, at) => ids.indexOf(id) !== at).join(); })()""", "")
    browser.value("""document.querySelectorAll(".holos")[1].scrollIntoView({ block: "end" })""")
    browser.click("""document.querySelectorAll(".holos")[1].querySelector("[data-part=metrics] .fold")""")
    browser.expect("an open metric of the second", """document.querySelectorAll(".holos")[1].querySelectorAll("[data-part=metrics] .row").length""", 7)


def looks(browser):
    browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.expect("light letters in the dark", """getComputedStyle(document.querySelector("[data-part=calls] .row:not([aria-selected=true]) .name")).color""", "rgb(255, 255, 255)")
    browser.ask("Emulation.setEmulatedMedia", media="print", features=[])
    browser.expect("panes on paper", """document.querySelector(".holos").checkVisibility()""", False)
    browser.ask("Emulation.setEmulatedMedia", media="", features=[])
    browser.ask("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
    browser.value("""document.querySelector("#browse").before(Object.assign(document.createElement("p"), { textContent: "ApplyMaterialPropertiesForElems".repeat(5) }))""")
    browser.expect("width on a phone", "document.documentElement.scrollWidth", 390)
    browser.click(row("calls", "main"))
    browser.expect("a selection on a phone", """document.querySelector("[data-part=calls] [aria-selected=true] .name").textContent""", "main")


def clicks(program, page, folder):
    browser = Browser(program, folder)
    try:
        browser.ask("Page.navigate", url="file://" + page)
        browser.expect("panes", """document.querySelectorAll("[data-part=system] .row").length""", 1)
        show_all(browser, 1000)
        browser.value(TO_PANES)
        for step in (panes, kinds, others, search, flame, screen_reader, looks):
            step(browser)
        browser.expect("files that were loaded", """performance.getEntriesByType("resource").length""", 0)
        show_all(browser, 1000)
        second(browser, page)
        if browser.complaints:
            raise SystemExit(f"the browser complains: {browser.complaints}")
    finally:
        browser.end()


NAMES = """[...document.querySelectorAll("[data-part=%s] .row")].map(e => e.querySelector(".fold").textContent + e.querySelector(".name").textContent)"""
ALL = " + '; ' + ".join(shown(tree) for tree in TREES)
IS_QUIET = """![...document.querySelectorAll(".tree")].some(e => e.getAttribute("aria-busy") === "true")"""


def number(text):
    """Of what numbers.js has written without a unit."""
    words = text.replace("\u2009", " ").split(" ")
    scale = 1000.0 ** ("nµm kMGTP".index(words[1]) - 3) if len(words) > 1 and words[1] else 1.0
    return float(words[0]) * scale


def check_values(browser, file):
    """The values of metrics without those below them, as holos show has them."""
    known = {}
    with open(file, encoding="utf-8") as text:
        for metric in json.load(text)["metrics"]:
            known.setdefault(metric["displayName"], []).append(metric["value"])
    rows = browser.value("""[...document.querySelectorAll("[data-part=metrics] .row")].map(e => ["name", "value"].map(part =>
        e.querySelector("." + part).textContent).concat(e.getAttribute("aria-expanded")))""")
    checked = 0
    for name, value, expanded in rows:
        if expanded == "true" or name not in known:
            continue
        is_right = any(each is None and value == "–" or each is not None and value != "–" and
                       math.isclose(number(value.rstrip("sB/ occ")), each, rel_tol=1e-3, abs_tol=1e-9) for each in known[name])
        if not is_right:
            raise SystemExit(f"{name}: the page has {value}, holos show {known[name]}")
        checked += 1
    if checked == 0:
        raise SystemExit(f"no metric of holos show is in the page: {rows}")


def walk(program, page, folder, address, file):
    """Two browsers, the same clicks."""
    chance = random.Random(7)
    report, served = Browser(program, folder + "-report"), Browser(program, folder + "-served")
    try:
        report.ask("Page.navigate", url="file://" + page)
        served.ask("Page.navigate", url=address)
        for each in (report, served):
            each.expect("panes", """document.querySelectorAll("[data-part=system] .row").length > 0""", True)
            show_all(each, 1900)
            # Rows in sight are the same then.
            each.value("""document.querySelector(".holos").style.setProperty("height", "100rem", "important")""")
            each.value(TO_PANES)
        for _ in range(60):
            for each in (report, served):
                each.expect("all is there", IS_QUIET + """ && document.querySelectorAll("[data-part=system] .row").length > 0""", True)
            served.expect("what the report shows", ALL, report.value(ALL))
            check_values(report, file)
            tree = chance.choice(TREES)
            at = chance.randrange(len(report.value(NAMES % tree)))
            part = chance.choice(["fold", "name"])
            for each in (report, served):
                each.click(f"""document.querySelectorAll("[data-part={tree}] .row")[{at}].querySelector(".{part}")""")
        for each in (report, served):
            if each.complaints:
                raise SystemExit(f"the browser complains: {each.complaints}")
    finally:
        report.end()
        served.end()


def main():
    program, what, *words = sys.argv[1:]
    {"clicks": clicks, "walk": walk}[what](program, *words)


main()
