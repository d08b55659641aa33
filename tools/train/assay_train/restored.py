"""A trained model in fp32, from a checkpoint."""
import torch

from . import checkpoint
from .fit import build
from .workers import Flat, trained_parts


def restored_model(work, recipe, trained_share, seed):
    """The model, and how it came to be.

    Its weights lie on the line from where training began (a share of 0) to where it is (1). Somewhat before the end
    a model loses nothing on the sets that it was trained on, and keeps more of what its backbone knew of others.
    """
    stored = checkpoint.load(work / "runs" / recipe.id / "checkpoint.pt")
    torch.manual_seed(seed)
    model = build(work, recipe)
    for part, values in zip(trained_parts(model), stored["masters"]["values"]):
        begun = torch.cat([parameter.detach().flatten() for parameter in part])
        Flat(part, torch.lerp(begun, values, trained_share))
    model.eval().requires_grad_(False)
    history = {name: stored[name] for name in ("seconds", "tokens", "examples", "curve")}
    return model, history | {"steps": stored["masters"]["steps"], "trained_share": trained_share}


def random_model(layers, seed=0):
    """A small untrained model, for checks of the export."""
    from .backbone import Backbone
    from .model import PrefixEncoder

    torch.manual_seed(seed)
    model = PrefixEncoder(Backbone(layers, hidden=96, heads=3, inner=192, pieces=500))
    torch.nn.init.normal_(model.head.outer.weight, std=0.3)
    return model.eval().requires_grad_(False)
