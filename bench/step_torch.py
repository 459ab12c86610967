#!/usr/bin/env python3
"""The same two training steps as bench_step, in PyTorch at its best settings, beside bench_step.

    bench/step_torch.py build/release/bin/bench_step [--rounds 3]

Fakes of the discriminator's step are made without a graph, real and fake samples pass the
discriminator together, its weights get no gradients in the generator's step, and Adam is fused.
Both sides use one thread; rounds alternate, and the medians are compared.
"""
import argparse
import os
import re
import statistics
import subprocess
import time

for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import torch  # noqa: E402  (after the threads are fixed)
from torch import nn  # noqa: E402

BATCH, LATENT, SAMPLE, HIDDEN = 100, 64, 784, 256
STEPS = 400


def perceptron(inputs, outputs, *last):
    return nn.Sequential(nn.Linear(inputs, HIDDEN), nn.LeakyReLU(0.01), nn.Linear(HIDDEN, HIDDEN),
                         nn.LeakyReLU(0.01), nn.Linear(HIDDEN, outputs), *last)


class Pair:
    def __init__(self):
        self.g = perceptron(LATENT, SAMPLE, nn.Tanh())
        self.d = perceptron(SAMPLE, 1)
        self.g_adam = torch.optim.Adam(self.g.parameters(), 2e-4, fused=True)
        self.d_adam = torch.optim.Adam(self.d.parameters(), 2e-4, fused=True)
        self.loss = nn.BCEWithLogitsLoss()
        self.real = torch.randn(BATCH, SAMPLE)
        self.ones = torch.ones(BATCH, 1)
        self.labels = torch.cat([torch.zeros(BATCH, 1), self.ones])

    def train_generator(self):
        self.d.requires_grad_(False)
        self.g_adam.zero_grad(set_to_none=True)
        self.loss(self.d(self.g(torch.randn(BATCH, LATENT))), self.ones).backward()
        self.g_adam.step()
        self.d.requires_grad_(True)

    def train_discriminator(self):
        with torch.no_grad():
            fakes = self.g(torch.randn(BATCH, LATENT))
        self.d_adam.zero_grad(set_to_none=True)
        self.loss(self.d(torch.cat([fakes, self.real])), self.labels).backward()
        self.d_adam.step()


def milliseconds(step):
    for _ in range(20):
        step()
    times = []
    for _ in range(STEPS // 20):
        begin = time.thread_time()
        for _ in range(20):
            step()
        times.append((time.thread_time() - begin) / 20)
    return 1e3 * statistics.median(times)


def ours(program):
    text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return {name: float(re.search(name + r" step.*step +([0-9.]+) ms", text)[1])
            for name in ("generator", "discriminator")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench_step")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    pair = Pair()
    ratios = {"generator": [], "discriminator": []}
    for _ in range(arguments.rounds):
        lipizz = ours(arguments.bench_step)
        peer = {"generator": milliseconds(pair.train_generator),
                "discriminator": milliseconds(pair.train_discriminator)}
        for name in ratios:
            ratios[name].append(peer[name] / lipizz[name])
            print(f"{name:14} lipizz {lipizz[name]:6.3f} ms  PyTorch {peer[name]:6.3f} ms  "
                  f"ratio {ratios[name][-1]:.2f}")
    for name, values in ratios.items():
        print(f"{name:14} PyTorch {torch.__version__} takes {statistics.median(values):.2f} times as long")


if __name__ == "__main__":
    main()
