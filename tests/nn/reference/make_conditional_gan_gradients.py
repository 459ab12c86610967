"""Writes conditional_gan_gradients.txt: steps of a small class-conditional GAN as PyTorch computes
them in double: spectral norm, class-conditional batch norm, self-attention, a projection head,
instance and layer norm, and gradient penalties.

Run with any PyTorch: python3 make_conditional_gan_gradients.py > conditional_gan_gradients.txt
writing.py says how; of a network first its parameters, then its statistics, both in layer order.
"""
import torch
from torch import nn
from torch.nn import functional as f
from torch.nn.utils import spectral_norm

from writing import images, ours, write

torch.manual_seed(13)
torch.set_default_dtype(torch.float64)
BATCH = 4
SLOPE = torch.tensor(0.2, dtype=torch.float32).item()  # what 0.2 is in single precision
CLASSES = 3


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 12)
        self.norm = nn.BatchNorm2d(3, affine=False)
        self.gain = nn.Embedding(CLASSES, 3)
        self.shift = nn.Embedding(CLASSES, 3)
        self.inner = nn.Conv2d(3, 4, 3, padding=1)
        self.instance = nn.InstanceNorm2d(4, affine=True)
        self.last = nn.Conv2d(4, 2, 3, padding=1)
        nn.init.normal_(self.instance.weight, 1, 0.3)
        nn.init.normal_(self.instance.bias, 0, 0.3)

    def forward(self, z, labels):
        x = self.norm(self.first(z).reshape(-1, 2, 2, 3).permute(0, 3, 1, 2))
        gain, shift = (table(labels)[:, :, None, None] for table in (self.gain, self.shift))
        x = torch.tanh(x * (1 + gain) + shift)
        x = self.inner(x.repeat_interleave(2, 2).repeat_interleave(2, 3))
        return torch.tanh(self.last(f.leaky_relu(self.instance(x), SLOPE)))

    def parts(self):
        yield from (ours_of(self.first.weight), of(self.first.bias))
        yield from (of(table.weight) for table in (self.gain, self.shift))
        for module in (self.inner, self.instance, self.last):
            yield from (ours_of(module.weight), of(module.bias))

    def statistics(self):
        return self.norm.running_mean.tolist() + self.norm.running_var.tolist()


def of(parameter):
    """A parameter and how it is written: as it is."""
    return parameter, lambda t: t.reshape(-1).tolist()


def ours_of(parameter):
    return parameter, ours


class Attention(nn.Module):
    """Zhang et al. 2019, phi and g pooled."""

    def __init__(self, channels):
        super().__init__()
        widths = [(channels, channels // 8), (channels, channels // 8), (channels, channels // 2),
                  (channels // 2, channels)]
        self.theta, self.phi, self.g, self.o = (
            spectral_norm(nn.Conv2d(n_in, n_out, 1, bias=False)) for n_in, n_out in widths)
        self.gamma = nn.Parameter(torch.tensor([0.7]))

    def forward(self, x):
        theta = self.theta(x).flatten(2)
        phi = f.max_pool2d(self.phi(x), 2).flatten(2)
        g = f.max_pool2d(self.g(x), 2).flatten(2)
        attention = torch.softmax(theta.transpose(1, 2) @ phi, dim=-1)
        seen = (g @ attention.transpose(1, 2)).reshape(x.shape[0], -1, *x.shape[2:])
        return x + self.gamma * self.o(seen)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = spectral_norm(nn.Conv2d(2, 8, 3, padding=1))
        self.attention = Attention(8)
        self.scale = nn.Parameter(1 + 0.3 * torch.randn(8))
        self.shift = nn.Parameter(0.3 * torch.randn(8))
        self.last = spectral_norm(nn.Linear(8, 1))
        self.embedding = spectral_norm(nn.Embedding(CLASSES, 8), dim=1)

    def forward(self, x, labels):
        x = self.attention(f.leaky_relu(self.first(x), SLOPE))
        x = f.layer_norm(x, x.shape[1:])
        x = torch.tanh(x * self.scale[:, None, None] + self.shift[:, None, None])
        features = x.sum((2, 3))
        projection = (features * self.embedding(labels)).sum(1, keepdim=True)
        return self.last(features) + projection

    def normed(self):
        a = self.attention
        return [self.first, a.theta, a.phi, a.g, a.o, self.last, self.embedding]

    def parts(self):
        a = self.attention
        yield from (ours_of(self.first.weight_orig), of(self.first.bias))
        yield from (ours_of(m.weight_orig) for m in (a.theta, a.phi, a.g, a.o))
        yield from (of(a.gamma), of(self.scale), of(self.shift))
        yield from (ours_of(self.last.weight_orig), of(self.last.bias))
        yield of(self.embedding.weight_orig)

    def statistics(self):
        """Of each matrix u [outputs] and v, in the order of the weights that it multiplies."""
        return [x for m in self.normed() for x in m.weight_u.tolist() + in_our_order(m)]


def in_our_order(module):
    weight = module.weight_orig
    v = module.weight_v
    if weight.dim() == 4:
        v = v.reshape(weight.shape[1:]).permute(1, 2, 0)
    return v.reshape(-1).tolist()


def write_network(name, network):
    write(name, [v for p, form in network.parts() for v in form(p.detach())])
    write(name + ".statistics", network.statistics())


def write_step(name, network, losses):
    network.zero_grad()
    sum(losses).backward()
    write(name + ".losses", [loss.item() for loss in losses])
    write(name + ".gradient", [v for p, form in network.parts() for v in form(p.grad)])
    write(name + ".statistics", network.statistics())


def write_generator_step():
    loss = bce(d.eval()(g(z, labels), labels), torch.ones(BATCH, 1))
    write_step("generator.step", g, [loss])


def write_discriminator_step(name, penalty):
    """From the same statistics each time."""
    d.load_state_dict(at_start)
    samples = torch.cat([real, fakes])
    logits = d.train()(samples, torch.cat([real_labels, labels]))
    loss = bce(logits[:BATCH], torch.ones(BATCH, 1)) + bce(logits[BATCH:], torch.zeros(BATCH, 1))
    write_step(name, d, [loss, 10 * penalty()])


def squared_slopes(points):
    points = points.detach().requires_grad_()
    logits = d.eval()(points, real_labels)
    slope, = torch.autograd.grad(logits.sum(), points, create_graph=True)
    return (slope ** 2).flatten(1).sum(1)


def wgan_gp():
    u = between[:, :, None, None]
    return ((squared_slopes(u * real + (1 - u) * fakes).sqrt() - 1) ** 2).mean()


def r1():
    return squared_slopes(real).mean() / 2


bce = nn.BCEWithLogitsLoss()
g = Generator()
d = Discriminator()
z = torch.randn(BATCH, 4)
real = torch.randn(BATCH, 2, 4, 4)
labels = torch.tensor([2, 0, 1, 2])
real_labels = torch.tensor([0, 1, 1, 2])
between = torch.rand(BATCH, 1)
write_network("generator", g)
write_network("discriminator", d)
write("noise", z.reshape(-1))
write("real", images(real))
write("labels", torch.cat([real_labels, labels]))
write("between", between.reshape(-1))
at_start = {name: value.clone() for name, value in d.state_dict().items()}
write_generator_step()
fakes = g(z, labels).detach()
write_discriminator_step("wgan-gp", wgan_gp)
write_discriminator_step("r1", r1)
