#!/usr/bin/env python3
"""The same two training steps as bench_step, in PyTorch, beside bench_step.

    bench/step_torch.py build/release/bin/bench_step [--model mlp | dcgan64] [--rounds 3]
                        [--way best | originals] [--precision f32 | bf16]

The best way: fakes of the discriminator's step are made without a graph, real and fake samples pass
the discriminator together, its weights get no gradients in the generator's step, Adam is fused where
this PyTorch can, and DCGAN-64 is in channels_last. As Lipizzaner does it: real and fake samples pass
one after the other, gradients reach the network that is not in training too, Adam and layouts are
the default; the loss alone is that of logits here as well. bf16 is PyTorch's autocast. Both sides
use one thread; rounds alternate, and the medians are compared.
"""
import argparse
import contextlib
import os
import re
import statistics
import subprocess
import time

if __name__ == "__main__":  # dcgan_torch.py takes the networks and leaves threads alone
    for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(variable, None)
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = "1"

import torch  # noqa: E402  (after the threads are fixed)
from torch import nn  # noqa: E402

HIDDEN = 256


def perceptron(inputs, outputs, *last):
    return nn.Sequential(nn.Linear(inputs, HIDDEN), nn.LeakyReLU(0.01), nn.Linear(HIDDEN, HIDDEN),
                         nn.LeakyReLU(0.01), nn.Linear(HIDDEN, outputs), *last)


def convolutional_generator():
    layers, before = [], 100
    for stage, channels in enumerate([512, 256, 128, 64]):
        window = (4, 1, 0) if stage == 0 else (4, 2, 1)
        layers += [nn.ConvTranspose2d(before, channels, *window, bias=False),
                   nn.BatchNorm2d(channels), nn.ReLU(inplace=True)]
        before = channels
    return nn.Sequential(*layers, nn.ConvTranspose2d(before, 3, 4, 2, 1, bias=False), nn.Tanh())


def convolutional_discriminator():
    layers = [nn.Conv2d(3, 64, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True)]
    for before, channels in [(64, 128), (128, 256), (256, 512)]:
        layers += [nn.Conv2d(before, channels, 4, 2, 1, bias=False), nn.BatchNorm2d(channels),
                   nn.LeakyReLU(0.2, inplace=True)]
    return nn.Sequential(*layers, nn.Conv2d(512, 1, 4, 1, 0, bias=False), nn.Flatten())


# Networks, batch, noise and sample of one row, steps of a round.
MODELS = {
    "mlp": (lambda: perceptron(64, 784, nn.Tanh()), lambda: perceptron(784, 1), 100, (64,), (784,),
            400),
    "dcgan64": (convolutional_generator, convolutional_discriminator, 64, (100, 1, 1),
                (3, 64, 64), 5),
}


class Pair:
    """A pair and its two steps at PyTorch's best."""

    image_format = torch.channels_last

    def __init__(self, model, precision="f32"):
        make_g, make_d, self.batch, self.latent, sample, self.steps = MODELS[model]
        self.format = self.image_format if len(sample) == 3 else torch.contiguous_format
        self.g = make_g().to(memory_format=self.format)
        self.d = make_d().to(memory_format=self.format)
        adam = self.adam_options()
        self.g_adam = torch.optim.Adam(self.g.parameters(), 2e-4, **adam)
        self.d_adam = torch.optim.Adam(self.d.parameters(), 2e-4, **adam)
        self.loss = nn.BCEWithLogitsLoss()
        self.precision = precision
        self.real = torch.randn(self.batch, *sample).contiguous(memory_format=self.format)
        self.ones = torch.ones(self.batch, 1)
        self.labels = torch.cat([torch.zeros(self.batch, 1), self.ones])

    def noise(self):
        return torch.randn(self.batch, *self.latent).contiguous(memory_format=self.format)

    @staticmethod
    def adam_options():
        return {"fused": True} if torch.__version__ >= (2, 4) else {}  # a version, not a text

    def autocast(self):
        if self.precision == "f32":
            return contextlib.nullcontext()
        return torch.autocast("cpu", torch.bfloat16)

    def train_generator(self):
        self.d.requires_grad_(False)
        self.g_adam.zero_grad(set_to_none=True)
        with self.autocast():
            loss = self.loss(self.d(self.g(self.noise())), self.ones)
        loss.backward()
        self.g_adam.step()
        self.d.requires_grad_(True)

    def train_discriminator(self):
        self.d_adam.zero_grad(set_to_none=True)
        with self.autocast():
            with torch.no_grad():
                fakes = self.g(self.noise())
            loss = self.loss(self.d(torch.cat([fakes, self.real])), self.labels)
        loss.backward()
        self.d_adam.step()


class OriginalPair(Pair):
    """The steps as Lipizzaner makes them."""

    image_format = torch.contiguous_format

    def __init__(self, model, precision="f32"):
        super().__init__(model, precision)
        self.zeros = torch.zeros(self.batch, 1)

    @staticmethod
    def adam_options():
        return {}

    def train_generator(self):
        self.g_adam.zero_grad()
        with self.autocast():
            loss = self.loss(self.d(self.g(self.noise())), self.ones)
        loss.backward()
        self.g_adam.step()

    def train_discriminator(self):
        self.d_adam.zero_grad()
        with self.autocast():
            of_real = self.loss(self.d(self.real), self.ones)
            loss = of_real + self.loss(self.d(self.g(self.noise())), self.zeros)
        loss.backward()
        self.d_adam.step()


def milliseconds(pair):
    """Of each of the pair's two steps, which take turns, as in training."""
    steps = {"generator": pair.train_generator, "discriminator": pair.train_discriminator}
    times = {name: [] for name in steps}
    for turn in range(1 + pair.steps):
        for name, step in steps.items():
            begin = time.thread_time()
            step()
            if turn > 0:
                times[name].append(time.thread_time() - begin)
    return {name: 1e3 * statistics.median(values) for name, values in times.items()}


def ours(program, model, precision):
    command = [program, model, str(MODELS[model][2]), "none", precision]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:  # it has said why
        raise SystemExit(result.returncode)
    return {name: float(re.search(name + r" step.*step +([0-9.]+) ms", result.stdout)[1])
            for name in ("generator", "discriminator")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench_step")
    parser.add_argument("--model", choices=MODELS, default="mlp")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=["best", "originals"], default="best")
    parser.add_argument("--precision", choices=["f32", "bf16"], default="f32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    pair = (Pair if arguments.way == "best" else OriginalPair)(arguments.model, arguments.precision)
    ratios = {"generator": [], "discriminator": []}
    for _ in range(arguments.rounds):
        lipizz = ours(arguments.bench_step, arguments.model, arguments.precision)
        peer = milliseconds(pair)
        for name in ratios:
            ratios[name].append(peer[name] / lipizz[name])
            print(f"{name:14} lipizz {lipizz[name]:6.3f} ms  PyTorch {peer[name]:6.3f} ms  "
                  f"ratio {ratios[name][-1]:.2f}")
    for name, values in ratios.items():
        print(f"{name:14} PyTorch {torch.__version__} takes "
              f"{statistics.median(values):.2f} times as long")


if __name__ == "__main__":
    main()
