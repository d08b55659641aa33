"""Figures about answered questions."""
import numpy as np

from .data import NUMBER, SCORE, TRUTH, TYPES

BINS = 15
RESAMPLES = 300


def accuracy(answers):
    return float(np.mean([right(one) for one in answers])) if answers else float("nan")


def right(one):
    return bool(one.logits[0] > 0) == bool(one.answer) if one.type == TRUTH else int(np.argmax(one.logits)) == one.answer


def chance(answers):
    return float(np.mean([0.5 if one.type == TRUTH else 1 / len(one.logits) for one in answers]))


def cosine_accuracy(answers, threshold):
    def hit(one):
        if one.type == TRUTH:
            return bool(one.cosines[0] > threshold) == bool(one.answer)
        return int(np.argmax(one.cosines)) == one.answer

    return float(np.mean([hit(one) for one in answers]))


def best_threshold(answers):
    """Where a cosine best tells true from false."""
    truths = [one for one in answers if one.type == TRUTH]
    tried = np.quantile([one.cosines[0] for one in truths], np.linspace(0.02, 0.98, 49))
    return float(max(tried, key=lambda threshold: cosine_accuracy(truths, threshold)))


def by_set(answers):
    sets = {}
    for one in answers:
        sets.setdefault(one.dataset, []).append(one)
    return dict(sorted(sets.items()))


def by_type(answers):
    return {name: [one for one in answers if one.type == kind] for kind, name in enumerate(TYPES)}


def macro(answers, measure=accuracy):
    return float(np.mean([measure(rows) for rows in by_set(answers).values()]))


def mean_error(answers, calibrated):
    """Mean distance of the answer as a share of the range: the mean level of a score, the best value of a number."""
    gaps = []
    for one in answers:
        if one.type not in (SCORE, NUMBER):
            continue
        shares = calibrated(one)
        said = shares @ one.values if one.type == SCORE else one.values[np.argmax(shares)]
        gaps.append(abs(said - one.values[one.answer]) / (np.ptp(one.values) or 1))
    return float(np.mean(gaps)) if gaps else float("nan")


def confidence_and_truth(answers, calibrated):
    """What was claimed and what was so: of a truth the probability itself, otherwise that of the best candidate."""
    claimed, so = [], []
    for one in answers:
        shares = calibrated(one)
        if one.type == TRUTH:
            claimed.append(shares[0])
            so.append(float(one.answer))
        else:
            claimed.append(shares.max())
            so.append(float(np.argmax(shares) == one.answer))
    return np.array(claimed), np.array(so)


def calibration_error(claimed, so, bins=BINS):
    place = np.minimum((claimed * bins).astype(int), bins - 1)
    gap = np.bincount(place, claimed - so, bins)
    return float(np.abs(gap).sum() / len(claimed))


def with_interval(claimed, so, seed=5):
    """The calibration error and the middle 95 % of it over resampled answers."""
    rng = np.random.default_rng(seed)
    draws = rng.integers(0, len(claimed), (RESAMPLES, len(claimed)))
    errors = [calibration_error(claimed[draw], so[draw]) for draw in draws]
    return calibration_error(claimed, so), [float(edge) for edge in np.quantile(errors, [0.025, 0.975])]
