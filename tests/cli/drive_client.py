#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Clicks and types in the client of holos serve, in a headless Chromium, as a person would.

  drive_client.py CHROMIUM ADDRESS FOLDER [PICTURE.png]

The experiment is that of serve_test.cpp. FOLDER is for the browser's own files. Prints what is wrong; exit code 1: something is.
"""
import sys
import time

from chromium import WAIT, Browser, read_to, row, shown


def clicks(browser):
    browser.expect("metrics at first", shown("metrics"), "time=136 s")
    browser.expect("call paths at first", shown("calls"), "main=136 s")
    browser.expect("the token in the address", "location.hash", "")
    browser.click(row("metrics", "time") + """.querySelector(".fold")""")
    browser.expect("an open metric", shown("metrics"), "time=110 s, mpi=26 s")
    browser.expect("call paths of the open metric", shown("calls"), "main=110 s")
    browser.click(row("metrics", "mpi"))
    browser.expect("call paths of another metric", shown("calls"), "main=26 s")
    browser.click(row("metrics", "time") + """.querySelector(".fold")""")
    browser.click(row("metrics", "time"))
    browser.expect("call paths of the closed metric", shown("calls"), "main=136 s")


def keys(browser):
    browser.click(row("calls", "main"))
    browser.press("ArrowRight")
    browser.expect("an open call path", shown("calls"), "main=10 s, work=100 s, MPI_Send=26 s")
    browser.press("ArrowDown")
    browser.expect("the system of a call path", """document.querySelector("[data-part=system] .row .value").textContent""", "100 s")
    browser.press("End")
    browser.expect("the last call path", """document.querySelector("[data-part=calls] [aria-selected=true] .name").textContent""", "MPI_Send")
    browser.press("Home")
    browser.press("ArrowLeft")
    browser.expect("a closed call path", shown("calls"), "main=136 s")


def parts(browser):
    browser.click(row("calls", "main"))
    browser.press("ArrowRight")
    browser.press("End")
    browser.expect("the address of a call path", "decodeURI(location.hash)", "#metric=time,call=main/MPI_Send")
    browser.expect("what may be shown alone", """[...document.querySelector("[data-part=only]").options].map(e => e.text).join(", ")""",
                   "the whole run, MPI_Send and what it calls, calls of MPI_Send (without callees), "
                   "calls that belong to app.c (without callees of other kinds)")
    browser.value("""document.querySelector("[data-part=only]").focus()""")
    browser.press("ArrowDown")
    browser.expect("call paths of a part", shown("calls"), "main=0, MPI_Send=26 s")
    browser.expect("metrics of a part", shown("metrics"), "time=26 s")
    browser.expect("the part", """document.querySelector("[data-part=part]").textContent""", "in main / MPI_Send ✕")
    browser.value("history.back()")
    browser.expect("the view before", shown("calls"), "main=10 s, work=100 s, MPI_Send=26 s")
    browser.value("history.forward()")
    browser.expect("the view after it", shown("calls"), "main=0, MPI_Send=26 s")
    browser.value("window.isOld = true")
    browser.ask("Page.reload")
    browser.expect("a new page", "window.isOld", None)
    browser.expect("the view of an address", shown("calls"), "main=0, MPI_Send=26 s")
    browser.expect("what is offered then", """document.querySelector("[data-part=only]").options[0].text""", "…")
    browser.click("""document.querySelector("[data-part=part] button")""")
    browser.expect("the whole run", shown("calls"), "main=10 s, work=100 s, MPI_Send=26 s")
    browser.expect("what stays selected", """document.querySelector("[data-part=calls] [aria-selected=true] .name").textContent""", "MPI_Send")


def several(browser):
    how = """document.querySelector("[data-part=how]").focus()"""
    browser.value(how)
    browser.press("ArrowDown")
    browser.expect("a difference", shown("metrics"), "time=0")
    browser.expect("its address", "decodeURI(location.hash)", "#experiment=0-1,metric=time,call=main/MPI_Send")
    browser.value(how)
    browser.press("ArrowDown")
    browser.expect("a mean", shown("metrics"), "time=136 s")
    browser.value(how)
    browser.press("ArrowUp")
    browser.press("ArrowUp")
    browser.expect("one alone", "decodeURI(location.hash)", "#metric=time,call=main/MPI_Send")
    browser.expect("its call paths", shown("calls"), "main=10 s, work=100 s, MPI_Send=26 s")
    browser.click(row("calls", "main"))
    browser.press("ArrowLeft")
    browser.expect("a closed call path", shown("calls"), "main=136 s")


def hasty(browser):
    """What is clicked while another view is on its way counts in that view; what is drawn anew does not lose a click."""
    browser.value("""document.querySelector("[data-part=how]").focus()""")
    browser.press("ArrowDown")
    browser.click(row("calls", "main"))
    browser.press("ArrowRight")
    browser.expect("call paths opened before they were there", shown("calls"), "main=0, work=0, MPI_Send=0")
    browser.click(row("calls", "work"))
    browser.expect("the address of both", "decodeURI(location.hash)", "#experiment=0-1,metric=time,call=main/work")
    browser.value("""document.querySelector("[data-part=how]").focus()""")
    browser.press("ArrowUp")
    browser.click(row("calls", "main"))
    browser.press("ArrowLeft")
    browser.expect("a call path closed on the way", shown("calls"), "main=136 s")
    browser.expect("what was selected on the way", "decodeURI(location.hash)", "#metric=time,call=main")
    browser.click(row("metrics", "time"), meanwhile="""(() => { const all = document.querySelector("[data-part=values]");
        for (const each of ["percent", "absolute"]) { all.value = each; all.dispatchEvent(new Event("change")); } })()""")
    browser.expect("the metric clicked on", """document.querySelector("[data-part=metrics] .row").getAttribute("aria-selected")""", "true")
    browser.click(row("calls", "main") + """.querySelector(".fold")""", meanwhile="window.dispatchEvent(new Event('popstate'))")
    browser.expect("what was unfolded while all was asked for", shown("calls"), "main=10 s, work=100 s, MPI_Send=26 s")
    browser.click(row("calls", "main") + """.querySelector(".fold")""")
    browser.expect("a closed call path again", shown("calls"), "main=136 s")


def table(browser):
    regions = """[...document.querySelectorAll("[data-part=table] .line")].map(e => e.children[2].textContent).join(" ")"""
    browser.click("""document.querySelector("[data-part=tab-table]")""")
    browser.expect("rows of a table", regions, "main main MPI_Send MPI_Send")
    browser.click("""document.querySelectorAll("[data-part=table] .head button")[4]""")
    browser.expect("rows the other way round", regions, "MPI_Send MPI_Send main main")
    browser.click("""document.querySelector("[data-part=table] input")""")
    browser.type("process = 1, MPI_")
    browser.press("Enter")
    browser.expect("rows that are chosen", regions, "MPI_Send")
    browser.expect("how many there are", """document.querySelector("[data-part=table] output").textContent""", "1 row")
    browser.click("""document.querySelector("[data-part=table] .rows")""")
    browser.press("End")
    browser.expect("the row of the keyboard", """document.querySelector("[data-part=table] .line.active").getAttribute("aria-rowindex")""", "2")


def numbers(browser):
    """Values with their units, which the program's own module writes."""
    values = """[[0.3163, "sec"], [-0.002, "sec"], [500, "usec"], [12345.6, "sec"], [2e6, "bytes"], [2.5e9, "B/s"], [12, "occ"],
        [123456, "occ"], [0.5, ""], [0, "sec"], [null, "sec"]]"""
    browser.expect("values with units", f"""(window.numbers ??= (import("/numbers.js").then(module => {{ window.numbers = module; }}), {{}}),
        window.numbers.shown ? {values}.map(each => window.numbers.shown(...each)).join(", ") : "")""",
        "316.3 ms, -2.000 ms, 500.0 µs, 12346 s, 2.000 MB, 2.500 GB/s, 12 occ, 123.5 k\u2009occ, 0.5000, 0, –")


def screen_reader(browser):
    end = time.monotonic() + WAIT
    for wanted in [("tree", "Metrics"), ("tree", "Call paths"), ("tree", "System"), ("treeitem", "time, 136 s"),
                   ("treeitem", "main, 136 s"), ("tab", "Flame graph")]:
        while wanted not in (found := read_to(browser))[1]:
            if time.monotonic() > end:
                raise SystemExit(f"a screen reader finds no {wanted}: {found[1]}")
            time.sleep(0.02)
    main = next(node for node in found[0] if node.get("name", {}).get("value") == "main, 136 s")
    properties = {each["name"]: each["value"].get("value") for each in main["properties"]}
    if properties.get("expanded") is not False or properties.get("level") != 1:
        raise SystemExit(f"a screen reader is told of main: {properties}")


def pictures(browser):
    browser.click("""document.querySelector("[data-part=tab-flame]")""")
    browser.expect("boxes of the flame graph", """document.querySelector("[data-part=flame] canvas").style.height""", "40px")
    browser.click("""document.querySelector("[data-part=flame] canvas")""")
    browser.press("ArrowUp")
    browser.expect("the caller's box", """document.querySelector("[data-part=flame] .told").textContent""", "main: 136 s, 100.00 %")
    browser.press("ArrowDown")
    browser.expect("a box by keys", """document.querySelector("[data-part=flame] .told").textContent""", "work: 100 s, 73.53 %")
    browser.press("Enter")
    browser.press("Escape")
    browser.press(" ")
    browser.click("""document.querySelector("[data-part=tab-timeline]")""")
    browser.expect("a timeline", """document.querySelector("[data-part=timeline] canvas").style.height""", "36px")
    browser.click("""document.querySelector("[data-part=timeline] canvas")""")
    browser.press("+")
    browser.press("ArrowRight")
    browser.press("0")
    browser.expect("colours of the timeline", """(() => { const c = document.querySelector("[data-part=timeline] canvas");
        const bytes = c.getContext("2d").getImageData(c.width / 2, 2, 4, 4).data; return bytes.some(b => b > 0); })()""", True)


def several_timelines(browser):
    """Two runs stand below each other on one scale: the second takes twice as long."""
    was = browser.value("decodeURI(location.hash)")
    times = """[...document.querySelectorAll("[data-part=timeline] .told")].map(e => e.textContent)"""
    sights = times + """.map(text => text.replace(/^.*: /, ""))"""
    browser.value("location.hash = '#experiment=0-2,metric=time,detail=timeline'")
    browser.expect("names of two timelines", times + """.map(text => text.replace(/.*\/|:.*/g, "")).join(", ")""", "run, longer")
    browser.expect("one scale", sights + """.filter(each => each.startsWith("0.0000 s to ") && each === """ + sights + """[0]).length""", 2)
    browser.expect("where the runs have something", """[...document.querySelectorAll("[data-part=timeline] canvas")].map(c =>
        [0.4, 0.8].map(part => c.getContext("2d").getImageData(120 + (c.width - 120) * part, 2, 4, 4).data.some(b => b > 0)).join(" ")).join(", ")""",
        "true false, true true")
    browser.click("""document.querySelector("[data-part=timeline] canvas")""")
    browser.press("+")
    browser.expect("the times in sight after zooming", sights + """.filter(each => !each.startsWith("0.0000 s") && each === """ + sights +
                   """[0]).length""", 2)
    browser.expect("what may be shown alone", """[...document.querySelector("[data-part=only]").options].some(e => e.text === "the time in sight")""",
                   False)
    browser.value(f"location.hash = '{was}'")
    browser.expect("one timeline again", """document.querySelectorAll("[data-part=timeline] canvas").length""", 1)


def summaries(browser):
    """What a summary says, which the program's own module writes."""
    browser.expect("a summary", """(window.summary ??= (import("/summary.js").then(module => { const panel = document.createElement("div");
        module.showSummary(panel, { first: ["Rank 3 was killed"], text: "It ran for 2 s.", notes: [], doubts: [{ text: "old clock", command: "holos info" }],
            problems: [{ mistake: false, what: "Late", costs: "9 % of the run", where: "main", who: "", why: "", remedy: "be quick", gain: "1 s of 2 s", chance: "" }] });
        window.summary.text = [...panel.querySelectorAll("p, dt, dd")].map(e => e.textContent).join("|"); }), {}), window.summary.text)""",
        "Rank 3 was killed|It ran for 2\u00a0s.|Late (9\u00a0% of the run)|where|main|helps|be quick|gain|1\u00a0s of 2\u00a0s|Note: old clock: holos info")


def search(browser):
    browser.click("""document.querySelector("[data-part=find]")""")
    browser.type("mpi_")
    browser.expect("what was found", """document.querySelector("[data-part=found]").textContent""", "1 found")
    browser.expect("where it is", """document.querySelector("[data-part=calls] .found .name").textContent""", "MPI_Send")


def phone(browser):
    browser.ask("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
    browser.expect("width on a phone", "document.documentElement.scrollWidth", 390)
    browser.click(row("calls", "main"))
    browser.expect("a selection on a phone", """document.querySelector("[data-part=calls] [aria-selected=true] .name").textContent""", "main")


def stranger(browser, address):
    """Without the token nothing is shown."""
    browser.value("sessionStorage.clear()")
    browser.ask("Page.navigate", url="about:blank")
    browser.ask("Page.navigate", url=address.split("#")[0] + "#wrong")
    browser.expect("without the token", """document.querySelector("[data-part=message]")?.textContent ?? "" """,
                   "Open the address that holos serve has printed: it has a token at its end.")


def main():
    program, address, folder = sys.argv[1:4]
    browser = Browser(program, folder)
    try:
        browser.ask("Page.navigate", url=address)
        for step in (clicks, keys, parts, several, hasty, numbers, summaries, screen_reader, table, pictures, several_timelines, search):
            step(browser)
        if len(sys.argv) > 4:
            browser.picture(sys.argv[4])
        phone(browser)
        if len(sys.argv) > 4:
            browser.picture(sys.argv[4].replace(".png", "-phone.png"))
        if browser.complaints:
            raise SystemExit(f"the browser complains: {browser.complaints}")
        stranger(browser, address)
    finally:
        browser.end()


main()
