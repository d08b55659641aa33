"""Examples of equal shape side by side, padded to the longest of a batch, and the order in which they are seen."""
from dataclasses import dataclass

import numpy as np
import torch

from .data import TRUTH
from .targets import belief, pick_candidates

MOST_BLOCKS = 6


@dataclass
class Batch:
    """Arrays of one shape: [examples, blocks, length] and [examples, statements, length]."""

    block_ids: np.ndarray
    block_mask: np.ndarray
    statement_ids: np.ndarray
    statement_mask: np.ndarray
    targets: np.ndarray
    truth: bool
    types: np.ndarray
    keys: np.ndarray

    @property
    def tokens(self):
        return self.block_ids.size + self.statement_ids.size

    def tensors(self, device="cpu"):
        fields = ("block_ids", "block_mask", "statement_ids", "statement_mask", "targets")
        moved = {name: torch.from_numpy(getattr(self, name)).to(device) for name in fields}
        return Batch(**moved, truth=self.truth, types=self.types, keys=self.keys)


def make_batch(items):
    """`items`: (key, example, picked candidates), all with equal numbers of blocks and candidates."""
    blocks, statements, targets = [], [], []
    for _, example, picked in items:
        blocks.append(example.blocks)
        statements.append([example.statement(index) for index in picked])
        targets.append(belief(example, picked))
    return Batch(
        *pad(blocks),
        *pad(statements),
        targets=np.stack(targets),
        truth=items[0][1].type == TRUTH,
        types=np.array([example.type for _, example, _ in items]),
        keys=np.array([key for key, _, _ in items]),
    )


def pad(rows):
    length = max(len(part) for row in rows for part in row)
    ids = np.zeros((len(rows), len(rows[0]), length), np.int64)
    mask = np.zeros(ids.shape, np.float32)
    for i, row in enumerate(rows):
        for j, part in enumerate(row):
            ids[i, j, : len(part)] = part
            mask[i, j, : len(part)] = 1
    return ids, mask


def group(items, most_tokens):
    """Items sorted into batches of like shape and at most `most_tokens` padded tokens (one item may be more)."""

    def shape(item):
        _, example, picked = item
        state = max(len(block) for block in example.blocks)
        claim = max(len(example.candidates[i]) for i in picked) + len(example.instructions) + 3
        return (example.type == TRUTH, len(example.blocks), len(picked)), state, claim

    shaped = [(*shape(item), item) for item in items]
    shaped.sort(key=lambda entry: (entry[0], entry[1] // 4, entry[2]))
    batches, current, kind, state, claim = [], [], None, 0, 0
    for item_kind, item_state, item_claim, item in shaped:
        wide, long = max(state, item_state), max(claim, item_claim)
        tokens = (len(current) + 1) * (item_kind[1] * wide + item_kind[2] * long)
        if current and (item_kind != kind or tokens > most_tokens):
            batches.append(current)
            current, wide, long = [], item_state, item_claim
        current.append(item)
        kind, state, claim = item_kind, wide, long
    if current:
        batches.append(current)
    return [make_batch(batch) for batch in batches]


class Sampler:
    """Draws families (a dataset and a type) and walks each in a shuffled order.

    The weight of a family is its size ** power, divided by the root of what an example of it costs in tokens.
    """

    def __init__(self, splits, power, seed, held_out=()):
        self.splits, self.seed = splits, seed
        families = {}
        for place, split in enumerate(splits):
            usable = split.fields[:, 3] <= MOST_BLOCKS
            for dataset, name in enumerate(split.names):
                for kind in range(4):
                    rows = np.flatnonzero(usable & (split.fields[:, 0] == dataset) & (split.fields[:, 1] == kind))
                    if len(rows) and name not in held_out:
                        families[f"{name}/{kind}"] = (place, np.random.default_rng([seed, len(families)]).permutation(rows))
        self.families = list(families.values())
        self.names = list(families)
        weights = np.array([len(rows) ** power / self.cost(place, rows) ** 0.5 for place, rows in self.families])
        self.weights = weights / weights.sum()
        self.drawn = {name: 0 for name in self.names}
        self.pools = 0

    def cost(self, place, rows, looked_at=30):
        """Mean tokens of the first examples of a family as they are asked in training."""
        rng = np.random.default_rng(0)
        tokens = 0
        for row in rows[:looked_at]:
            example = self.splits[place].example(row)
            tokens += sum(map(len, example.blocks))
            tokens += sum(len(example.statement(index)) for index in pick_candidates(example, rng))
        return tokens / min(len(rows), looked_at)

    def pool(self, count):
        """The next `count` items; what comes is a function of the seed and of what was drawn before."""
        rng = np.random.default_rng([self.seed, 1, self.pools])
        self.pools += 1
        items = []
        for family in rng.choice(len(self.families), count, p=self.weights):
            place, rows = self.families[family]
            name = self.names[family]
            example = self.splits[place].example(rows[self.drawn[name] % len(rows)])
            self.drawn[name] += 1
            items.append((0, example, pick_candidates(example, rng)))
        return items, rng

    def steps(self, pool, batch_tokens, step_batches):
        """Lists of `step_batches` batches, each list a step; the largest batch of a step comes first."""
        step = []
        while True:
            items, rng = self.pool(pool)
            batches = group(items, batch_tokens)
            for place in rng.permutation(len(batches)):
                step.append(batches[place])
                if len(step) == step_batches:
                    yield sorted(step, key=lambda batch: -batch.tokens)
                    step = []

    def state(self):
        return {"drawn": self.drawn, "pools": self.pools}

    def restore(self, state):
        self.pools = state["pools"]
        self.drawn.update({name: drawn for name, drawn in state["drawn"].items() if name in self.drawn})
