"""What the lint checks share: the files of the repository, and how to report findings."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP_SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh"}
NOT_OURS = {".git", "build", "runs", ".cache"}


def cpp_files(root, *folders):
    """C++ files below the folders, sorted, as paths relative to root."""
    found = (path for folder in folders for path in (root / folder).rglob("*"))
    return sorted(path.relative_to(root) for path in found if path.suffix in CPP_SUFFIXES)


def tracked_files(root):
    """Files under version control; outside a checkout, every file that is not built or left by a run."""
    try:
        listing = subprocess.run(["git", "-C", root, "-c", "safe.directory=*", "ls-files", "-z"],
                                 capture_output=True, check=True).stdout.decode()
        paths = [pathlib.Path(name) for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(root) for path in root.rglob("*")]
    return sorted(path for path in paths
                  if path.parts[0] not in NOT_OURS and (root / path).is_file())


def finish(findings, what):
    """Prints the findings and leaves with 1 when there are any."""
    for finding in findings:
        print(finding)
    print(f"{what}: {len(findings)} findings" if findings else f"{what}: ok")
    sys.exit(1 if findings else 0)
