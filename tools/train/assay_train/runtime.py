"""The exported graphs as the service runs them: blocks one by one, slots in steps of 16 and 64, never one statement alone."""
import os

import numpy as np
import onnxruntime

SLOT_STEP, AXIS_STEP = 16, 64


class Bundle:
    def __init__(self, folder, threads=1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        here = [os.fspath(folder / name) for name in ("read.onnx", "ask.onnx")]
        self.read, self.ask = (onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"]) for path in here)

    def context(self, blocks):
        """(kv, bias, u) of a state's blocks."""
        results = [self.read.run(None, {"ids": np.asarray(block, np.int32)[None]}) for block in blocks]
        ends, at = [], 0
        for block in blocks:
            ends.append(at)
            at += -(-len(block) // SLOT_STEP) * SLOT_STEP
        slots = -(-at // AXIS_STEP) * AXIS_STEP
        shape = results[0][0].shape
        kv = np.zeros((shape[1], shape[2], slots, shape[4]), results[0][0].dtype)
        bias = np.full(slots, -10000.0, np.float32)
        for start, block, (part, _) in zip(ends, blocks, results):
            kv[:, :, start : start + len(block)] = part[0]
            bias[start : start + len(block)] = 0.0
        tokens = sum(len(block) for block in blocks)
        return kv, bias, sum(pool[0] for _, pool in results) / np.float32(tokens)

    def logits(self, context, statements, at_once=64):
        kv, bias, u = context
        rows = []
        for start in range(0, len(statements), at_once):
            part = statements[start : start + at_once]
            asked = part * 2 if len(part) == 1 else part
            length = max(len(statement) for statement in asked)
            ids, mask = np.zeros((len(asked), length), np.int32), np.zeros((len(asked), length), np.float32)
            for row, statement in enumerate(asked):
                ids[row, : len(statement)] = statement
                mask[row, : len(statement)] = 1
            answer = self.ask.run(None, {"ids": ids, "mask": mask, "kv": kv, "bias": bias, "u": u})[0]
            rows.append(answer[: len(part)])
        return np.concatenate(rows)
