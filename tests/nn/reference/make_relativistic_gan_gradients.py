"""Writes relativistic_gan_gradients.txt: steps of a small GAN of residual blocks with grouped
convolutions as PyTorch computes them in double, with the relativistic loss of pairs and both
penalties of R3GAN.

Run with any PyTorch: python3 make_relativistic_gan_gradients.py > relativistic_gan_gradients.txt
writing.py says how.
"""
import torch
from torch import nn
from torch.nn import functional as f

from writing import images, ours, write

torch.manual_seed(17)
torch.set_default_dtype(torch.float64)
BATCH = 4
WEIGHT = 3
SLOPE = torch.tensor(0.2, dtype=torch.float32).item()  # what 0.2 is in single precision


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Conv2d(4, 8, 1)
        self.grouped = nn.Conv2d(8, 8, 3, padding=1, groups=2)
        self.narrow = nn.Conv2d(8, 4, 1, bias=False)

    def forward(self, x):
        y = f.leaky_relu(self.wide(x), SLOPE)
        return x + self.narrow(f.leaky_relu(self.grouped(y), SLOPE))


class Generator(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(3, 4, bias=False), nn.Unflatten(1, (4, 1, 1)),
                         nn.ConvTranspose2d(4, 4, 4, groups=4, bias=False), Block(), nn.Conv2d(4, 2, 1),
                         nn.Tanh())


class Discriminator(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(2, 4, 1, bias=False), Block(),
                         nn.Conv2d(4, 4, 4, groups=4, bias=False), nn.Flatten(),
                         nn.Linear(4, 1, bias=False))


def write_step(name, network, losses):
    network.zero_grad()
    sum(losses).backward()
    write(name + ".losses", [loss.item() for loss in losses])
    write(name + ".gradient", [v for p in network.parameters() for v in ours(p.grad)])


def half_squared_slope(points):
    points = points.detach().requires_grad_()
    slope, = torch.autograd.grad(d(points).sum(), points, create_graph=True)
    return (slope ** 2).flatten(1).sum(1).mean() / 2


g = Generator()
d = Discriminator()
z = torch.randn(BATCH, 3)
real = torch.randn(BATCH, 2, 4, 4)
for name, network in (("generator", g), ("discriminator", d)):
    write(name, [v for p in network.parameters() for v in ours(p.detach())])
write("noise", z.reshape(-1))
write("real", images(real))
write_step("generator.step", g, [f.softplus(d(real) - d(g(z))).mean()])
fakes = g(z).detach()
write_step("discriminator.step", d, [f.softplus(d(fakes) - d(real)).mean(),
                                     WEIGHT * (half_squared_slope(real) + half_squared_slope(fakes))])
