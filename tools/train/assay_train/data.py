"""Dumped splits (see tokens/writer.ts), mapped into memory."""
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TRUTH, CHOICE, SCORE, NUMBER = range(4)
TYPES = ("truth", "choice", "score", "number")
CLS, SEP = 101, 102


@dataclass
class Example:
    dataset: int
    type: int
    answer: int
    blocks: list
    instructions: np.ndarray
    candidates: list
    values: np.ndarray

    def statement(self, index):
        candidate = self.candidates[index]
        asked = len(self.instructions)
        ids = np.empty(asked + len(candidate) + (3 if asked else 2), np.int32)
        ids[0], ids[-1] = CLS, SEP
        if asked:
            ids[1 : asked + 1] = self.instructions
            ids[asked + 1] = SEP
        ids[-1 - len(candidate) : -1] = candidate
        return ids


class Split:
    def __init__(self, folder):
        folder = Path(folder)
        self.meta = json.loads((folder / "meta.json").read_text())
        self.names = [dataset["name"] for dataset in self.meta["datasets"]]
        self.pieces = np.memmap(folder / "pieces.u16", np.uint16, "r")
        self.ends = np.fromfile(folder / "parts.u32", np.uint32).astype(np.int64)
        self.fields = np.fromfile(folder / "examples.u32", np.uint32).reshape(-1, 5).astype(np.int64)
        self.values = np.fromfile(folder / "values.f64", np.float64)
        blocks, candidates = self.fields[:, 3], self.fields[:, 4]
        self.first_part = np.concatenate([[0], np.cumsum(blocks + 1 + candidates)])
        self.first_value = np.concatenate([[0], np.cumsum(candidates)])

    def __len__(self):
        return len(self.fields)

    def part(self, index):
        return self.pieces[(self.ends[index - 1] if index else 0) : self.ends[index]]

    def example(self, index):
        dataset, kind, answer, blocks, candidates = (int(field) for field in self.fields[index])
        first = self.first_part[index]
        after = first + blocks
        return Example(
            dataset,
            kind,
            answer,
            [self.part(part) for part in range(first, after)],
            self.part(after),
            [self.part(part) for part in range(after + 1, after + 1 + candidates)],
            self.values[self.first_value[index] : self.first_value[index + 1]],
        )
