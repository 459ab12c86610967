"""Writes gan_gradients.txt: losses and gradients of a small GAN as PyTorch computes them in double.

Run with any PyTorch: python3 make_gan_gradients.py > gan_gradients.txt
writing.py says how.
"""
import torch

from writing import write

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
BATCH = 6


def mlp(sizes, activations):
    layers = []
    for n_in, n_out, activation in zip(sizes, sizes[1:], activations):
        layers.append(torch.nn.Linear(n_in, n_out))
        if activation is not None:
            layers.append(activation)
    return torch.nn.Sequential(*layers)


def flatten(network, pick):
    """Parameters (or gradients) in layer order, weights transposed, as one list."""
    flat = []
    for layer in network:
        if isinstance(layer, torch.nn.Linear):
            flat += pick(layer.weight).t().reshape(-1).tolist() + pick(layer.bias).tolist()
    return flat


def generator_loss(name, logits):
    d = torch.sigmoid(logits)
    return {
        "bce": -torch.log(d).mean(),
        "minimax": 0.5 * torch.log(1 - d).mean(),
        "heuristic": -0.5 * torch.log(d).mean(),
        "mse": ((d - 1) ** 2).mean(),
        "lsgan": 0.5 * ((logits - 1) ** 2).mean(),
        "hinge": -logits.mean(),
        "wasserstein": -logits.mean(),
        "pix2pix": -torch.log(d).mean(),
    }[name]


def discriminator_loss(name, real, fake):
    if name == "mse":
        return ((torch.sigmoid(real) - 1) ** 2).mean() + (torch.sigmoid(fake) ** 2).mean()
    if name == "lsgan":
        return 0.5 * ((real - 1) ** 2).mean() + 0.5 * (fake ** 2).mean()
    if name == "hinge":
        return torch.relu(1 - real).mean() + torch.relu(1 + fake).mean()
    if name == "wasserstein":
        return fake.mean() - real.mean()
    bce = torch.nn.BCEWithLogitsLoss()
    whole = bce(real, torch.ones_like(real)) + bce(fake, torch.zeros_like(fake))
    return whole if name == "bce" else 0.5 * whole


leaky = torch.nn.LeakyReLU(0.2)
g = mlp([3, 5, 4, 6], [leaky, torch.nn.Sigmoid(), torch.nn.Tanh()])
d = mlp([6, 5, 4, 1], [torch.nn.Tanh(), leaky, None])
z = torch.randn(BATCH, 3)
real = torch.randn(BATCH, 6)
write("generator", flatten(g, lambda p: p.detach()))
write("discriminator", flatten(d, lambda p: p.detach()))
write("noise", z.reshape(-1))
write("real", real.reshape(-1))
for loss_name in ["bce", "minimax", "heuristic", "mse", "lsgan", "hinge", "wasserstein", "pix2pix"]:
    g.zero_grad()
    loss = generator_loss(loss_name, d(g(z)))
    loss.backward()
    write(loss_name + ".generator.loss", [loss])
    write(loss_name + ".generator.gradient", flatten(g, lambda p: p.grad))
    d.zero_grad()
    loss = discriminator_loss(loss_name, d(real), d(g(z).detach()))
    loss.backward()
    write(loss_name + ".discriminator.loss", [loss])
    write(loss_name + ".discriminator.gradient", flatten(d, lambda p: p.grad))

logits = torch.randn(5, 4, requires_grad=True)
labels = torch.tensor([0, 3, 1, 1, 2])
loss = torch.nn.functional.cross_entropy(logits, labels)
loss.backward()
write("cross_entropy.logits", logits.detach().reshape(-1))
write("cross_entropy.labels", labels)
write("cross_entropy.loss", [loss])
write("cross_entropy.gradient", logits.grad.reshape(-1))
