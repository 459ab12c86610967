"""Writes image_gan_gradients.txt: a small convolutional GAN's losses, gradients and running
statistics as PyTorch computes them in double.

Run with any PyTorch: python3 make_image_gan_gradients.py > image_gan_gradients.txt
writing.py says how; running mean and variance come after all parameters.
"""
import torch
from torch import nn

from writing import images, ours, write

torch.manual_seed(11)
torch.set_default_dtype(torch.float64)
BATCH = 6


class Channels(nn.Module):
    """Flattens images in the order height, width, channel."""

    def forward(self, x):
        return x.permute(0, 2, 3, 1).flatten(1)


def parameters(network, pick):
    return [v for p in network.parameters() for v in ours(pick(p))]


def statistics(network):
    return [v for layer in network if isinstance(layer, nn.BatchNorm2d)
            for v in layer.running_mean.tolist() + layer.running_var.tolist()]


g = nn.Sequential(nn.ConvTranspose2d(3, 3, 3, bias=False), nn.BatchNorm2d(3), nn.LeakyReLU(0.2),
                  nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1), nn.Tanh())
d = nn.Sequential(nn.Conv2d(2, 3, 3, stride=2, padding=1), nn.LeakyReLU(0.2),
                  nn.Conv2d(3, 4, 2, bias=False), nn.BatchNorm2d(4), nn.Tanh(), nn.Sigmoid(),
                  Channels(), nn.Linear(16, 1))
for network in (g, d):
    for layer in network:
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.normal_(layer.weight, 1, 0.3)
            nn.init.normal_(layer.bias, 0, 0.3)
z = torch.randn(BATCH, 3, 1, 1)
real = torch.randn(BATCH, 2, 5, 5)
write("generator", parameters(g, lambda p: p.detach()))
write("discriminator", parameters(d, lambda p: p.detach()))
write("noise", z.reshape(-1))
write("real", images(real))
bce = nn.BCEWithLogitsLoss()

loss = bce(d(g(z)), torch.ones(BATCH, 1))
loss.backward()
write("bce.generator.loss", [loss])
write("bce.generator.gradient", parameters(g, lambda p: p.grad))
write("bce.generator.statistics", statistics(g))

for layer in d:
    if isinstance(layer, nn.BatchNorm2d):
        layer.reset_running_stats()  # a step of the generator leaves the discriminator alone
d.zero_grad()
fakes = g(z).detach()
loss = bce(d(real), torch.ones(BATCH, 1)) + bce(d(fakes), torch.zeros(BATCH, 1))
loss.backward()
write("bce.discriminator.loss", [loss])
write("bce.discriminator.gradient", parameters(d, lambda p: p.grad))
write("bce.discriminator.statistics", statistics(d))

g.eval()
d.eval()
for name, network in (("g", g), ("d", d)):
    write(name + ".running", statistics(network))
write("inference.samples", images(g(z)))
write("inference.logits", d(real).reshape(-1))
