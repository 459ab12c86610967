#!/usr/bin/env python3
"""One way of training a pair in PyTorch, for techniques.py: prints seconds of a batch, megabytes and losses as JSON.

    bench/techniques_torch.py plain | fp16 | bf16 | accumulation | clipping | ddp | zero1 | fsdp
                              [--model pix2pix | mlp] --data FOLDER
"""

import argparse
import gzip
import json
import os
import pathlib
import resource
import time

os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")})

import numpy as np  # noqa: E402  (after the threads are fixed)
import torch  # noqa: E402
from PIL import Image  # noqa: E402
from torch import distributed, multiprocessing, nn  # noqa: E402
from torch.nn.functional import binary_cross_entropy_with_logits as bce  # noqa: E402

from step_torch import perceptron  # noqa: E402

RANKS = {"ddp": 2, "zero1": 2, "fsdp": 2}
PARTS = 4  # of an accumulated batch


class Skip(nn.Module):
    """A level of the U-Net of Isola et al. 2017 around the ones below it."""

    def __init__(self, outer, inner, below=None, inputs=None, is_outermost=False, has_dropout=False):
        super().__init__()
        inputs = inputs or outer
        down = [nn.Conv2d(inputs, inner, 4, 2, 1, bias=False)]
        up = [nn.ConvTranspose2d(inner if below is None else 2 * inner, outer, 4, 2, 1, bias=is_outermost)]
        if is_outermost:
            layers = [*down, below, nn.ReLU(), *up, nn.Tanh()]
        elif below is None:
            layers = [nn.LeakyReLU(0.2), *down, nn.ReLU(), *up, nn.BatchNorm2d(outer)]
        else:
            layers = [nn.LeakyReLU(0.2), *down, nn.BatchNorm2d(inner), below, nn.ReLU(), *up, nn.BatchNorm2d(outer)]
        self.layers = nn.Sequential(*layers, *([nn.Dropout(0.5)] if has_dropout else []))
        self.is_outermost = is_outermost

    def forward(self, x):
        y = self.layers(x)
        return y if self.is_outermost else torch.cat([x, y], 1)


def u_net():
    block = Skip(512, 512)
    for _ in range(3):
        block = Skip(512, 512, block, has_dropout=True)
    for outer, inner in ((256, 512), (128, 256), (64, 128)):
        block = Skip(outer, inner, block)
    return Skip(3, 64, block, inputs=3, is_outermost=True)


def patches():
    layers = [nn.Conv2d(6, 64, 4, 2, 1), nn.LeakyReLU(0.2)]
    for before, channels, stride in ((64, 128, 2), (128, 256, 2), (256, 512, 1)):
        layers += [nn.Conv2d(before, channels, 4, stride, 1, bias=False), nn.BatchNorm2d(channels), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers, nn.Conv2d(512, 1, 4, 1, 1))


def facades(folder, n):
    """Conditions and photographs [n, 3, 256, 256] from -1 to 1."""
    halves = []
    for path in sorted(pathlib.Path(folder, "facades", "train").glob("*.jpg"))[:n]:
        pixels = np.asarray(Image.open(path), np.float32) / 127.5 - 1
        halves.append([pixels[:, 256:], pixels[:, :256]])
    both = torch.tensor(np.array(halves)).permute(1, 0, 4, 2, 3)
    return both[0].contiguous(memory_format=torch.channels_last), both[1].contiguous(memory_format=torch.channels_last)


def digits(folder, n):
    """n digits [n, 784] from -1 to 1, from the first again where there are not so many."""
    with gzip.open(pathlib.Path(folder, "mnist", "train-images-idx3-ubyte.gz")) as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)
    return torch.tensor(np.resize(pixels, (n, 784)).astype(np.float32) / 127.5 - 1)


class Pix2Pix:
    """The steps of Isola et al. 2017: the discriminator's loss is halved, the generator's has L1 a hundred times."""

    def __init__(self, options):
        # FSDP takes no other parameters.
        layout = torch.contiguous_format if options.technique == "fsdp" else torch.channels_last
        self.g = u_net().to(memory_format=layout)
        self.d = patches().to(memory_format=layout)
        self.conditions, self.photographs = facades(options.data, 2 * options.batches * options.batch)
        self.l1 = nn.L1Loss()

    def rows(self, rows):
        return self.conditions[rows], self.photographs[rows]

    def d_loss(self, given):
        x, y = given
        with torch.no_grad():
            fake = self.g(x)
        real_logits, fake_logits = self.d(torch.cat([x, y], 1)), self.d(torch.cat([x, fake], 1))
        return (bce(real_logits, torch.ones_like(real_logits)) + bce(fake_logits, torch.zeros_like(fake_logits))) / 2

    def g_losses(self, given):
        x, y = given
        fake = self.g(x)
        logits = self.d(torch.cat([x, fake], 1))
        return bce(logits, torch.ones_like(logits)), 100 * self.l1(fake, y)


class Perceptrons:
    def __init__(self, options):
        self.g, self.d = perceptron(64, 784, nn.Tanh()), perceptron(784, 1)
        self.samples = digits(options.data, 2 * options.batches * options.batch)

    def rows(self, rows):
        return self.samples[rows]

    def d_loss(self, real):
        with torch.no_grad():
            fake = self.g(torch.randn(len(real), 64))
        logits = self.d(torch.cat([real, fake]))
        half = len(real)
        return bce(logits[:half], torch.ones(half, 1)) + bce(logits[half:], torch.zeros(half, 1))

    def g_losses(self, real):
        logits = self.d(self.g(torch.randn(len(real), 64)))
        return bce(logits, torch.ones(len(real), 1)), torch.zeros(())


class Training:
    def __init__(self, technique, options, rank):
        torch.manual_seed(1)
        self.technique, self.n_ranks = technique, RANKS.get(technique, 1)
        self.pair = (Pix2Pix if options.model == "pix2pix" else Perceptrons)(options)
        self.batch, self.rank = options.batch, rank
        if self.n_ranks > 1:
            self.pair.g, self.pair.d = self.shared(self.pair.g), self.shared(self.pair.d)
        self.optimizers = {net: self.adam(net) for net in (self.pair.g, self.pair.d)}
        self.scalers = {net: torch.amp.GradScaler("cpu", enabled=technique == "fp16") for net in self.optimizers}

    def shared(self, net):
        if self.technique == "fsdp":
            from torch.distributed.fsdp import fully_shard
            return fully_shard(net)
        return nn.parallel.DistributedDataParallel(net, forward_sync_buffers=False)

    def adam(self, net):
        how = {"lr": 2e-4, "betas": (0.5, 0.999)}
        if self.technique == "zero1":
            from torch.distributed.optim import ZeroRedundancyOptimizer
            return ZeroRedundancyOptimizer(net.parameters(), torch.optim.Adam, **how)
        return torch.optim.Adam(net.parameters(), fused=self.technique != "fsdp", **how)

    def parts(self, number):
        """Rows of a batch, as this process computes them one after the other."""
        n = PARTS if self.technique == "accumulation" else self.n_ranks
        rows = torch.arange(number * self.batch, (number + 1) * self.batch).chunk(n)
        return rows if self.n_ranks == 1 else [rows[self.rank]]

    def step(self, net, losses, number):
        optimizer, scaler = self.optimizers[net], self.scalers[net]
        optimizer.zero_grad(set_to_none=True)
        parts = self.parts(number)
        told = 0.0
        formats = {"fp16": torch.float16, "bf16": torch.bfloat16}
        for rows in parts:
            given = self.pair.rows(rows)
            with torch.autocast("cpu", formats.get(self.technique, torch.bfloat16), self.technique in formats):
                loss, more = losses(given)
            scaler.scale((loss + more) / len(parts)).backward()
            told += loss.item() / len(parts)
        if self.technique == "clipping":
            nn.utils.clip_grad_norm_(net.parameters(), 2)
        scaler.step(optimizer)
        scaler.update()
        return told

    def train(self, number):
        for parameter in self.pair.d.parameters():
            parameter.requires_grad_(False)
        g_loss = self.step(self.pair.g, self.pair.g_losses, number)
        for parameter in self.pair.d.parameters():
            parameter.requires_grad_(True)
        d_loss = self.step(self.pair.d, lambda given: (self.pair.d_loss(given), 0), number)
        return d_loss, g_loss


def work(rank, technique, options, results):
    torch.set_num_threads(1)
    if RANKS.get(technique, 1) > 1:
        os.environ.update({"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517"})
        distributed.init_process_group("gloo", rank=rank, world_size=RANKS[technique])
    training = Training(technique, options, rank)
    for number in range(options.batches):
        training.train(number)
    begin = time.perf_counter()
    for number in range(options.batches, 2 * options.batches):
        losses = training.train(number)
    seconds = (time.perf_counter() - begin) / options.batches
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    results.put({"seconds": seconds, "megabytes": megabytes, "d_loss": losses[0], "g_loss": losses[1]})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("technique")
    parser.add_argument("--model", choices=("pix2pix", "mlp"), default="pix2pix")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    results = multiprocessing.get_context("spawn").SimpleQueue()
    n_ranks = RANKS.get(options.technique, 1)
    multiprocessing.spawn(work, (options.technique, options, results), n_ranks)
    told = [results.get() for _ in range(n_ranks)]
    print(json.dumps({name: max(each[name] for each in told) for name in told[0]}))


if __name__ == "__main__":
    main()
