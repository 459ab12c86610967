"""Checks that src/a/b.cpp has its test tests/a/b_test.cpp."""

from source_tree import ROOT, cpp_files, finish

# Sources without a test of their own, each with where it is tested instead.
EXEMPT = {
    "src/app/evaluate_command.cpp": "tests/system/evaluate_test.py",
    "src/app/launch.cpp": "tests/system/launch_test.py",
    "src/app/launch_command.cpp": "tests/app/commands_test.cpp, tests/system/launch_test.py",
    "src/app/main.cpp": "tests/system runs it",
    "src/app/text_commands.cpp": "tests/app/commands_test.cpp",
    "src/app/tune_command.cpp": "tests/app/commands_test.cpp",
    "src/app/sweep_command.cpp": "tests/system/sweep_test.py",
    "src/app/sweep_timing.cpp": "tests/system/sweep_test.py",
    "src/core/clock.cpp": "reads the operating system's clock; the tests inject their own",
    "src/metrics/packed_rows_float.cpp": "tests/metrics/packed_rows_test.cpp tests both precisions",
    "src/nn/exec/host_device.cpp": "tests/nn/exec/device_test.cpp tests all devices",
}

# Folders whose files are entries of a table that one suite runs through.
SUITES = {
    **{f"src/coev/{kind}": f"tests/coev/{kind}_test.cpp, tests/coev/operators_test.cpp"
       for kind in ("fitness", "loss_mutation", "migration", "mixture_weighting", "opponents", "rate_mutation",
                    "recombination", "replacement", "selection", "training_schedule")},
    "src/nn/cpu": "tests/nn/graph/operations_conformance_test.cpp runs every operation on every engine",
    "src/nn/cuda": "operations_conformance_test.cpp runs its kernels on the host; ctest -L gpu the tests of devices on a GPU",
    "src/nn/graph/operations": "operations_conformance_test.cpp (engines), operations_test.cpp (values), "
                               "tests/nn/network/layers_test.cpp (gradients)",
    "src/nn/network/layers": "tests/nn/network/layers_test.cpp",
    "src/nn/network/models": "tests/nn/network/models_test.cpp",
}


def check(root, exempt=EXEMPT, suites=SUITES):
    sources = {path.as_posix() for path in cpp_files(root, "src")}
    tests = {path.as_posix() for path in cpp_files(root, "tests")}
    for source in sorted(sources):
        wanted = "tests/" + source.removeprefix("src/").removesuffix(".cpp") + "_test.cpp"
        is_entry = source.rpartition("/")[0] in suites
        if source.endswith(".cpp") and source not in exempt and not is_entry and wanted not in tests:
            yield f"{source}: its test {wanted} is missing"
    for source in sorted(set(exempt) - sources):
        yield f"{source}: exempt, but not there"
    for folder in sorted(set(suites) - {source.rpartition("/")[0] for source in sources}):
        yield f"{folder}: has a suite, but is not there"


if __name__ == "__main__":
    finish(list(check(ROOT)), "mirror")
