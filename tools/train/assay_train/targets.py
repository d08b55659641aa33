"""Which candidates of an example are asked in training, and what share of belief each should get."""
import numpy as np

from .data import CHOICE, NUMBER, SCORE, TRUTH

MOST_CHOICES = 5
MOST_NUMBERS = 7
NEAR_NUMBERS = 2
STATE_NUMBERS = 2
SMOOTHING = 0.12


def pick_candidates(example, rng):
    """Indices into the candidates, the answer among them."""
    count = len(example.candidates)
    if example.type == TRUTH:
        return np.zeros(1, np.int64)
    if example.type == SCORE:
        return rng.permutation(count)
    if example.type == CHOICE:
        most = MOST_CHOICES if rng.random() < 0.95 else 3 * MOST_CHOICES
        return with_answer(rng.permutation(count), example.answer, most, rng)
    if count <= MOST_NUMBERS:
        return rng.permutation(count)
    near = example.answer + rng.permutation(np.r_[-3:0, 1:4, -10, 10])
    near = near[(near >= 0) & (near < count)][:NEAR_NUMBERS]
    pieces = set(np.concatenate(example.blocks).tolist())
    seen = [i for i, candidate in enumerate(example.candidates) if pieces.issuperset(candidate.tolist())]
    seen = rng.permutation(np.array(seen, np.int64))[:STATE_NUMBERS]
    order = np.concatenate([near, seen, rng.permutation(count)])
    _, first = np.unique(order, return_index=True)
    return with_answer(order[np.sort(first)], example.answer, MOST_NUMBERS, rng)


def with_answer(order, answer, most, rng):
    if len(order) <= most:
        return order
    return rng.permutation(np.append(order[order != answer][: most - 1], answer))


def belief(example, picked):
    """One-hot for a choice; a little of the mass goes to near levels and near numbers."""
    if example.type == TRUTH:
        return np.array([example.answer], np.float32)
    exact = (picked == example.answer).astype(np.float32)
    if example.type == CHOICE:
        return exact
    values = example.values[picked]
    span = float(np.ptp(example.values)) or 1.0
    width = 0.04 * span if example.type == NUMBER else 0.5
    nearness = np.exp(-np.abs(values - example.values[example.answer]) / width)
    return ((1 - SMOOTHING) * exact + SMOOTHING * nearness / nearness.sum()).astype(np.float32)
