"""The command line of training."""
import argparse
import json
from pathlib import Path

from .models import RECIPES


def prepare(options, recipe):
    """fetch the backbones and turn the data into word pieces"""
    from .prepare import prepare as run

    run(options.work, options.data, options.seed)


def fit(options, recipe):
    """train, or go on from the checkpoint"""
    from .fit import Run

    Run(options.work, recipe, options).train()


def export(options, recipe):
    """write the bundle of the checkpoint, uncalibrated"""
    from .bundle import write_bundle
    from .checkpoint import save_json
    from .restored import restored_model

    model, history = restored_model(options.work, recipe, options.trained_share, options.seed)
    write_bundle(options.work, recipe, model, options.out / recipe.id, options.storage, options.kv_type)
    save_json(options.work / "runs" / recipe.id / "exported.json", history)


def measure(options, recipe):
    """answer the measured sets with the bundle, calibrate it and write its card"""
    from .evaluate import evaluate

    evaluate(options.work, recipe, options.out / recipe.id, {"eval_in": options.rows_in, "eval_dev": options.rows_dev})
    card(options, recipe)


def card(options, recipe):
    """calibrate and write the card again from the answers of the last measure"""
    from .calibrate import calibrate
    from .card import write_card
    from .evaluate import stored_answers

    answered, folder = stored_answers(options.work, recipe), options.out / recipe.id
    calibrate(folder, answered)
    history = json.loads((options.work / "runs" / recipe.id / "exported.json").read_text())
    write_card(options.work, recipe, folder, answered, history)


def everything(options, recipe):
    """all of it, one after the other"""
    for step in (prepare, fit, export, measure):
        step(options, recipe)


STEPS = {"all": everything, "prepare": prepare, "fit": fit, "export": export, "measure": measure, "card": card}


def parser():
    parse = argparse.ArgumentParser(prog="train", description="Trains, exports and measures Assay's text models.")
    parse.add_argument("step", choices=tuple(STEPS), help="; ".join(f"{name}: {does.__doc__}" for name, does in STEPS.items()))
    parse.add_argument("--model", choices=RECIPES, default="flash", help="flash: 6 layers, full: 12 layers")
    parse.add_argument("--work", type=Path, default=Path.home() / ".cache" / "assay-train",
                       help="where backbones, tokens and checkpoints lie (default: %(default)s)")
    parse.add_argument("--data", type=Path, help="the folder with train, eval_in and eval_dev (prepare)")
    parse.add_argument("--minutes", type=float, default=240, help="training budget; the rate falls to zero with it")
    parse.add_argument("--fresh", action="store_true", help="start again although there is a checkpoint")
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--rate", type=float, help="peak learning rate (default: the recipe's)")
    parse.add_argument("--power", type=float, default=0.55, help="families are drawn by size to this power")
    parse.add_argument("--workers", type=int, default=2, help="CPU processes")
    parse.add_argument("--extra", nargs="*", default=["generated"], help="further dumped splits to train on")
    parse.add_argument("--pool", type=int, default=16384, help="examples that are sorted by shape together")
    parse.add_argument("--batch-tokens", type=int, default=1600)
    parse.add_argument("--step-batches", type=int, default=4)
    parse.add_argument("--save-minutes", type=float, default=3)
    parse.add_argument("--measure-minutes", type=float, default=12)
    parse.add_argument("--out", type=Path, help="the folder of bundles (export, measure, card)")
    parse.add_argument("--storage", choices=("int8", "float16", "float32"), default="int8")
    parse.add_argument("--kv-type", choices=("float16", "float32"), default="float16")
    parse.add_argument("--trained-share", type=float, default=0.85,
                       help="export: how far from the backbone's weights to the trained ones (default: %(default)s)")
    parse.add_argument("--rows-in", type=int, default=170, help="rows of each set of eval_in (measure)")
    parse.add_argument("--rows-dev", type=int, default=200, help="rows of each set of eval_dev (measure)")
    return parse


def main():
    options = parser().parse_args()
    STEPS[options.step](options, RECIPES[options.model])


main()
