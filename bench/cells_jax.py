#!/usr/bin/env python3
"""The steps that bench_cells counts, the published MLP pair of several cells, in JAX.

    bench/cells_jax.py vmap | scanned [--device cpu] [--cells 16] [--batch 100]
                       [--precision f32 | tf32 | bf16] [--rounds 1]

vmap      the two steps of one cell under jax.vmap, one compiled call a round, state donated
scanned   the same, ten rounds in a compiled call

Noise is drawn within the call. What a round is stands in cells_torch.py.
"""
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others use the GPU in turn

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import cells_common as common  # noqa: E402

FORMS = ("vmap", "scanned")
ROUNDS_SCANNED = 10
# Of products alone, derivatives included: JAX rounds their factors and sums in single precision.
PRECISIONS = {"f32": "highest", "tf32": "tensorfloat32", "bf16": "BF16_BF16_F32"}


def network(parameters, x):
    for layer in (0, 2):
        x = jax.nn.leaky_relu(x @ parameters[layer] + parameters[layer + 1], common.SLOPE)
    return x @ parameters[4] + parameters[5]


def generated(g, noise):
    return jnp.tanh(network(g, noise))


def cross_entropy(logits, labels):
    return jnp.mean(jax.nn.softplus(logits) - labels * logits)


def generator_loss(g, d, noise):
    return cross_entropy(network(d, generated(g, noise)), 1)


def discriminator_loss(d, fakes, real):
    logits = network(d, jnp.concatenate([fakes, real]))
    labels = jnp.arange(logits.shape[0]) >= fakes.shape[0]
    return cross_entropy(logits, labels[:, None].astype(logits.dtype))


def adam(network_state, gradients, step):
    """Parameters and moments after one step, the step-th, counted from 1."""
    def moved(parameter, mean, square, gradient):
        mean = common.BETA1 * mean + (1 - common.BETA1) * gradient
        square = common.BETA2 * square + (1 - common.BETA2) * gradient * gradient
        size = jnp.sqrt(square / (1 - common.BETA2 ** step)) + common.EPSILON
        return parameter - common.RATE / (1 - common.BETA1 ** step) * mean / size, mean, square

    return tuple(zip(*map(moved, *network_state, gradients)))


def train_cell(cell, noise, real):
    """One cell's state and losses after a step of each network."""
    step = cell["step"] + 1
    count = step.astype(real.dtype)
    g_loss, gradients = jax.value_and_grad(generator_loss)(cell["g"][0], cell["d"][0], noise[0])
    g = adam(cell["g"], gradients, count)
    d_loss, gradients = jax.value_and_grad(discriminator_loss)(
        cell["d"][0], generated(g[0], noise[1]), real)
    d = adam(cell["d"], gradients, count)
    return {"g": g, "d": d, "step": step}, jnp.stack([g_loss, d_loss])


train_cells = jax.vmap(train_cell, in_axes=(0, 1, None))


def draw_and_train(state, real, options):
    key, used = jax.random.split(state["key"])
    noise = jax.random.normal(used, (2, options.cells, options.batch, common.LATENT), real.dtype)
    cells, losses = train_cells(state["cells"], noise, real)
    return {"key": key, "cells": cells}, losses


def start_of(options):
    dtype = np.dtype(options.dtype)

    def state_of(arrays):
        values = [array.astype(dtype) for array in arrays]
        mean, square = ([np.zeros_like(value) for value in values] for _ in range(2))
        return tuple(map(tuple, (values, mean, square)))

    g, d = (state_of(arrays) for arrays in common.initial_parameters(options.cells))
    return {"g": g, "d": d, "step": np.zeros(options.cells, np.int32)}


class Form:
    note = ""

    def __init__(self, form, options):
        self.rounds_a_call = ROUNDS_SCANNED if form == "scanned" else 1
        device = jax.devices(options.device)[0]
        self.state = jax.device_put({"key": jax.random.key(3), "cells": start_of(options)}, device)
        self.real = jax.device_put(common.real_samples(options.batch).astype(options.dtype), device)

        def several(state, real):
            return jax.lax.scan(lambda state, _: draw_and_train(state, real, options), state,
                                length=ROUNDS_SCANNED)

        def one(state, real):
            return draw_and_train(state, real, options)

        self.call = jax.jit(several if form == "scanned" else one, donate_argnums=0)

    def run(self, calls):
        for _ in range(calls):
            self.state, losses = self.call(self.state, self.real)
        jax.block_until_ready((self.state, losses))


class GivenNoise:
    """The same cells, one round a call, with noise that is given: what the check asks for."""

    def __init__(self, options):
        self.device = jax.devices(options.device)[0]
        self.dtype = options.dtype
        self.cells = jax.device_put(start_of(options), self.device)
        self.real = jax.device_put(common.real_samples(options.batch).astype(self.dtype),
                                   self.device)
        self.call = jax.jit(train_cells, donate_argnums=0)

    def give(self, noise):
        self.noise = jax.device_put(noise.astype(self.dtype), self.device)

    def run(self, calls):
        for _ in range(calls):
            self.cells, self.losses = self.call(self.cells, self.noise, self.real)

    def state(self):
        parameters = self.cells["g"][0] + self.cells["d"][0]
        return (list(np.asarray(self.losses, np.float64).T),
                [np.asarray(values, np.float64).reshape(len(values), -1) for values in parameters])


def make(form, options):
    jax.config.update("jax_default_matmul_precision", PRECISIONS[options.precision])
    return Form(form, options) if options.draws else GivenNoise(options)


if __name__ == "__main__":
    common.main(__doc__, FORMS, make)
