#!/usr/bin/env python3
"""The two steps of DCGAN-64 in PyTorch, in channels_last, as bench_cells counts them.

    bench/dcgan_torch.py eager | graphs | compiled [--device cpu] [--batch 64]
                         [--precision f32 | tf32 | bf16] [--rounds 1]

eager     as one writes it, with fused Adam and cuDNN's algorithms chosen by measuring
graphs    the same in one CUDA graph
compiled  losses and derivatives under torch.compile, which measures its kernels, in one CUDA graph
"""
import torch
from torch.nn import functional

import cells_common as common
from cells_torch import adam, autocast, captured, compiled, set_precision, update
from step_torch import MODELS

FORMS = ("eager", "graphs", "compiled")


def generator_loss(g, d, noise, ones):
    return functional.binary_cross_entropy_with_logits(d(g(noise)), ones)


def discriminator_loss(d, g, noise, real, labels):
    with torch.no_grad():
        fakes = g(noise)
    return functional.binary_cross_entropy_with_logits(d(torch.cat([fakes, real])), labels)


class Pair:
    def __init__(self, options, losses):
        make_g, make_d, _, latent, sample, _ = MODELS["dcgan64"]

        def channels_last(thing):
            return thing.to(options.device, memory_format=torch.channels_last)

        self.options = options
        self.generator_loss, self.discriminator_loss = losses
        self.g, self.d = channels_last(make_g()), channels_last(make_d())
        self.g_parameters, self.d_parameters = list(self.g.parameters()), list(self.d.parameters())
        self.g_adam = adam(self.g_parameters, options)
        self.d_adam = adam(self.d_parameters, options)
        self.noise = channels_last(torch.zeros(options.batch, *latent))
        self.real = channels_last(torch.randn(options.batch, *sample))
        self.ones = torch.ones(options.batch, 1, device=options.device)
        self.labels = torch.cat([torch.zeros_like(self.ones), self.ones])
        self.weight = torch.ones((), device=options.device)

    def train(self):
        self.d.requires_grad_(False)
        self.noise.normal_()
        with autocast(self.options):
            loss = self.generator_loss(self.g, self.d, self.noise, self.ones)
        update(loss, self.weight, self.g_parameters, self.g_adam)
        self.d.requires_grad_(True)
        self.noise.normal_()
        with autocast(self.options):
            loss = self.discriminator_loss(self.d, self.g, self.noise, self.real, self.labels)
        update(loss, self.weight, self.d_parameters, self.d_adam)


class Form:
    rounds_a_call = 1

    def __init__(self, pair, options, in_graph):
        self.on_gpu = options.device == "cuda"
        self.note = common.note_on_graphs(options, in_graph)
        self.step = captured(pair.train) if in_graph and self.on_gpu else pair.train

    def run(self, calls):
        for _ in range(calls):
            self.step()
        if self.on_gpu:
            torch.cuda.synchronize()


def make(form, options):
    set_precision(options.precision)
    torch.backends.cudnn.benchmark = True
    losses = (generator_loss, discriminator_loss)
    if form == "compiled":
        losses = tuple(compiled(loss, options) for loss in losses)
    return Form(Pair(options, losses), options, in_graph=form != "eager")


if __name__ == "__main__":
    common.main(__doc__, FORMS, make, batch=64)
