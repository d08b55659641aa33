"""The command line of training."""
import argparse
from pathlib import Path

from .models import RECIPES


def parser():
    parse = argparse.ArgumentParser(prog="train", description="Trains, exports and measures Assay's text models.")
    parse.add_argument("step", choices=("fit", "export"), help="what to do")
    parse.add_argument("--model", choices=RECIPES, default="flash", help="flash: 6 layers, full: 12 layers")
    parse.add_argument("--work", type=Path, default=Path.home() / ".cache" / "assay-train",
                       help="where backbones, tokens and checkpoints lie (default: %(default)s)")
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
    parse.add_argument("--out", type=Path, help="export: the folder of bundles")
    parse.add_argument("--storage", choices=("int8", "float16", "float32"), default="int8")
    parse.add_argument("--kv-type", choices=("float16", "float32"), default="float16")
    return parse


def main():
    options = parser().parse_args()
    recipe = RECIPES[options.model]
    if options.step == "fit":
        from .fit import Run

        Run(options.work, recipe, options).train()
    if options.step == "export":
        from .bundle import write_bundle
        from .restored import restored_model

        model, _ = restored_model(options.work, recipe)
        write_bundle(options.work, recipe, model, options.out / recipe.id, options.storage, options.kv_type)


main()
