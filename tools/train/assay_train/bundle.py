"""A bundle folder: graphs, weights, vocabulary, calibration, and the manifest that vouches for them."""
import datetime
import hashlib
import json
import shutil

from .checkpoint import save_json
from .export import export
from .models import backbone_folder

FILES = ("read.onnx", "ask.onnx", "weights.bin", "vocab.txt", "calibration.json")
BLOCK_PIECES, STATEMENT_TOKENS = 254, 512
UNCALIBRATED = {
    "buckets": [
        {"type": kind, "min_candidates": 1, "max_candidates": 256, "temperature": 1.0}
        for kind in ("truth", "choice", "score", "number")
    ],
    "measured": [],
}


def write_bundle(work, recipe, model, folder, storage="int8", kv_type="float16"):
    export(model, folder, storage, kv_type)
    shutil.copyfile(backbone_folder(work, recipe) / "vocab.txt", folder / "vocab.txt")
    (folder / "calibration.json").write_text(json.dumps(UNCALIBRATED, indent=1) + "\n")
    write_manifest(folder, recipe, model, kv_type)


def write_manifest(folder, recipe, model, kv_type):
    layer = model.backbone.layers[0]
    hidden = layer.out.weight.shape[0]
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    save_json(folder / "manifest.json", {
        "format": "assay-bundle-1",
        "id": recipe.id,
        "engine": "prefix-encoder",
        "created_at": now.isoformat().replace("+00:00", "Z"),
        "aliases": [recipe.alias],
        "price": {"input_usd_per_million_tokens": recipe.usd_per_million},
        "architecture": {
            "layers": len(model.backbone.layers),
            "heads": layer.heads,
            "head_dim": hidden // layer.heads,
            "hidden": hidden,
            "block_pieces": BLOCK_PIECES,
            "statement_tokens": STATEMENT_TOKENS,
            "kv_type": kv_type,
        },
        "tokenizer": {"kind": "wordpiece", "file": "vocab.txt", "lowercase": True},
        "template": 1,
        "graphs": {"read": "read.onnx", "ask": "ask.onnx"},
        "calibration": "calibration.json",
        "files": {name: described(folder / name) for name in FILES},
    })


def refresh_file(folder, name):
    """Vouches again for a file that was rewritten, the calibration for one."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = described(folder / name)
    save_json(folder / "manifest.json", manifest)


def described(path):
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
