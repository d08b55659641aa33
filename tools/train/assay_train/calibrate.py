"""Temperatures by question type and number of candidates, from one half of eval_in; the other half measures them."""
import json

import numpy as np

from .bundle import refresh_file
from .data import TRUTH, TYPES
from .scores import BINS, by_type, confidence_and_truth, with_interval

EDGES = {"truth": [1], "choice": [2, 3, 4, 5, 8, 16], "score": [2, 4, 6], "number": [1, 21, 61, 121]}
FEWEST_LABELS = 60
TEMPERATURES = np.exp(np.linspace(np.log(0.3), np.log(6), 121))
BIASES = np.linspace(-2, 2, 81)


def halves(answers):
    """Every other row of every data set: the first half is fitted on, the second is measured."""
    seen, parts = {}, ([], [])
    for one in answers:
        seen[one.dataset] = seen.get(one.dataset, -1) + 1
        parts[seen[one.dataset] % 2].append(one)
    return parts


def fit(answers):
    buckets = []
    for kind, rows in by_type(answers).items():
        for low, high in ranges(EDGES[kind], sorted(len(one.logits) for one in rows)):
            inside = [one for one in rows if low <= len(one.logits) <= high]
            bucket = {"type": kind, "min_candidates": low, "max_candidates": high}
            buckets.append(bucket | (fit_truth(inside) if kind == "truth" else fit_shares(inside)))
    return buckets


def ranges(edges, counts):
    """The buckets of a type; one with too few labels joins the one before it."""
    kept = [edges[0]]
    for edge, following in zip(edges[1:], [*edges[2:], 257]):
        if sum(edge <= count < following for count in counts) >= FEWEST_LABELS:
            kept.append(edge)
    return [(low, high - 1) for low, high in zip(kept, [*kept[1:], 257])]


def fit_truth(rows):
    logits = np.array([one.logits[0] for one in rows], np.float64)
    so = np.array([one.answer for one in rows], np.float64)

    def loss(temperature, bias):
        z = (logits + bias) / temperature
        return np.mean(np.logaddexp(0, z) - so * z)

    _, temperature, bias = min((loss(t, b), t, b) for t in TEMPERATURES for b in BIASES)
    return {"temperature": round(float(temperature), 4), "bias": round(float(bias), 4)}


def fit_shares(rows):
    def loss(temperature):
        return np.mean([log_sum(one.logits / temperature) - one.logits[one.answer] / temperature for one in rows])

    return {"temperature": round(float(min(TEMPERATURES, key=loss)), 4)}


def log_sum(values):
    most = values.max()
    return most + np.log(np.exp(values - most).sum())


def calibrated_by(buckets):
    """A function from an answered question to the probabilities that the service would give."""

    def shares(one):
        fits = [bucket for bucket in buckets if bucket["type"] == TYPES[one.type]]
        within = [b for b in fits if b["min_candidates"] <= len(one.logits) <= b["max_candidates"]]
        bucket = (within or fits)[0]
        logits = np.asarray(one.logits, np.float64)
        if one.type == TRUTH:
            return 1 / (1 + np.exp(-(logits + bucket["bias"]) / bucket["temperature"]))
        return np.exp(logits / bucket["temperature"] - log_sum(logits / bucket["temperature"]))

    return shares


def measure(name, answers, shares):
    measured = []
    for kind, rows in by_type(answers).items():
        if rows:
            error, interval = with_interval(*confidence_and_truth(rows, shares))
            edges = [round(edge, 4) for edge in interval]
            entry = {"type": kind, "set": name, "labels": len(rows), "error": round(error, 4), "interval": edges, "bins": BINS}
            measured.append(entry)
    return measured


def calibrate(folder, answered):
    fitted_on, unseen = halves(answered["eval_in"])
    buckets = fit(fitted_on)
    shares = calibrated_by(buckets)
    measured = [*measure("eval_in", unseen, shares), *measure("eval_dev", answered["eval_dev"], shares)]
    content = {"buckets": buckets, "measured": measured}
    (folder / "calibration.json").write_text(json.dumps(content, indent=1) + "\n")
    refresh_file(folder, "calibration.json")
    return content
