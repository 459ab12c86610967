"""How the reference files are written: each line is a name, a count and that many numbers.

Tensors are written as lipizz keeps them: images [N, H, W, C], weights [inputs, outputs] and [k, k,
inputs, outputs] (of a transposed convolution [k, k, outputs, inputs]).
"""


def write(name, values):
    flat = [float(v) for v in values]
    print(name, len(flat), " ".join(repr(v) for v in flat))


def ours(tensor):
    if tensor.dim() == 4:
        return tensor.permute(2, 3, 1, 0).reshape(-1).tolist()
    return tensor.t().reshape(-1).tolist() if tensor.dim() == 2 else tensor.tolist()


def images(x):
    return x.permute(0, 2, 3, 1).reshape(-1)
