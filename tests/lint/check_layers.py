"""Checks that every #include and every CMake dependency points up the list of levels.

The tables below are the rule (docs/adr/0001-layers.md says why). A folder of src/ may include its own
headers and those of the folders listed for it; a library from outside may be included only where
its fence allows.
"""

import collections
import pathlib
import re

from source_tree import ROOT, cpp_files, finish

ALL = None  # every header of the folder

BASE = {"core": ALL, "telemetry": ALL}
TENSORS = {"nn/base/buffer.hpp", "nn/base/shape.hpp"}

# Inside nn, lowest first; a level may include those that are listed for it.
NN_LEVELS = {
    "nn/base": (),
    "nn/graph": ("nn/base",),
    "nn/network": ("nn/base", "nn/graph"),
    "nn/cpu": ("nn/base", "nn/graph"),
    "nn/exec": ("nn/base", "nn/graph", "nn/network", "nn/cpu"),
    "nn/train": ("nn/base", "nn/graph", "nn/network", "nn/cpu", "nn/exec"),
    "nn/cuda": ("nn/base", "nn/graph", "nn/exec"),
}
NN = dict.fromkeys(set(NN_LEVELS) - {"nn/cuda"}, ALL)  # a plugin that nobody includes

# folder -> {folder that it may include: which headers}
LAYERS = {
    "core": {},
    "telemetry": {"core": ALL},
    "config": BASE,
    "grid": BASE,
    "comm": BASE,
    **{level: {**BASE, **dict.fromkeys(below, ALL)} for level, below in NN_LEVELS.items()},
    "parallel": {**BASE, "nn/base": ALL},
    "data": {**BASE, "nn/base": TENSORS},
    "metrics": {**BASE, **NN, "data": ALL},
    "checkpoint": {**BASE, "nn/base": TENSORS | {"nn/base/spectral.hpp"},
                   "nn/network": {"nn/network/modules.hpp", "nn/network/network.hpp"}},
    "coev": {**BASE, "grid": ALL, **NN, "data": ALL, "metrics": ALL},
    "setup/agreement": {**BASE, "config": ALL, "grid": ALL, "comm": ALL},
}
LAYERS["setup"] = dict.fromkeys(set(LAYERS) - {"nn/cuda"}, ALL)
LAYERS["worker"] = dict.fromkeys(set(LAYERS) - {"nn/cuda"}, ALL)
LAYERS["report"] = {**BASE, "config": ALL, "grid": ALL, "checkpoint": ALL}
LAYERS["tensorboard"] = {**BASE, "checkpoint": ALL}
LAYERS["master"] = {folder: ALL for folder in (*LAYERS["worker"], "report", "tensorboard")
                    if folder not in ("coev", "setup", "parallel") and not folder.startswith("nn/")}
LAYERS["sweep"] = {**LAYERS["report"], "report": ALL, "setup": ALL}
LAYERS["app"] = dict.fromkeys(set(LAYERS) - {"nn/cuda"}, ALL)

JSON_READERS = "config|checkpoint|worker|master|report|sweep|telemetry|app"

# (header pattern, pattern of the paths below src/ that may include it)
FENCES = [
    (r"mpi(-ext)?\.h", r"comm/mpi_[^/]*"),
    (r"(oneapi/)?dnnl/.*|dnnl.*", r"nn/cpu/.*"),
    (r"(unsupported/)?Eigen/.*", r"nn/graph/operations/.*|nn/exec/libraries\.cpp|metrics/[^/]*\.cpp"),
    (r"(cuda|cudnn|cublas|nccl|curand|thrust/|cub/).*", r"nn/cuda/.*"),
    (r"nlohmann/.*", rf"({JSON_READERS})/.*\.cpp|nn/graph/convolution_table\.cpp"),
    (r"sodium\.h", r"comm/authentication\.cpp"),
    (r"boost/program_options.*", r"app/.*"),
    (r"zlib\.h", r"(data|checkpoint)/.*\.cpp"),
    (r"png\.h|(jpeglib|jerror)\.h", r"data/.*\.cpp"),
    (r"hdf5\.h", r"data/hdf5[^/]*\.cpp|data/libraries\.cpp"),
    (r"google/protobuf/.*", r"tensorboard/[^/]*\.cpp"),
    (r"spdlog/.*", r"telemetry/.*"),
    (r"fmt/.*", r".*"),
    (r"omp\.h", r"nn/cpu/.*"),
    (r"(imm|[xpet]mm|x86)intrin\.h|cpuid\.h", r"(core|nn)/.*"),
    (r"malloc\.h", r"app/main\.cpp"),
    (r"(sys|netinet|arpa)/.*|(unistd|fcntl|sched|signal|poll|pthread|pwd|dlfcn|termios|time)\.h", r".*"),
]
STANDARD = re.compile(r"[a-z0-9_]+")

# Written by CMake.
GENERATED = {"metrics/judge_files.inc", "tensorboard/event.pb.h", "nn/every_layer.hpp", "nn/every_loss.hpp", "nn/every_optimizer.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
MODULE = re.compile(r"lipizz_add_module\(\s*([\w/]+)([^)]*)\)")


def folder_of(path):
    """The row of the table that a path below src/ belongs to: nn/graph for nn/graph/operations/a.cpp."""
    parts = path.split("/")
    two = "/".join(parts[:2])
    return two if two in LAYERS else parts[0]


def includes(path):
    """Yields (line number, project header or None, outside header or None)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(1), match.group(2)


def check_project_include(place, folder, header, source_root):
    if header in GENERATED:
        return None
    if "/" not in header or not (source_root / header).is_file():
        return f'{place}: "{header}" is no header below src/; write "folder/file.hpp"'
    target = folder_of(header)
    if target == folder:
        return None
    allowed = LAYERS[folder]
    if target not in allowed:
        return f"{place}: {folder} must not include {target} ({header})"
    if allowed[target] is not ALL and header not in allowed[target]:
        return f"{place}: of {target}, {folder} may include only {sorted(allowed[target])}, not {header}"
    return None


def check_outside_include(place, path, header):
    for pattern, allowed in FENCES:
        if re.fullmatch(pattern, header):
            if re.fullmatch(allowed, path.as_posix()):
                return None
            return f"{place}: <{header}> belongs only in src/{allowed}"
    if STANDARD.fullmatch(header):
        return None
    return f"{place}: <{header}> is not in the table of fences; add it with the folders that may use it"


def find_cycle(graph):
    """A list of folders that include one another in a ring, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for following in sorted(graph.get(node, ())):
            if state.get(following) == "open":
                return [*trail[trail.index(following):], following]
            if following not in state and (cycle := visit(following, [*trail, following])):
                return cycle
        state[node] = "done"
        return None

    for start in sorted(graph):
        if start not in state and (cycle := visit(start, [start])):
            return cycle
    return None


def cmake_dependencies(source_root):
    """folder -> the DEPS of its lipizz_add_module()."""
    dependencies = {}
    for path in sorted(source_root.rglob("CMakeLists.txt")):
        for name, body in MODULE.findall(path.read_text(encoding="utf-8")):
            match = re.search(r"\bDEPS\b((?:\s+(?!SOURCES|PUBLIC|PRIVATE)[\w/]+)*)", body)
            named = set(match.group(1).split()) if match else set()
            dependencies[name] = (named - {"nn"}) | set(NN) if "nn" in named else named  # nn: all its levels
    return dependencies


def reachable(folder, graph):
    seen, waiting = set(), [folder]
    while waiting:
        for following in graph.get(waiting.pop(), ()):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen


def check_cmake(dependencies, included):
    for folder, deps in sorted(dependencies.items()):
        for dep in sorted(deps - set(LAYERS.get(folder, {}))):
            yield f"src/{folder}/CMakeLists.txt: {folder} must not depend on {dep}"
        linked = reachable(folder, dependencies) | {folder}
        for other in sorted(included.get(folder, set()) - linked):
            yield f"src/{folder}/CMakeLists.txt: {other} is included but not in DEPS"


def missing_folders(root, layers=LAYERS):
    """Rows of the table that no folder stands behind."""
    return [f"src/{folder}: in the table of layers, but not there"
            for folder in sorted(layers) if not (root / "src" / folder).is_dir()]


def check(root):
    """Every finding of the tree below root, one line each."""
    source_root = root / "src"
    findings = []
    included = collections.defaultdict(set)
    for relative in cpp_files(root, "src"):
        path = pathlib.Path(*relative.parts[1:])
        folder = folder_of(path.as_posix())
        if folder not in LAYERS:
            findings.append(f"{relative}: folder {folder} is not in the table of layers")
            continue
        for number, project, outside in includes(root / relative):
            place = f"{relative}:{number}"
            if project:
                findings.append(check_project_include(place, folder, project, source_root))
                if project not in GENERATED and folder_of(project) != folder:
                    included[folder].add(folder_of(project))
            else:
                findings.append(check_outside_include(place, path, outside))
    if cycle := find_cycle(included):
        findings.append("src: folders include one another in a ring: " + " -> ".join(cycle))
    findings.extend(check_cmake(cmake_dependencies(source_root), included))
    return [finding for finding in findings if finding]


if __name__ == "__main__":
    finish(check(ROOT) + missing_folders(ROOT), "layers")
