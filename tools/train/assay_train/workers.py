"""Gradients on several CPU processes: each pulls batches until a step is done, so that a busy core only slows itself."""
import ctypes
import queue
import signal
import time

import torch
import torch.multiprocessing as processes

from .losses import loss_of


class Flat:
    """The trained parameters of a model as one tensor, and their gradients as another."""

    def __init__(self, parameters, values=None):
        self.parameters = list(parameters)
        size = sum(p.numel() for p in self.parameters)
        first = self.parameters[0]
        fresh = values is None
        self.values = torch.empty(size, dtype=first.dtype, device=first.device) if fresh else values
        self.gradients = torch.zeros(size, dtype=first.dtype, device=first.device)
        at = 0
        for p in self.parameters:
            part = slice(at, at + p.numel())
            if fresh:
                self.values[part] = p.data.flatten()
            p.data = self.values[part].view_as(p)
            p.grad = self.gradients[part].view_as(p)
            at += p.numel()


def trained_parts(model):
    """The body (kept in the working precision) and the head (always fp32). Word embeddings stay as they were."""
    model.backbone.words.weight.requires_grad_(False)
    body = [p for p in model.backbone.parameters() if p.requires_grad]
    return body, list(model.head.parameters())


def run_batch(model, batch, learn):
    """One batch: in learning the gradients of the summed loss are added up, otherwise the logits come back."""
    if not learn:
        with torch.no_grad():
            logits = model(batch).float()
        return batch.keys, logits[:, :, 1 if batch.truth else 0].cpu().numpy()
    loss, right = loss_of(model(batch), batch)
    loss.backward()
    return loss.item(), right


def work(model, values, gradients, tasks, results):
    die_with_the_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    torch.set_num_threads(1)
    flats = [Flat(part, shared) for part, shared in zip(trained_parts(model), values)]
    for flat, shared in zip(flats, gradients):
        flat.gradients = shared
        at = 0
        for p in flat.parameters:
            p.grad = shared[at : at + p.numel()].view_as(p)
            at += p.numel()
    for place, batch, learn in iter(tasks.get, None):
        started = time.process_time()
        answer = run_batch(model, batch.tensors(), learn)
        results.put((place, answer, time.process_time() - started))


def die_with_the_parent():
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Crew:
    """CPU workers around one set of shared parameters."""

    def __init__(self, model, count):
        context = processes.get_context("fork")
        self.flats = [Flat(part) for part in trained_parts(model)]
        for flat in self.flats:
            flat.values.share_memory_()
        self.tasks, self.results = context.Queue(), context.Queue()
        self.gradients = [[torch.zeros_like(flat.values).share_memory_() for flat in self.flats] for _ in range(count)]
        values = [flat.values for flat in self.flats]
        self.members = [
            context.Process(target=work, args=(model, values, own, self.tasks, self.results), daemon=True)
            for own in self.gradients
        ]
        for member in self.members:
            member.start()

    def run(self, batches, learn):
        """Answers in the order of `batches`, and the CPU seconds they took."""
        for place, batch in enumerate(batches):
            self.tasks.put((place, batch, learn))
        answers, spent = [None] * len(batches), 0.0
        for _ in batches:
            place, answers[place], seconds = self.next_result()
            spent += seconds
        return answers, spent

    def next_result(self):
        while True:
            try:
                return self.results.get(timeout=30)
            except queue.Empty:
                if not all(member.is_alive() for member in self.members):
                    raise RuntimeError("a worker died") from None

    def take_gradients(self, scale):
        """The sum over the workers in fp32, times `scale`; theirs start again from zero."""
        sums = []
        for part in range(len(self.flats)):
            total = self.gradients[0][part].to(torch.float32, copy=True)
            for own in self.gradients[1:]:
                total += own[part]
            for own in self.gradients:
                own[part].zero_()
            sums.append(total.mul_(scale))
        return sums

    def stop(self):
        for _ in self.members:
            self.tasks.put(None)


class Solo:
    """The same on one device (a GPU), in this process."""

    def __init__(self, model, device):
        self.model, self.device = model.to(device), device
        self.flats = [Flat(part) for part in trained_parts(model)]

    def run(self, batches, learn):
        return [run_batch(self.model, batch.tensors(self.device), learn) for batch in batches], 0.0

    def take_gradients(self, scale):
        sums = [flat.gradients.to(torch.float32, copy=True).mul_(scale) for flat in self.flats]
        for flat in self.flats:
            flat.gradients.zero_()
        return sums

    def stop(self):
        pass
