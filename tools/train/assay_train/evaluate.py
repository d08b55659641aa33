"""Answers of a bundle on the measured sets, through onnxruntime, kept as logits for everything that follows."""
import hashlib
import pickle
import time
from dataclasses import dataclass

import numpy as np
import torch

from .batches import pad
from .data import NUMBER, TRUTH, Split
from .fit import build
from .runtime import Bundle

MEASURED = ("eval_in", "eval_dev")


@dataclass
class Answered:
    """One question with the logits of its candidates and, beside them, their plain cosines."""

    key: int
    dataset: str
    type: int
    answer: int
    values: np.ndarray
    logits: np.ndarray
    cosines: np.ndarray


def chosen(split, per_set, seed=11):
    """Up to `per_set` rows of each data set, the same for every model. Long grids of numbers count four times."""
    rng = np.random.default_rng(seed)
    keys = []
    for dataset in range(len(split.names)):
        rows = rng.permutation(np.flatnonzero(split.fields[:, 0] == dataset))
        costs = np.where((split.fields[rows, 1] == NUMBER) & (split.fields[rows, 4] > 30), 4, 1)
        keys.extend(rows[np.cumsum(costs) <= per_set].tolist())
    return sorted(keys)


def answer_bundle(folder, split, keys):
    bundle = Bundle(folder)
    logits, started = [], time.time()
    for done, key in enumerate(keys):
        example = split.example(key)
        context = bundle.context([np.asarray(block, np.int32) for block in example.blocks])
        rows = bundle.logits(context, [example.statement(index) for index in range(len(example.candidates))])
        logits.append(rows[:, 1 if example.type == TRUTH else 0])
        if done % 1000 == 999:
            print(f"{done + 1} of {len(keys)} answered, {(time.time() - started) / (done + 1) * 1e3:.1f} ms each", flush=True)
    return logits


def kept_cosines(work, recipe, split, keys):
    """The baseline is the same for every training of a model: what was computed for the same rows is used again."""
    path = work / "runs" / recipe.id / f"cosines-{hashlib.sha256(repr((split.names, keys)).encode()).hexdigest()[:16]}.pkl"
    if not path.exists():
        path.write_bytes(pickle.dumps(cosines(work, recipe, split, keys)))
    return pickle.loads(path.read_bytes())


def cosines(work, recipe, split, keys, at_once=64):
    """The baseline: mean embeddings of the untouched backbone, state against statement."""
    backbone = build(work, recipe).backbone.to(torch.bfloat16).requires_grad_(False)
    wanted = {}
    for key in keys:
        example = split.example(key)
        for tokens in [*example.blocks, *(example.statement(index) for index in range(len(example.candidates)))]:
            wanted[tuple(tokens.tolist())] = None
    texts = sorted(wanted, key=len)
    for start in range(0, len(texts), at_once):
        part = texts[start : start + at_once]
        ids, mask = (torch.from_numpy(side[:, 0]) for side in pad([[text] for text in part]))
        bias = ((1 - mask) * -10000.0).to(torch.bfloat16)[:, None, None, None, :]
        hidden = backbone.read(ids, bias)[1].float()
        sums = (hidden * mask[..., None]).sum(1).numpy()
        wanted.update(zip(part, sums))
    found = []
    for key in keys:
        example = split.example(key)
        state = sum(wanted[tuple(block.tolist())] for block in example.blocks)
        claims = np.stack([wanted[tuple(example.statement(i).tolist())] for i in range(len(example.candidates))])
        found.append(claims @ state / (np.linalg.norm(claims, axis=1) * np.linalg.norm(state)))
    return found


def evaluate(work, recipe, folder, per_set):
    """Writes the answers of every measured set under the run, and gives them back by the split's name."""
    answered = {}
    for name in MEASURED:
        split = Split(work / "tokens" / name)
        keys = chosen(split, per_set[name])
        both = zip(keys, answer_bundle(folder, split, keys), kept_cosines(work, recipe, split, keys))
        answered[name] = []
        for key, logits, plain in both:
            example = split.example(key)
            values = np.asarray(example.values)
            answered[name].append(Answered(key, split.names[example.dataset], example.type, example.answer, values, logits, plain))
    (work / "runs" / recipe.id / "answers.pkl").write_bytes(pickle.dumps(answered))
    return answered


def stored_answers(work, recipe):
    return pickle.loads((work / "runs" / recipe.id / "answers.pkl").read_bytes())
