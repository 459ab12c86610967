"""torch_reader.py FOLDER: loads each generator of a mixture into PyTorch, as read_mixture.py and as mixture.json say,
and compares what it makes with the examples."""

import sys

import numpy
import torch

sys.path.insert(0, sys.argv[1])
import read_mixture  # noqa: E402, pylint: disable=wrong-import-position


def difference(made, expected):
    return float(numpy.abs(made.detach().numpy().reshape(expected.shape) - expected).max())


def main():
    mixture = read_mixture.Mixture(sys.argv[1])
    examples = {name: torch.from_numpy(tensor.copy()) for name, tensor in mixture.examples().items()}
    inputs, labels = examples["inputs"], examples.get("labels")
    description = mixture.description["network"]
    greatest = 0.0
    for entry in mixture.description["generators"]:
        weights = {name: torch.from_numpy(tensor.copy())
                   for name, tensor in read_mixture.read_tensors(mixture.folder / entry["file"]).items()}
        expected = examples[entry["file"]].numpy()
        network = read_mixture.torch_network(description)
        network.load_state_dict(weights)
        greatest = max(greatest, difference(network.eval()(inputs, labels), expected))
        if description["pytorch"]:
            chain = eval(description["pytorch"])
            chain.load_state_dict(weights)
            made = chain.eval()(inputs.permute(0, 3, 1, 2) if inputs.ndim == 4 else inputs)
            greatest = max(greatest, difference(made.permute(0, 2, 3, 1) if made.ndim == 4 else made, expected))
    assert greatest <= mixture.description["examples"]["tolerance"], greatest
    print("chain" if description["pytorch"] else "network", "agrees")


if __name__ == "__main__":
    main()
