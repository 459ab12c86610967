"""Makes data of one's own: a folder of coloured shapes in nested classes and odd sizes, pairs, arrays, points."""

import pathlib
import struct
import sys
import zlib

import numpy


def write_png(path, pixels):
    """pixels: uint8 [height, width] or [height, width, 3]."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    colour = 2 if pixels.ndim == 3 else 0
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
                     chunk(b"IEND", b""))


def shape(random, kind, width, height):
    """A disc, a square or a cross of one colour on a dark ground."""
    y, x = numpy.mgrid[0:height, 0:width]
    radius = 0.3 * min(width, height) * random.uniform(0.7, 1.1)
    dx = abs(x - width / 2 + random.uniform(-3, 3))
    dy = abs(y - height / 2 + random.uniform(-3, 3))
    inside = {"disc": dx ** 2 + dy ** 2 < radius ** 2,
              "square": numpy.maximum(dx, dy) < 0.9 * radius,
              "cross": (numpy.minimum(dx, dy) < 0.3 * radius) & (numpy.maximum(dx, dy) < radius)}[kind]
    colours = {"disc": (230, 80, 60), "square": (70, 200, 90), "cross": (90, 120, 240)}
    colour = numpy.clip(numpy.array(colours[kind]) + random.integers(-25, 25, 3), 0, 255)
    ground = random.integers(10, 40, 3)
    return numpy.where(inside[..., None], colour, ground).astype(numpy.uint8)


def put_shapes(folder, n):
    random = numpy.random.default_rng(1)
    for i in range(n):
        kind = ("disc", "square", "cross")[i % 3]
        place = {"disc": "round/disc", "square": "angular/square", "cross": "angular/cross"}[kind]
        width, height = random.integers(28, 60, 2)
        write_png(folder / place / f"{i:05d}.png", shape(random, kind, width, height))
    (folder / "README.txt").write_text("no picture", encoding="utf-8")


def put_pairs(folder, n, size):
    """Left the outline's box in white, right the shape."""
    random = numpy.random.default_rng(2)
    for i in range(n):
        right = shape(random, ("disc", "square", "cross")[i % 3], size, size)
        left = numpy.repeat((right.max(axis=2, keepdims=True) > 60) * 255, 3, axis=2).astype(numpy.uint8)
        write_png(folder / f"{i:05d}.png", numpy.hstack([left, right]))


def images(n, size):
    random = numpy.random.default_rng(3)
    return numpy.stack([shape(random, ("disc", "square", "cross")[i % 3], size, size) for i in range(n)])


def vectors(n, width):
    """Three clusters in a space of `width` values."""
    random = numpy.random.default_rng(4)
    centres = 3 * random.standard_normal((3, width))
    return (centres[random.integers(0, 3, n)] + 0.3 * random.standard_normal((n, width))).astype(numpy.float32)


def put_features(path, n, width):
    numpy.save(path, vectors(n, width))


def put_all(folder, n):
    folder = pathlib.Path(folder)
    put_shapes(folder / "shapes", n)
    put_pairs(folder / "pairs", n, 32)
    numpy.save(folder / "images.npy", images(n, 28))
    numpy.save(folder / "floats.npy", images(n, 28).astype(numpy.float32) / 255)
    numpy.save(folder / "vectors.npy", vectors(n, 6))
    numpy.savetxt(folder / "points.csv", vectors(n, 2), delimiter=",", header="x,y", comments="")


if __name__ == "__main__":
    put_all(sys.argv[1], int(sys.argv[2]))
