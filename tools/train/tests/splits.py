"""A tiny dumped split on disk, as tokens/writer.ts writes it."""
import json

import numpy as np

from assay_train.data import CLS, SEP, TYPES


def write_split(folder, count=64, seed=3):
    """Questions whose answer is the candidate that stands in the state."""
    rng = np.random.default_rng(seed)
    pieces, parts, examples, values = [], [], [], []

    def part(tokens):
        pieces.extend(tokens)
        parts.append(len(pieces))

    for index in range(count):
        kind = index % len(TYPES)
        size = 1 if kind == 0 else 4
        words = rng.permutation(np.arange(200, 240))[:size]
        answer = int(rng.integers(0, 2)) if kind == 0 else int(rng.integers(0, size))
        shown = words[answer] if kind else (words[0] if answer else 300)
        part([CLS, int(shown), *rng.integers(150, 199, 3), SEP])
        part([120 + kind])
        for word in words:
            part([int(word)])
        examples.extend([0, kind, answer, 1, size])
        values.extend(range(size))
    folder.mkdir(parents=True)
    np.array(pieces, np.uint16).tofile(folder / "pieces.u16")
    np.array(parts, np.uint32).tofile(folder / "parts.u32")
    np.array(examples, np.uint32).tofile(folder / "examples.u32")
    np.array(values, np.float64).tofile(folder / "values.f64")
    datasets = [{"name": "tiny", "group": "tiny", "licence": "own"}]
    (folder / "meta.json").write_text(json.dumps({"types": TYPES, "datasets": datasets, "examples": count}))
