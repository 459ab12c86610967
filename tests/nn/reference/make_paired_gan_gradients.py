"""Writes paired_gan_gradients.txt: steps of a small U-Net with dropout and of a discriminator of
patches as PyTorch computes them in double: cross-entropy, 100 times the absolute error, a penalty
around real samples.

Run with any PyTorch: python3 make_paired_gan_gradients.py > paired_gan_gradients.txt
writing.py says how; of a network first its parameters, then its statistics, both in layer order.
"""
import torch
from torch import nn
from torch.nn import functional as f

from writing import images, ours, write

torch.manual_seed(17)
torch.set_default_dtype(torch.float64)
BATCH = 3
SLOPE = torch.tensor(0.2, dtype=torch.float32).item()  # what 0.2 is in single precision


def batch_norm(channels):
    norm = nn.BatchNorm2d(channels)
    nn.init.normal_(norm.weight, 1, 0.3)
    nn.init.normal_(norm.bias, 0, 0.3)
    return norm


class Generator(nn.Module):
    """Halves twice and doubles twice; half of what comes from below is dropped."""

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([nn.Conv2d(1, 3, 4, 2, 1, bias=False),
                                   nn.Conv2d(3, 4, 4, 2, 1, bias=False)])
        self.up = nn.ConvTranspose2d(4, 3, 4, 2, 1, bias=False)
        self.norm = batch_norm(3)
        self.last = nn.ConvTranspose2d(6, 1, 4, 2, 1)

    def forward(self, condition, uniforms):
        first = self.down[0](condition)
        second = self.down[1](f.leaky_relu(first, SLOPE))
        below = self.norm(self.up(f.relu(second))) * (uniforms >= 0.5) / 0.5
        made = torch.tanh(self.last(f.relu(torch.cat([first, below], 1))))
        return torch.cat([condition, made], 1)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 3, 4, 2, 1)
        self.second = nn.Conv2d(3, 4, 4, 1, 1, bias=False)
        self.norm = batch_norm(4)
        self.last = nn.Conv2d(4, 1, 4, 1, 1)

    def forward(self, x):
        x = self.norm(self.second(f.leaky_relu(self.first(x), SLOPE)))
        return self.last(f.leaky_relu(x, SLOPE))


def statistics(network):
    return network.norm.running_mean.tolist() + network.norm.running_var.tolist()


def parameters(network, pick):
    return [v for p in network.parameters() for v in ours(pick(p))]


def write_step(name, network, losses):
    network.zero_grad()
    sum(losses).backward()
    write(name + ".losses", [loss.item() for loss in losses])
    write(name + ".gradient", parameters(network, lambda p: p.grad))
    write(name + ".statistics", statistics(network))


def all_are(logits, value):
    return f.binary_cross_entropy_with_logits(logits, torch.full_like(logits, value))


def dragan(points):
    points = points.detach().requires_grad_()
    slope, = torch.autograd.grad(d(points).sum(), points, create_graph=True)
    return (((slope ** 2).flatten(1).sum(1).sqrt() - 1) ** 2).mean()


g = Generator()
d = Discriminator()
condition = torch.randn(BATCH, 1, 8, 8)
real = torch.cat([condition, torch.randn(BATCH, 1, 8, 8)], 1)
uniforms = torch.rand(BATCH, 3, 4, 4)
around = torch.rand(BATCH, 2, 8, 8)
for network, name in ((g, "generator"), (d, "discriminator")):
    write(name, parameters(network, lambda p: p.detach()))
    write(name + ".statistics", statistics(network))
write("condition", images(condition))
write("real", images(real))
write("uniforms", images(uniforms))
write("around", images(around))

fakes = g(condition, uniforms)
write_step("generator.step", g, [all_are(d(fakes), 1.0),
                            100 * (fakes[:, 1:] - real[:, 1:]).abs().mean()])

d.norm.reset_running_stats()  # a step of the generator leaves the discriminator alone
fakes = fakes.detach()
loss = all_are(d(real), 1.0) + all_are(d(fakes), 0.0)
d.norm.momentum = 0  # nor does a penalty change what is kept
penalty = 10 * dragan(real + 0.5 * around * real.std(correction=0))
write_step("discriminator.step", d, [loss, penalty])
