"""What is compared: the datasets and rows of experiments.json, and the settings of each row on each dataset."""
import copy
import hashlib
import json
import os
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONFIGS = HERE.parent.parent / "configs"
# Nobody meets a neighbour's copy, but the mixture is that of the neighbourhood.
APART = {network: {"opponents": "partner"} for network in ("generator", "discriminator")}


def load_experiments():
    return json.loads(Path(os.environ.get("LIPIZZ_EXPERIMENTS", HERE / "experiments.json")).read_text())


def merged(settings, changes):
    """`changes` over `settings`; an operator with a name of its own replaces the other one whole."""
    result = copy.deepcopy(settings)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both and "kind" not in value else copy.deepcopy(value)
    return result


def experiment(everything, dataset_name, row_name):
    """The settings of a row on a dataset; of an ensemble, those of the runs that it is made of."""
    dataset, row = everything["datasets"][dataset_name], resolved(everything["rows"], dataset_name, row_name)
    if "ensemble_of" in row:
        return {"weighting": row["weighting"], "of": experiment(everything, dataset_name, row["ensemble_of"])}
    settings = merged(everything.get("base", {}), json.loads((CONFIGS / dataset["config"]).read_text()))
    settings = merged(settings, dataset["settings"])
    if row.get("apart"):
        settings = merged(settings, APART)
    settings = merged(settings, row.get("settings", {}))
    settings = merged(settings, row.get("on", {}).get(dataset_name, {}))
    rows, columns = row.get("grid", (2, 2))
    settings["grid"] = {"rows": rows, "columns": columns}
    length = row.get("length", 1)
    settings["generations"] = round(dataset["generations"] * (length[dataset_name] if isinstance(length, dict) else length))
    if "times" in row:
        settings["selection"]["period"] = max(1, settings["generations"] // row["times"])
    if row.get("cut"):
        cut_generations(settings, dataset["parts"])
    for network in ("generator", "discriminator"):  # a schedule ends with the run
        if "generations" in settings.get(network, {}).get("schedule", {}):
            settings[network]["schedule"]["generations"] = settings["generations"]
    del settings["name"]
    settings["threads"] = 1
    # Nothing is saved while they are timed.
    settings["checkpoint"] = {"every": "off"}
    return settings


def resolved(rows, dataset_name, row_name):
    """A row that `is` another one, on each dataset or on all, is that one with its own changes."""
    row = rows[row_name]
    if "is" not in row:
        return row
    other = row["is"] if isinstance(row["is"], str) else row["is"][dataset_name]
    return {**resolved(rows, dataset_name, other), **{key: value for key, value in row.items() if key != "is"}}


def cut_generations(settings, parts):
    """As many batches and scores in as many times the generations."""
    batches = settings["data"]["batches_per_generation"]
    assert batches % parts == 0, f"{batches} batches cannot be cut into {parts} equal parts"
    settings["generations"] *= parts
    settings["data"]["batches_per_generation"] = batches // parts
    settings["score"]["every"] = parts * settings["score"].get("every", 1)


def hash_of(settings):
    """Eight digits that change with the settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]


def folder_of(runs, dataset, row, settings):
    """Where the runs of a row lie: another folder for other settings, and one for rows of the same settings."""
    there = sorted((runs / dataset).glob(f"*-{hash_of(settings)}"))
    return there[0] if there else runs / dataset / f"{name_of(row)}-{hash_of(settings)}"


def finished_runs(runs, dataset, row, settings):
    """The folders of what a row has come to, runs or ensembles of them."""
    return [found.parent for name in ("result.json", "ensemble.json")
            for found in sorted((folder_of(runs, dataset, row, settings) / "runs" / "runs").glob(f"*/{name}"))]


def name_of(row):
    return re.sub(r"[^A-Za-z0-9._]+", "-", row)
