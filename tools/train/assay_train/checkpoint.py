"""Checkpoints appear under their name only when they are complete."""
import json
import os
from pathlib import Path

import torch


def save(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save(content, fresh)
    os.replace(fresh, path)


def load(path):
    return torch.load(path, map_location="cpu", weights_only=False)


def save_json(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(fresh, path)
