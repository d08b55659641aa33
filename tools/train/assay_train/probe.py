"""A small fixed sample of the measured sets, answered now and then during training: the learning curve."""
import numpy as np

from .batches import group
from .data import NUMBER, TRUTH, TYPES

PER_FAMILY = {"eval_in": 12, "eval_dev": 30}
MOST_CANDIDATES = 120
EVAL_BATCH_TOKENS = 4000


def sample(split, per_family, seed=7):
    """Keys of up to `per_family` examples of each data set and type; numbers weigh most, so they get a third."""
    rng = np.random.default_rng(seed)
    keys = []
    for dataset in range(len(split.names)):
        for kind in range(4):
            rows = np.flatnonzero((split.fields[:, 0] == dataset) & (split.fields[:, 1] == kind))
            rows = rows[(split.fields[rows, 4] <= MOST_CANDIDATES) & (split.fields[rows, 3] <= 8)]
            keys.extend(rng.permutation(rows)[: per_family // 3 if kind == NUMBER else per_family])
    return keys


def answer(crew, split, keys):
    """Logits of each key over all its candidates."""
    items = []
    for key in keys:
        example = split.example(key)
        items.append((key, example, np.arange(len(example.candidates))))
    answers, _ = crew.run(group(items, EVAL_BATCH_TOKENS), learn=False)
    return {int(key): row for rows, logits in answers for key, row in zip(rows, logits)}


def is_right(split, key, logits):
    _, kind, answer_index, _, _ = split.fields[key]
    return bool(logits[0] > 0) == bool(answer_index) if kind == TRUTH else int(np.argmax(logits)) == answer_index


def accuracies(split, logits):
    """Accuracy of each data set and each type, and their means: `macro` is over data sets."""
    per_set, per_type = {}, {}
    for key, row in logits.items():
        dataset, kind = split.fields[key][:2]
        right = is_right(split, key, row)
        per_set.setdefault(split.names[dataset], []).append(right)
        per_type.setdefault(TYPES[kind], []).append(right)
    sets = {name: float(np.mean(rights)) for name, rights in sorted(per_set.items())}
    return {
        "macro": float(np.mean(list(sets.values()))),
        "types": {name: float(np.mean(rights)) for name, rights in per_type.items()},
        "sets": sets,
        "examples": len(logits),
    }
