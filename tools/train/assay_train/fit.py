"""Training: resumable, with a budget in minutes of wall clock after which the learning rate has fallen to zero."""
import signal
import time

import torch

from . import checkpoint, probe
from .backbone import load_onnx
from .batches import Sampler
from .data import Split
from .model import PrefixEncoder
from .models import backbone_folder
from .optimizer import Masters
from .workers import Crew, Solo

HELD_OUT = ("yelp_labelled", "mpg_number", "socialiqa", "dnc_verbnet", "wine_red")
LOG_SECONDS = 20


def build(work, recipe):
    torch.set_num_threads(1)
    return PrefixEncoder(load_onnx(str(backbone_folder(work, recipe) / "onnx" / "model.onnx")))


class Run:
    """One model's training: everything that a checkpoint holds."""

    def __init__(self, work, recipe, options):
        self.work, self.recipe, self.options = work, recipe, options
        self.path = work / "runs" / recipe.id / "checkpoint.pt"
        self.curve_path = work / "runs" / recipe.id / "curve.json"
        torch.manual_seed(options.seed)
        model = build(work, recipe)
        model.backbone.to(torch.bfloat16)
        sources = [work / "tokens" / name for name in ("train", *options.extra)]
        splits = [Split(source) for source in sources if (source / "meta.json").exists()]
        self.sampler = Sampler(splits, options.power, options.seed, HELD_OUT)
        self.measured = {name: Split(work / "tokens" / name) for name in probe.PER_FAMILY}
        on_gpu = torch.cuda.is_available()
        self.crew = Solo(model, "cuda") if on_gpu else Crew(model, options.workers)
        self.masters = Masters(self.crew.flats, options.rate or recipe.rate)
        self.seconds = self.tokens = self.examples = 0
        self.curve = []
        if self.path.exists() and not options.fresh:
            self.restore(checkpoint.load(self.path))

    def restore(self, stored):
        self.masters.restore(stored["masters"])
        self.sampler.restore(stored["sampler"])
        self.seconds, self.tokens, self.examples = stored["seconds"], stored["tokens"], stored["examples"]
        self.curve = stored["curve"]
        print(f"resumed at step {self.masters.steps}, {self.tokens / 1e6:.1f} M tokens, {self.seconds / 60:.1f} min", flush=True)

    def save(self):
        checkpoint.save(self.path, {
            "masters": self.masters.state(), "sampler": self.sampler.state(), "seconds": self.seconds,
            "tokens": self.tokens, "examples": self.examples, "curve": self.curve, "recipe": self.recipe.id,
        })
        checkpoint.save_json(self.curve_path, self.curve)

    def measure(self):
        point = {"step": self.masters.steps, "tokens": self.tokens, "examples": self.examples, "minutes": round(self.seconds / 60, 1)}
        for name, split in self.measured.items():
            logits = probe.answer(self.crew, split, probe.sample(split, probe.PER_FAMILY[name]))
            point[name] = probe.accuracies(split, logits)
            if name == "eval_in":
                unseen = [point[name]["sets"][held] for held in HELD_OUT if held in point[name]["sets"]]
                point["held_out"] = sum(unseen) / max(1, len(unseen))
        self.curve.append(point)
        short = {name: round(point[name]["macro"], 3) for name in self.measured}
        types = {name: {k: round(v, 3) for k, v in point[name]["types"].items()} for name in self.measured}
        print("measured", point["step"], short, "held out", round(point["held_out"], 3), types, flush=True)

    def train(self):
        options, budget = self.options, self.options.minutes * 60
        stopped = []
        signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
        if not self.curve:
            self.measure()
        logged, saved, measured = time.time(), time.time(), time.time()
        seen = {"loss": 0.0, "right": 0, "examples": 0, "tokens": 0, "cpu": 0.0}
        for batches in self.sampler.steps(options.pool, options.batch_tokens, options.step_batches):
            if self.seconds >= budget or stopped:
                break
            started = time.time()
            answers, spent = self.crew.run(batches, learn=True)
            count = sum(len(batch.types) for batch in batches)
            self.masters.step(self.crew.take_gradients(1.0 / count), self.seconds / budget)
            tokens = sum(batch.tokens for batch in batches)
            self.tokens, self.examples = self.tokens + tokens, self.examples + count
            self.seconds += time.time() - started
            seen["loss"] += sum(loss for loss, _ in answers)
            seen["right"] += sum(right for _, right in answers)
            seen["examples"] += count
            seen["tokens"] += tokens
            seen["cpu"] += spent
            now = time.time()
            if now - logged > LOG_SECONDS:
                self.log(seen, now - logged)
                logged, seen = now, dict.fromkeys(seen, 0)
            if now - saved > options.save_minutes * 60:
                self.save()
                saved = now
            if now - measured > options.measure_minutes * 60:
                self.measure()
                self.save()
                measured = logged = saved = time.time()
        if not stopped:
            self.measure()
        self.save()
        self.crew.stop()

    def log(self, seen, seconds):
        print(
            f"step {self.masters.steps} {self.seconds / 60:.1f} min {self.tokens / 1e6:.2f} M tokens {self.examples} examples"
            f" loss {seen['loss'] / seen['examples']:.4f} right {seen['right'] / seen['examples']:.3f}"
            f" {seen['tokens'] / seconds:.0f} tokens/s {seen['tokens'] / max(seen['cpu'], 1e-9):.0f} tokens/cpu-s",
            flush=True,
        )
