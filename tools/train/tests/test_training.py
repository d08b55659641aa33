"""The whole way on a tiny random backbone: python -m unittest discover -s tools/train -t tools/train"""
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from assay_train.batches import Sampler, group, make_batch
from assay_train.calibrate import calibrated_by, fit_shares, fit_truth
from assay_train.check_export import difference, logits_of
from assay_train.data import Split
from assay_train.evaluate import Answered
from assay_train.optimizer import Masters
from assay_train.prepare import check_integrity
from assay_train.restored import random_model
from assay_train.targets import belief, pick_candidates
from assay_train.workers import Solo
from tests.splits import write_split

torch.set_num_threads(1)


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        write_split(Path(cls.folder.name) / "tiny")
        cls.split = Split(Path(cls.folder.name) / "tiny")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_learns_the_answers_of_a_few_examples(self):
        crew = Solo(random_model(2).requires_grad_(True), "cpu")
        masters = Masters(crew.flats, 3e-3)
        batches = group(Sampler([self.split], 0.5, seed=1).pool(8)[0], 800)
        losses = []
        for _ in range(60):
            answers, _ = crew.run(batches, learn=True)
            losses.append(sum(loss for loss, _ in answers))
            masters.step(crew.take_gradients(1 / 8), progress=0.0)
        self.assertLess(losses[-1], 0.6 * losses[0])

    def test_a_batch_answers_as_each_example_alone(self):
        model = random_model(2)
        items = [(key, self.split.example(key), np.arange(4)) for key in (1, 2, 3, 5)]
        for batch in group(items, 10_000):
            together = model(batch.tensors()).numpy()
            for key, logits in zip(batch.keys, together):
                np.testing.assert_allclose(logits, logits_of(model, self.split.example(key)), atol=1e-4)

    def test_padding_changes_nothing(self):
        model = random_model(2)
        batch = make_batch([(1, self.split.example(1), np.arange(4))]).tensors()
        plain = model(batch).numpy()
        for name in ("block", "statement"):
            for field, filling in (("ids", 7), ("mask", 0)):
                array = getattr(batch, f"{name}_{field}")
                setattr(batch, f"{name}_{field}", array.new_full((*array.shape[:2], 20), filling))
                getattr(batch, f"{name}_{field}")[:, :, : array.shape[2]] = array
        np.testing.assert_allclose(model(batch).numpy(), plain, atol=1e-5)

    def test_the_export_is_the_model(self):
        model, examples = random_model(2), [self.split.example(key) for key in range(8)]
        self.assertLess(difference(model, examples, "float32")[0], 1e-4)
        self.assertLess(difference(model, examples, "float16", "float16")[1], 0.02)
        self.assertLess(difference(model, examples, "int8", "float16")[1], 0.1)

    def test_sampling_goes_on_where_it_stopped(self):
        first = Sampler([self.split], 0.5, seed=1)
        first.pool(32)
        second = Sampler([self.split], 0.5, seed=1)
        second.restore(first.state())
        for (_, a, chosen), (_, b, again) in zip(first.pool(32)[0], second.pool(32)[0]):
            self.assertEqual((a.type, a.answer, chosen.tolist()), (b.type, b.answer, again.tolist()))

    def test_the_answer_is_always_asked_and_believed_most(self):
        rng = np.random.default_rng(0)
        for key in range(len(self.split)):
            example = self.split.example(key)
            picked = pick_candidates(example, rng)
            if example.type:
                self.assertEqual(picked[belief(example, picked).argmax()], example.answer)
                self.assertAlmostEqual(float(belief(example, picked).sum()), 1, places=5)

    def test_other_content_than_the_pinned_is_refused(self):
        with self.assertRaises(ValueError):
            check_integrity(b"other", "sha512-AAAA")


class Calibration(unittest.TestCase):
    def test_it_finds_the_temperature_that_answers_were_drawn_with(self):
        rng = np.random.default_rng(0)
        rows, truths = [], []
        for key in range(6000):
            logits = rng.normal(0, 4, 3)
            shares = np.exp(logits / 2) / np.exp(logits / 2).sum()
            rows.append(Answered(key, "s", 1, rng.choice(3, p=shares), np.arange(3), logits, logits))
            so = rng.random() < 1 / (1 + np.exp(-(logits[0] + 1) / 2))
            truths.append(Answered(key, "s", 0, int(so), np.zeros(1), logits[:1], logits[:1]))
        self.assertAlmostEqual(fit_shares(rows)["temperature"], 2, delta=0.2)
        found = fit_truth(truths)
        self.assertAlmostEqual(found["temperature"], 2, delta=0.25)
        self.assertAlmostEqual(found["bias"], 1, delta=0.25)
        bucket = {"type": "truth", "min_candidates": 1, "max_candidates": 1} | found
        self.assertGreater(calibrated_by([bucket])(truths[0]).shape[0], 0)


if __name__ == "__main__":
    unittest.main()
