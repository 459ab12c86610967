"""What cells_torch.py, cells_jax.py and dcgan_torch.py share: problem, command line and clock.

A form is one way of training all cells. It has `run(calls)`, which trains and waits for the device,
`rounds_a_call`, and a `note` on what it could not do here. For the check of cells_peers.py it also
has `give(noise)`, the noise of the next round, and `state()`, its losses and parameters.
"""
import argparse
import statistics
import sys
import time

import numpy as np

GENERATOR = (64, 256, 256, 784)
DISCRIMINATOR = (784, 256, 256, 1)
SLOPE = 0.01
RATE = 2e-4
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
LATENT = GENERATOR[0]
MARK = "peer:"  # before what the driver reads, since frameworks print as they like


def initial_parameters(cells, seed=1):
    """Of the generators and of the discriminators, layer by layer, weights [cells, inputs, outputs]
    and biases [cells, 1, outputs], uniform as PyTorch's."""
    random = np.random.default_rng(seed)

    def network(sizes):
        for inputs, outputs in zip(sizes, sizes[1:]):
            bound = inputs ** -0.5
            yield random.uniform(-bound, bound, (cells, inputs, outputs))
            yield random.uniform(-bound, bound, (cells, 1, outputs))

    return list(network(GENERATOR)), list(network(DISCRIMINATOR))


def real_samples(batch, seed=2):
    return np.random.default_rng(seed).uniform(-1, 1, (batch, GENERATOR[-1]))


def given_noise(cells, batch, seed):
    """Noise of a round: that of the generator's step, that of the discriminator's."""
    return np.random.default_rng(seed).standard_normal((2, cells, batch, LATENT))


def add_options(parser):
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--cells", type=int, default=16)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--precision", choices=("f32", "tf32", "bf16"), default="f32",
                        help="of the factors of products; parameters and Adam stay in f32")
    parser.set_defaults(dtype="float32", draws=True)  # the check has others


def note_on_graphs(options, wanted):
    missed = wanted and options.device == "cpu"
    return "plain calls: a processor has no CUDA graphs" if missed else ""


def milliseconds(form, repeats=9, seconds=0.1):
    """A round, the median of repeats of about so many seconds."""

    def timed(calls):
        begin = time.perf_counter()
        form.run(calls)
        return (time.perf_counter() - begin) / calls

    calls = max(1, int(seconds / timed(2)))
    return 1e3 * statistics.median(timed(calls) for _ in range(repeats)) / form.rounds_a_call


def serve(form):
    """One figure for each line that comes in, so that a driver can alternate."""
    form.run(3)  # compiles what is compiled late
    print(MARK, form.note, flush=True)
    for _ in sys.stdin:
        print(MARK, milliseconds(form), flush=True)


def main(doc, forms, make, batch=100):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("form", choices=forms)
    parser.add_argument("--serve", action="store_true", help="what cells_peers.py asks for")
    parser.add_argument("--rounds", type=int, default=1, help="figures; the median is printed")
    add_options(parser)
    parser.set_defaults(batch=batch)
    options = parser.parse_args()
    form = make(options.form, options)
    if options.serve:
        serve(form)
        return
    form.run(3)
    figure = statistics.median(milliseconds(form) for _ in range(options.rounds))
    print(f"{options.form} on {options.device} in {options.precision}: {figure:.3f} ms a round"
          f"{'; ' + form.note if form.note else ''}")
