#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture for each metric: its value over the number of threads, a line for each variant. What ran without threads is a dashed
line, as it has no number of them.

  curves.py FOLDER METRIC…        reads FOLDER/VARIANT-THREADS/multiply.cubex, writes FOLDER/METRIC.svg

Needs `holos` in PATH, and nothing but Python.
"""
import html
import json
import pathlib
import re
import subprocess
import sys

LEFT, TOP, WIDTH, HEIGHT = 90, 50, 560, 340
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]


def plain(name):
    """As unique names of metrics are written."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def values_of(file):
    shown = subprocess.run(["holos", "show", str(file), "--format", "json"], check=True, capture_output=True, text=True).stdout
    return {plain(metric["metric"]): metric["value"] for metric in json.loads(shown)["metrics"]}


def runs_in(folder):
    """By variant: values of metrics by number of threads."""
    runs = {}
    for file in folder.glob("*/multiply.cubex"):
        variant, threads = file.parent.name.rsplit("-", 1)
        runs.setdefault(variant, {})[int(threads)] = values_of(file)
    return runs


def round_up(value):
    """To 1, 2 or 5 times a power of ten."""
    power = 10.0 ** (len(str(int(value))) - 1) if value >= 1 else 10.0 ** -9
    while power * 10 <= value:
        power *= 10
    return next(power * step for step in (1, 2, 5, 10) if power * step >= value)


def picture(metric, lines):
    """`lines`: by variant, values by number of threads."""
    threads = sorted({number for line in lines.values() for number in line})
    most_threads = max(threads)
    most = round_up(max(value for line in lines.values() for value in line.values()) or 1)
    def x(number): return LEFT + WIDTH * number / most_threads
    def y(value): return TOP + HEIGHT * (1 - value / most)
    body = [f'<text x="{LEFT}" y="28" class="title">{html.escape(metric)} by number of threads</text>']
    for part in range(6):
        value = most * part / 5
        body.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}h{WIDTH}"/>'
                    f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" class="right">{value:g}</text>')
    for number in threads:
        body.append(f'<path class="grid" d="M{x(number):.1f} {TOP}v{HEIGHT}"/>'
                    f'<text x="{x(number):.1f}" y="{TOP + HEIGHT + 18}" class="middle">{number}</text>')
    for place, (variant, line) in enumerate(sorted(lines.items())):
        colour = COLOURS[place % len(COLOURS)]
        points = [(x(number), y(value)) for number, value in sorted(line.items())]
        if variant.startswith("serial"):
            body.append(f'<path class="line" stroke="{colour}" stroke-dasharray="5 4" d="M{LEFT} {points[0][1]:.1f}h{WIDTH}"/>')
        else:
            path = "L".join(f"{across:.1f} {up:.1f}" for across, up in points)
            body.append(f'<path class="line" stroke="{colour}" d="M{path}"/>')
            body += [f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5" fill="{colour}"/>' for across, up in points]
        body.append(f'<text x="{LEFT + WIDTH + 14}" y="{TOP + 12 + 18 * place}" fill="{colour}">{html.escape(variant)}</text>')
    style = ("text{font:12px system-ui,sans-serif}.title{font-size:15px;font-weight:600}.right{text-anchor:end}"
             ".middle{text-anchor:middle}.grid{stroke:#e3e3e3}.line{fill:none;stroke-width:1.6}")
    size = f'width="{LEFT + WIDTH + 120}" height="{TOP + HEIGHT + 40}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>{html.escape(metric)}</title><style>{style}</style>\n'
            f'<rect {size} fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


def main(folder, metrics):
    runs = runs_in(folder)
    for metric in metrics:
        lines = {variant: {threads: values[plain(metric)] for threads, values in by_threads.items() if plain(metric) in values}
                 for variant, by_threads in runs.items()}
        lines = {variant: line for variant, line in lines.items() if line}
        if not lines:
            sys.exit(f"no run has the metric {metric}")
        (folder / f"{plain(metric)}.svg").write_text(picture(metric, lines), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
