#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The lipizz authors
"""Rebuilds the generators of a run of lipizz and samples their mixture, with numpy alone.

    python3 read_mixture.py                      # every generator against the samples in the folder
    python3 read_mixture.py --samples 64 --seed 1 --output samples.npy

    from read_mixture import Mixture
    samples = Mixture("runs/a/mixture").sample(64, seed=1)    # [64, height, width, channels]

The folder holds mixture.json, which says what everything is, the weights of each generator, and examples.safetensors:
what each generator makes of the same few inputs. Files of weights load into PyTorch as they are:

    network = read_mixture.torch_network(mixture.description["network"])
    network.load_state_dict(safetensors.torch.load_file("runs/a/mixture/cell-0.safetensors"))

This file may be copied and changed as you like (MIT license).
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np

FORMAT = "lipizz mixture 1"
TYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8", "U8": "|u1"}
MAX_HEADER_BYTES = 100_000_000  # the format's own limit


# Files. No length is believed before it is held against what is there.

def read_tensors(path):
    """The tensors of a safetensors file, by name."""
    with open(path, "rb") as file:
        n_bytes = file.seek(0, 2)
        file.seek(0)
        n_header = int.from_bytes(file.read(8), "little")
        expect(8 + n_header <= n_bytes and n_header <= MAX_HEADER_BYTES, path, "its header is cut off")
        header = parse_json(file.read(n_header), path)
        data = file.read()
    header.pop("__metadata__", None)
    return {name: tensor_of(entry, data, f"{path}: {name}") for name, entry in header.items()}


def tensor_of(entry, data, place):
    expect(isinstance(entry, dict) and entry.get("dtype") in TYPES, place, "no type of number that is known")
    kind = np.dtype(TYPES[entry["dtype"]])
    shape, offsets = entry.get("shape"), entry.get("data_offsets")
    expect(is_list_of_sizes(shape) and is_list_of_sizes(offsets) and len(offsets) == 2, place, "no shape or no place")
    begin, end = offsets
    expect(begin <= end <= len(data) and end - begin == math.prod(shape) * kind.itemsize, place, "its bytes are missing")
    return np.frombuffer(data, kind, math.prod(shape), begin).reshape(shape)


def is_list_of_sizes(value):
    return isinstance(value, list) and all(type(size) is int and 0 <= size < 2**63 for size in value)


def parse_json(data, path):
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError):
        parsed = None
    expect(isinstance(parsed, dict), path, "no JSON object")
    return parsed


def expect(is_so, place, found):
    if not is_so:
        raise ValueError(f"{place}: {found}; the file is damaged or not written by lipizz: use another copy")


# Modules, each by its kind. x is [n, features] or images [n, height, width, channels]; m is the module's entry in
# mixture.json, t its tensors by their own names.

def linear(m, t, x):
    return with_bias(x.reshape(len(x), -1) @ t["weight"].T, t)


def convolution(m, t, x):
    p, stride = m["padding"], m["stride"]
    x = np.pad(x, ((0, 0), (p, p), (p, p), (0, 0)))
    height, width = ((size - 1) * stride + 1 for size in m["shape"][:2])
    return with_bias(sum(by_groups(m, x[:, i:i + height:stride, j:j + width:stride], t["weight"][:, :, i, j],
                                   np.transpose) for i, j in np.ndindex(m["kernel"], m["kernel"])), t)


def transposed_convolution(m, t, x):
    k, p, stride = m["kernel"], m["padding"], m["stride"]
    height, width = ((size - 1) * stride + 1 for size in x.shape[1:3])
    whole = np.zeros((len(x), height + k - 1, width + k - 1, m["outputs"]), np.float32)
    for i, j in np.ndindex(k, k):
        whole[:, i:i + height:stride, j:j + width:stride] += by_groups(m, x, t["weight"][:, :, i, j])
    return with_bias(whole[:, p:whole.shape[1] - p, p:whole.shape[2] - p], t)


def by_groups(m, x, tap, turned=lambda weights: weights):
    """The products of each group's channels with its own rows of the weights of one tap."""
    parts = zip(np.split(x, m["groups"], -1), np.split(tap, m["groups"]))
    return np.concatenate([np.tensordot(part, turned(weights), 1) for part, weights in parts], -1)


def with_bias(x, t):
    return x + t["bias"] if "bias" in t else x


def batch_norm(m, t, x):
    return scaled((x - t["running_mean"]) / np.sqrt(t["running_var"] + np.float32(m["epsilon"])), t)


def instance_norm(m, t, x):
    return scaled(normalised(m, x, (1, 2)), t)


def layer_norm(m, t, x):
    return scaled(normalised(m, x, tuple(range(1, x.ndim))), t)


def normalised(m, x, axes):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + np.float32(m["epsilon"]))


def scaled(x, t):
    return x * t["weight"] + t["bias"] if "weight" in t else x


def modulate(m, t, x, gain, shift):
    shape = (len(x),) + (1,) * (x.ndim - 2) + (-1,)
    return x * (1 + gain.reshape(shape)) + shift.reshape(shape)


def self_attention(m, t, x):
    n, height, width, _ = x.shape
    theta, phi, values = (pointwise(x, t[f"{name}.weight"]) for name in ("theta", "phi", "g"))
    phi, values = (max_pool({"kernel": 2}, t, each) for each in (phi, values))
    theta, phi, values = (each.reshape(n, -1, each.shape[3]) for each in (theta, phi, values))
    scores = theta @ phi.transpose(0, 2, 1)
    shares = np.exp(scores - scores.max(2, keepdims=True))
    seen = shares / shares.sum(2, keepdims=True) @ values
    return x + t["gamma"] * pointwise(seen.reshape(n, height, width, -1), t["o.weight"])


def pointwise(x, weight):
    return np.tensordot(x, weight[:, :, 0, 0].T, 1)


def upsample(m, t, x):
    return x.repeat(m["kernel"], 1).repeat(m["kernel"], 2)


def blocks(m, x):
    """[n, height / kernel, kernel, width / kernel, kernel, channels]"""
    k = m["kernel"]
    n, height, width, channels = x.shape
    return x.reshape(n, height // k, k, width // k, k, channels)


def average_pool(m, t, x):
    return blocks(m, x).mean((2, 4))


def sum_pool(m, t, x):
    return blocks(m, x).sum((2, 4))


def max_pool(m, t, x):
    return blocks(m, x).max((2, 4))


MODULES = {
    "linear": linear,
    "convolution": convolution,
    "transposed-convolution": transposed_convolution,
    "batch-norm": batch_norm,
    "instance-norm": instance_norm,
    "layer-norm": layer_norm,
    "modulate": modulate,
    "self-attention": self_attention,
    "upsample": upsample,
    "average-pool": average_pool,
    "sum-pool": sum_pool,
    "max-pool": max_pool,
    "identity": lambda m, t, x: x,
    "dropout": lambda m, t, x: x,  # drops in training alone
    "reshape": lambda m, t, x: x.reshape(len(x), *m["shape"]),
    "add": lambda m, t, *inputs: sum(inputs),
    "concatenate": lambda m, t, *inputs: np.concatenate(inputs, -1),
    "dot": lambda m, t, x, y: (x * y).reshape(len(x), -1).sum(1, keepdims=True),
    "channels": lambda m, t, x: x[..., m["offset"]:m["offset"] + m["outputs"]],
    "relu": lambda m, t, x: np.maximum(x, 0),
    "leaky-relu": lambda m, t, x: np.where(x > 0, x, np.float32(m["slope"]) * x),
    "tanh": lambda m, t, x: np.tanh(x),
    "sigmoid": lambda m, t, x: 1 / (1 + np.exp(-x)),
}


class Network:
    """A generator: inputs [n, ...] and, where it is told classes, labels [n], to what its last module gives."""

    def __init__(self, description, tensors):
        self.description = description
        self.tensors = tensors

    def __call__(self, inputs, labels=None):
        shape = self.description["inputs"]
        results = {"input": np.asarray(inputs, np.float32).reshape(-1, *shape)}
        for m in self.description["modules"]:
            t = {part: self.tensors[f"{m['name']}.{part}"] for part in m["tensors"]}
            if m["kind"] == "embedding":
                result = t["weight"][np.asarray(labels, np.int64)]
            else:
                result = MODULES[m["kind"]](m, t, *(results[name] for name in m["from"]))
            results[m["name"]] = result.reshape(len(result), *m["shape"])
        return results[self.description["modules"][-1]["name"]]


class Mixture:
    """The generators of a folder and their weights."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.description = parse_json((self.folder / "mixture.json").read_bytes(), self.folder / "mixture.json")
        expect(self.description.get("format") == FORMAT, self.folder / "mixture.json", f"no {FORMAT}")
        self.generators = [Network(self.description["network"], self._tensors(entry["file"]))
                           for entry in self.description["generators"]]
        self.weights = np.array([entry["weight"] for entry in self.description["generators"]])

    def _tensors(self, name):
        expect(pathlib.Path(name).name == name, self.folder / "mixture.json", f"{name} is no name of a file beside it")
        return read_tensors(self.folder / name)

    def examples(self):
        """What each generator makes of the same inputs: `inputs`, `labels` where there are classes, and a tensor of
        each generator, named as its file."""
        return self._tensors(self.description["examples"]["file"])

    def generate(self, index, inputs, labels=None):
        """The samples of one generator, in the shape of the dataset's."""
        samples = self.generators[index](inputs, labels)
        return samples.reshape(len(samples), *self.description["sample"]["shape"])

    def sample(self, n, seed=None, labels=None, conditions=None):
        """n samples, each of a generator that is drawn by the weights. Labels are drawn where none are given;
        generators that translate images need `conditions`, as many as samples."""
        random = np.random.default_rng(seed)
        n_classes = self.description["classes"]
        if n_classes and labels is None:
            labels = random.integers(n_classes, size=n)
        inputs = self._noise(random, n) if conditions is None else np.asarray(conditions, np.float32)
        chosen = random.choice(len(self.generators), size=n, p=self.weights / self.weights.sum())
        samples = np.empty((n, *self.description["sample"]["shape"]), np.float32)
        for index in np.unique(chosen):
            rows = chosen == index
            samples[rows] = self.generate(index, inputs[rows], None if labels is None else np.asarray(labels)[rows])
        return samples

    def _noise(self, random, n):
        noise = self.description["noise"]
        if noise is None:
            raise ValueError("these generators translate images: give them conditions")
        return (noise["mean"] + noise["deviation"] * random.standard_normal((n, *noise["shape"]))).astype(np.float32)

    def check(self):
        """The greatest difference from the examples, as a share of the tolerance; ValueError when it is above 1."""
        examples = self.examples()
        tolerance = self.description["examples"]["tolerance"]
        greatest = 0.0
        for index, entry in enumerate(self.description["generators"]):
            expected = examples[entry["file"]]
            found = self.generate(index, examples["inputs"], examples.get("labels"))
            difference = np.abs(found - expected) / np.maximum(1, np.abs(expected))
            if not (difference <= tolerance).all():
                raise ValueError(f"{self.folder / entry['file']}: expected samples within {tolerance} of those in "
                                 f"{self.description['examples']['file']}, found a difference of {difference.max():.3g}")
            greatest = max(greatest, float(difference.max(initial=0)))
        return greatest / tolerance


def torch_network(description):
    """The network as a torch.nn.ModuleList that files of weights load into, in training mode like any new module;
    images are [n, height, width, channels] here, too. A chain has its plain torch.nn.Sequential in mixture.json."""
    import torch

    class Attention(torch.nn.Module):
        def __init__(self, channels):
            super().__init__()
            sizes = {"theta": (channels, channels // 8), "phi": (channels, channels // 8),
                     "g": (channels, channels // 2), "o": (channels // 2, channels)}
            for name, (n_in, n_out) in sizes.items():
                self.add_module(name, torch.nn.Conv2d(n_in, n_out, 1, bias=False))
            self.gamma = torch.nn.Parameter(torch.zeros(1))

        def forward(self, x):
            theta, phi, values = self.theta(x), self.phi(x), self.g(x)
            phi, values = (torch.nn.functional.max_pool2d(each, 2) for each in (phi, values))
            shares = torch.softmax(theta.flatten(2).transpose(1, 2) @ phi.flatten(2), 2)
            seen = values.flatten(2) @ shares.transpose(1, 2)
            return x + self.gamma * self.o(seen.reshape(len(x), -1, *x.shape[2:]))

    def module_of(m):
        t, nn = m["tensors"], torch.nn
        has_bias, n = "bias" in t, m["shape"][-1]
        window = [m[name] for name in ("kernel", "stride", "padding") if name in m]
        how = {"groups": m.get("groups", 1), "bias": has_bias}
        norm = nn.BatchNorm2d if len(m["shape"]) == 3 else nn.BatchNorm1d
        make = {
            "linear": lambda: nn.Linear(t["weight"][1], n, has_bias),
            "convolution": lambda: nn.Conv2d(t["weight"][1] * m["groups"], n, *window, **how),
            "transposed-convolution": lambda: nn.ConvTranspose2d(t["weight"][0], n, *window, **how),
            "embedding": lambda: nn.Embedding(*t["weight"]),
            "batch-norm": lambda: norm(n, m["epsilon"], affine=has_bias),
            "instance-norm": lambda: nn.InstanceNorm2d(n, m["epsilon"], affine=has_bias),
            "layer-norm": lambda: nn.GroupNorm(1, n, m["epsilon"]),
            "self-attention": lambda: Attention(n),
            "dropout": lambda: nn.Dropout(m["rate"]),
            "upsample": lambda: nn.Upsample(scale_factor=m["kernel"]),
            "average-pool": lambda: nn.AvgPool2d(m["kernel"]),
            "max-pool": lambda: nn.MaxPool2d(m["kernel"]),
            "relu": nn.ReLU,
            "leaky-relu": lambda: nn.LeakyReLU(m["slope"]),
            "tanh": nn.Tanh,
            "sigmoid": nn.Sigmoid,
        }
        return make.get(m["kind"], nn.Identity)()

    def result_of(m, module, inputs, labels):
        x = inputs[0]
        if m["kind"] == "embedding":
            return module(labels)
        if m["kind"] == "concatenate":
            return torch.cat(inputs, -1)
        if m["kind"] == "dot":
            return (inputs[0] * inputs[1]).flatten(1).sum(1, keepdim=True)
        if type(module) is torch.nn.Identity:
            return MODULES[m["kind"]](m, {}, *inputs)
        if m["kind"] == "linear":
            return module(x.flatten(1))
        return module(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1) if x.ndim == 4 else module(x)

    class TorchNetwork(torch.nn.ModuleList):
        def forward(self, inputs, labels=None):
            results = {"input": inputs.reshape(-1, *description["inputs"])}
            for m, module in zip(description["modules"], self):
                results[m["name"]] = result_of(m, module, [results[name] for name in m["from"]], labels)
            return results[description["modules"][-1]["name"]]

    return TorchNetwork(map(module_of, description["modules"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=0, help="how many to draw; without it generators are checked")
    parser.add_argument("--seed", type=int, help="of the random numbers; drawn without it")
    parser.add_argument("--output", default="samples.npy", help="the file of the samples; default: samples.npy")
    arguments = parser.parse_args()
    mixture = Mixture(pathlib.Path(__file__).parent)
    if arguments.samples > 0:
        np.save(arguments.output, mixture.sample(arguments.samples, arguments.seed))
        print(f"written: {arguments.output}")
    else:
        share = mixture.check()
        print(f"{len(mixture.generators)} generators agree with the examples; the greatest difference is "
              f"{100 * share:.2g} % of the tolerance, {mixture.description['examples']['tolerance']}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"read_mixture.py: {error}")
    except (KeyError, TypeError) as error:
        sys.exit(f"read_mixture.py: mixture.json is not as lipizz writes it: {error!r}; use another copy")
