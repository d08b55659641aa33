"""A trained model in fp32, from a checkpoint."""
import torch

from . import checkpoint
from .fit import build
from .workers import Flat, trained_parts


def restored_model(work, recipe):
    """The model, and how it came to be."""
    stored = checkpoint.load(work / "runs" / recipe.id / "checkpoint.pt")
    model = build(work, recipe)
    for part, values in zip(trained_parts(model), stored["masters"]["values"]):
        Flat(part, values.clone())
    model.eval().requires_grad_(False)
    history = {name: stored[name] for name in ("seconds", "tokens", "examples", "curve")}
    return model, history | {"steps": stored["masters"]["steps"]}


def random_model(layers, seed=0):
    """A small untrained model, for checks of the export."""
    from .backbone import Backbone
    from .model import PrefixEncoder

    torch.manual_seed(seed)
    model = PrefixEncoder(Backbone(layers, hidden=96, heads=3, inner=192, pieces=500))
    torch.nn.init.normal_(model.head.outer.weight, std=0.3)
    return model.eval().requires_grad_(False)
