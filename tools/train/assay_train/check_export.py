"""How far the exported graphs are from the model they were made of."""
import tempfile
from pathlib import Path

import numpy as np

from .batches import make_batch
from .export import export
from .runtime import Bundle


def logits_of(model, example):
    batch = make_batch([(0, example, np.arange(len(example.candidates)))]).tensors()
    return model(batch)[0].numpy()


def exported_logits(bundle, example):
    context = bundle.context([np.asarray(block, np.int32) for block in example.blocks])
    return bundle.logits(context, [example.statement(index) for index in range(len(example.candidates))])


def difference(model, examples, storage, kv_type="float32"):
    """The largest and the mean distance of the logits over `examples`."""
    with tempfile.TemporaryDirectory() as folder:
        export(model, Path(folder), storage, kv_type)
        bundle = Bundle(Path(folder))
        gaps = [np.abs(exported_logits(bundle, example) - logits_of(model, example)) for example in examples]
    return max(gap.max() for gap in gaps), float(np.mean([gap.mean() for gap in gaps]))
