#!/usr/bin/env python3
"""The picture of the README: `bench/scaling/plot.py scaling.json docs/images/scaling.svg`.

How a generation's time grows with the grid on a core for each cell, beside 2x2: what measure.py has seen (by cell and core
where cells share cores), what model.py says of larger grids, and the founding paper's minutes (Perez et al. 2020).
"""

import argparse
import html
import json
import math
import pathlib

import model

PAPER_MINUTES = {4: 39.81, 9: 73.24, 16: 126.68}
WIDTH, HEIGHT = 760, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 700, 56, 310
MOST = 3.5  # times that of 2x2
STYLE = """text { font: 13px sans-serif; fill: #333 } .title { font-size: 15px } .axis { stroke: #999 }
.grid { stroke: #e4e4e4 } .end { text-anchor: end } .middle { text-anchor: middle }
polyline { fill: none; stroke-width: 2.5 }"""


def relative_to_2x2(times):
    """{cells: time} as [(cells, times that of four)]."""
    return [(cells, time / times[4]) for cells, time in sorted(times.items())]


def measured_times(measured):
    return {row["cells"]: row["ranks"]["generation_s"] * row["cores"] / row["cells"]
            for row in measured["grids"] if row["cells"] >= 4}


def modelled_times(measured):
    own = model.Model(measured, measured["latency_s"], measured["bytes_per_s"])
    return {size * size: own.generation(size * size, size * size)[0] for size in range(2, max(model.SIZES) + 1)}


def at(cells, times):
    """Where a point lies: grids by their logarithm, times from 0 on."""
    x = LEFT + (RIGHT - LEFT) * math.log(cells / 4) / math.log(max(model.SIZES) ** 2 / 4)
    return x, BOTTOM - (BOTTOM - TOP) * times / MOST


def text(x, y, content, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(content)}</text>'


def line(points, colour, name, how=""):
    """A line, with dots where it was measured, named at its end; how: that of one that was not."""
    places = [at(*point) for point in points]
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = [] if how else [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in places]
    x, y = places[-1]
    label = text(RIGHT, y - 9, name, "end") if how else text(x + 9, y + (16 if points[-1][1] < 1.5 else 4), name)
    return [f'<polyline points="{corners}" stroke="{colour}" {how}/>', *dots, label]


def axes():
    parts = []
    for times in range(int(MOST) + 1):
        _, y = at(4, times)
        parts += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" class="{"grid" if times else "axis"}"/>',
                  text(LEFT - 10, y + 4, f"{times}x" if times else "0", "end")]
    for size in sorted({3, *model.SIZES}):
        x, y = at(size * size, 0)
        parts += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y + 5:.1f}" class="axis"/>',
                  text(x, y + 20, f"{size}x{size}", "middle")]
    return parts


def picture(measured):
    parts = [f"<style>{STYLE}</style>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, 24, "Time of a generation as the grid grows, on a core for each cell, beside 2x2", "title"),
             *axes(),
             *line(relative_to_2x2(PAPER_MINUTES), "#c2571a", "Perez et al. 2020, measured"),
             *line(relative_to_2x2(modelled_times(measured)), "#1f6fb2", "lipizz, modelled",
                   'stroke-dasharray="6 5"'),
             *line(relative_to_2x2(measured_times(measured)), "#1f6fb2",
                   f"lipizz, measured by cell and core on {measured['cores']} cores"),
             text((LEFT + RIGHT) / 2, HEIGHT - 12, "grid of cells", "middle")]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}">\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=pathlib.Path, help="what measure.py wrote")
    parser.add_argument("picture", type=pathlib.Path)
    arguments = parser.parse_args()
    measured = json.loads(arguments.measured.read_text(encoding="utf-8"))
    arguments.picture.write_text(picture(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
