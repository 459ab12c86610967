#!/usr/bin/env python3
"""The steps that bench_cells counts, the published MLP pair of several cells, in PyTorch.

    bench/cells_torch.py eager | graphs | batched | compiled [--device cpu] [--cells 16]
                         [--batch 100] [--precision f32 | tf32 | bf16] [--rounds 1]

eager     one cell after another, as one writes it: products with a fused bias, fused Adam
graphs    the same, each cell's two steps in a CUDA graph of their own, replayed one after another
batched   parameters of all cells stacked, batched products, both steps of all in one CUDA graph
compiled  the same with the losses and their derivatives under torch.compile

A round is one step of each cell's generator, then one of its discriminator, each with noise of its
own. Fakes of the discriminator's step are made without a graph, real and fake samples pass the
discriminator together, and its weights get no gradients in the generator's step. Real samples stay
where they are: none are picked, as bench_cells does.
"""
import torch
from torch.nn import functional

import cells_common as common

FORMS = ("eager", "graphs", "batched", "compiled")


def network(parameters, x):
    product = torch.addmm if x.dim() == 2 else torch.baddbmm
    for layer in (0, 2):
        x = product(parameters[layer + 1], x, parameters[layer])
        x = functional.leaky_relu(x, common.SLOPE)
    return product(parameters[5], x, parameters[4])


def generated(g, noise):
    return torch.tanh(network(g, noise))


def cross_entropy(logits, labels):
    """Of each cell."""
    losses = functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return losses.mean(dim=(-2, -1))


def generator_loss(g, d, noise, ones):
    return cross_entropy(network(d, generated(g, noise)), ones)


def discriminator_loss(d, g, noise, real, labels):
    return cross_entropy(network(d, torch.cat([generated(g, noise), real], dim=-2)), labels)


def set_precision(precision):
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    torch.backends.cudnn.allow_tf32 = precision == "tf32"


def autocast(options):
    # No cache: a graph must not use casts that were made outside, and no weight is used twice.
    lower = options.precision == "bf16" and options.dtype == "float32"
    return torch.autocast(options.device, torch.bfloat16, enabled=lower, cache_enabled=False)


def adam(parameters, options):
    return torch.optim.Adam(parameters, common.RATE, betas=(common.BETA1, common.BETA2),
                            eps=common.EPSILON, fused=True, capturable=options.device == "cuda")


def update(losses, weights, parameters, optimizer):
    """One step against the sum of the losses, times weights, which are ones."""
    gradients = torch.autograd.grad(losses, parameters, weights)
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient
    optimizer.step()
    return losses.detach()


def compiled(function, options):
    # Graphs are captured by hand, around the optimizer too.
    mode = "max-autotune-no-cudagraphs" if options.device == "cuda" else "default"
    return torch.compile(function, mode=mode, dynamic=False, fullgraph=True)


def captured(step):
    """Replays the step. Warming up on the stream of the capture makes handles, workspaces, compiled
    code and the optimizer's state there, outside the graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        step()
    return graph.replay


class Pair:
    """Generator and discriminator of one cell, or, where start is stacked, of all of them."""

    def __init__(self, start, options, losses):
        def tensor(array):
            return torch.tensor(array, dtype=getattr(torch, options.dtype), device=options.device)

        self.options = options
        self.generator_loss, self.discriminator_loss = losses
        self.start = [[tensor(array) for array in arrays] for arrays in start]
        self.g, self.d = ([values.clone().requires_grad_() for values in of] for of in self.start)
        # The same memory without gradients: what an opponent is.
        self.fixed_g, self.fixed_d = ([p.detach() for p in of] for of in (self.g, self.d))
        self.g_adam, self.d_adam = adam(self.g, options), adam(self.d, options)
        cells = start[0][0].shape[:-2]
        real = tensor(common.real_samples(options.batch))
        self.real = real.expand(*cells, *real.shape)
        self.ones = torch.ones(*cells, options.batch, 1, dtype=real.dtype, device=real.device)
        self.labels = torch.cat([torch.zeros_like(self.ones), self.ones], dim=-2)
        self.weights = torch.ones(cells, dtype=real.dtype, device=real.device)
        self.noise = torch.zeros(2, *cells, options.batch, common.LATENT, dtype=real.dtype,
                                 device=real.device)
        self.losses = [None, None]

    def train(self):
        if self.options.draws:
            self.noise.normal_()
        with autocast(self.options):
            loss = self.generator_loss(self.g, self.fixed_d, self.noise[0], self.ones)
        self.losses[0] = update(loss, self.weights, self.g, self.g_adam)
        with autocast(self.options):
            loss = self.discriminator_loss(self.d, self.fixed_g, self.noise[1], self.real,
                                           self.labels)
        self.losses[1] = update(loss, self.weights, self.d, self.d_adam)

    @torch.no_grad()
    def reset(self):
        """As before the first step, in the same memory."""
        for parameter, start in zip(self.g + self.d, self.start[0] + self.start[1]):
            parameter.copy_(start)
        for optimizer in (self.g_adam, self.d_adam):
            for state in optimizer.state.values():
                for values in state.values():
                    values.zero_()


class Form:
    rounds_a_call = 1

    def __init__(self, pairs, options, in_graphs):
        self.pairs, self.on_gpu = pairs, options.device == "cuda"
        self.note = common.note_on_graphs(options, in_graphs)
        self.steps = [captured(pair.train) if in_graphs and self.on_gpu else pair.train
                      for pair in pairs]
        for pair in pairs:
            pair.reset()

    def run(self, calls):
        for _ in range(calls):
            for step in self.steps:
                step()
        if self.on_gpu:
            torch.cuda.synchronize()

    def give(self, noise):
        noise = torch.from_numpy(noise)
        each = [noise] if len(self.pairs) == 1 else noise.unbind(1)
        for pair, values in zip(self.pairs, each):
            pair.noise.copy_(values.reshape(pair.noise.shape))

    def state(self):
        """Losses [2, cells], and parameters, each [cells, values]."""
        def stacked(tensors):
            cells = self.pairs[0].options.cells
            return torch.stack(tensors).detach().cpu().double().reshape(cells, -1).numpy()

        losses = [stacked([pair.losses[i] for pair in self.pairs])[:, 0] for i in (0, 1)]
        return losses, [stacked(list(of)) for of in zip(*(pair.g + pair.d for pair in self.pairs))]


def one_cell(start, cell):
    # Vectors as biases: only with them does addmm add them within the product.
    return [[array[cell] if i % 2 == 0 else array[cell, 0] for i, array in enumerate(of)]
            for of in start]


def make(form, options):
    set_precision(options.precision)
    start = common.initial_parameters(options.cells)
    losses = (generator_loss, discriminator_loss)
    if form == "compiled":
        losses = tuple(compiled(loss, options) for loss in losses)
    if form in ("eager", "graphs"):
        pairs = [Pair(one_cell(start, cell), options, losses) for cell in range(options.cells)]
    else:
        pairs = [Pair(start, options, losses)]
    return Form(pairs, options, in_graphs=form != "eager")


if __name__ == "__main__":
    common.main(__doc__, FORMS, make)
