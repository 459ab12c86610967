"""What finished runs have come to, kept in results/DATASET.json: of each row the hash of its settings, and of each seed
the score on fresh samples, the details, the curve, the CPU seconds, the numerics level, the machine and the
fingerprint.

Records outlast the runs, so that a table grows from one machine and day to the next. They are known by their settings:
those that no row has now are dropped, and rows of the same settings share theirs.
"""
import json
from pathlib import Path

from experiments import experiment, finished_runs, hash_of

RECORDS = Path(__file__).resolve().parent / "results"
PARTS = (0.25, 0.5, 0.75)


def record_of(folder):
    """A finished run, or an ensemble of one."""
    if (folder / "ensemble.json").exists():
        return record_of_ensemble(folder)
    result = json.loads((folder / "result.json").read_text())
    best = next(cell for cell in result["cells"]
                if {"row": cell["row"], "col": cell["col"]} == result["best_cell"])
    cpu = sum(rank["cpu_s"]["total"] - rank["cpu_s"].get("mixture", 0) for rank in result["profile"])
    score = result["score"]
    return {"seed": result["experiment"]["seed"], "score": score["value"],
            "details": details_of(folder, best["details"]),
            "way": on_the_way(folder / "metrics.jsonl", result["generations"]), "cpu_s": round(cpu, 2),
            "judge": score["judge"], "floor": score["floor"], "n_samples": score["n_samples"],
            "numerics": result["numerics"], "machine": machine_of(result), "fingerprint": result["fingerprint"]}


def machine_of(result):
    """Tells hosts and programs apart, whose CPU seconds are not to be compared."""
    return hash_of([result["numerics"], result["hosts"], sorted({rank["build"] for rank in result["inventory"]})])


def record_of_ensemble(folder):
    """With the seed, the CPU seconds and the fingerprint of the run that it is made of."""
    ensemble = json.loads((folder / "ensemble.json").read_text())
    return {**record_of(Path(ensemble["runs"][0]["run"])), "score": ensemble["score"],
            "details": details_of(folder, {}), "way": [None for _ in PARTS], "judge": ensemble["judge"],
            "n_samples": ensemble["number"]}


def details_of(folder, told):
    """Those that a run tells of itself, and those of its evaluation where there was one."""
    evaluation = folder / "evaluation.json"
    if not evaluation.exists():
        return told
    return {score["name"]: score["value"] for score in json.loads(evaluation.read_text())["scores"]} | told


def on_the_way(metrics, generations):
    """The best cell's score at each part of the run, or the last one before."""
    best = {}
    for line in metrics.read_text().splitlines():
        entry = json.loads(line)
        if entry.get("score") is not None:
            best[entry["generation"]] = min(best.get(entry["generation"], float("inf")), entry["score"])
    found = []
    for part in PARTS:
        before = [generation for generation in best if generation <= part * generations]
        found.append(best[max(before)] if before else None)
    return found


def updated(records, runs, everything, dataset):
    """The records of a dataset with those of its finished runs, row by row and seed by seed."""
    result = {}
    figures = set(everything["datasets"][dataset]["figures"])
    for name in everything["rows"]:
        settings = experiment(everything, dataset, name)
        by_seed = {run["seed"]: run for run in recorded_runs(records, settings)}
        for folder in finished_runs(runs, dataset, name, settings):
            run = record_of(folder)
            if figures <= run["details"].keys():  # else run.py has not asked for them yet
                by_seed[run["seed"]] = run
        if by_seed:
            result[name] = {"settings": hash_of(settings), "runs": [by_seed[seed] for seed in sorted(by_seed)]}
    return result


def recorded_runs(records, settings):
    """Those with these settings, whatever their row is called."""
    return next((row["runs"] for row in records.values() if row["settings"] == hash_of(settings)), [])


def read_records(path):
    return json.loads(path.read_text()) if path.exists() else {}


def write_records(path, records):
    """One run a line, so that changes of a file can be read."""
    if not records:
        return
    lines = ["{"]
    for name, row in records.items():
        lines.append(f' {json.dumps(name)}: {{"settings": {json.dumps(row["settings"])}, "runs": [')
        lines += ["  " + json.dumps(run) + "," for run in row["runs"]]
        lines[-1] = lines[-1][:-1] + "]},"
    lines[-1] = lines[-1][:-1] + "\n}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
