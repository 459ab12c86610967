"""Prints as JSON what TensorBoard's own reader finds in each folder below the one that is named.

Run by the Python that has TensorBoard. Pictures are told in base 64, histograms by their number of values and the
counts of their buckets.
"""

import base64
import json
import pathlib
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

ALL = {"scalars": 0, "images": 0, "histograms": 0}


def told_in(folder):
    found = EventAccumulator(str(folder), size_guidance=ALL)
    found.Reload()
    tags = found.Tags()
    return {
        "scalars": {tag: [(event.step, event.value) for event in found.Scalars(tag)] for tag in tags["scalars"]},
        "images": {tag: [(event.step, base64.b64encode(event.encoded_image_string).decode())
                         for event in found.Images(tag)] for tag in tags["images"]},
        "histograms": {tag: [(event.step, {"num": event.histogram_value.num,
                                           "counts": event.histogram_value.bucket})
                             for event in found.Histograms(tag)] for tag in tags["histograms"]},
    }


if __name__ == "__main__":
    print(json.dumps({folder.name: told_in(folder) for folder in pathlib.Path(sys.argv[1]).iterdir()}))
