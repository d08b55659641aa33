"""The layers of the prefix encoder as ONNX nodes."""
import numpy as np

INT8_MOST = 127.0


class LayerWriter:
    """`storage`: "int8" multiplies in int8 with a scale for each row of the input, "float16" only stores weights smaller."""

    def __init__(self, graph, backbone, storage):
        self.graph, self.backbone, self.storage = graph, backbone, storage
        self.hidden = backbone.norm.weight.shape[0]
        self.heads = backbone.layers[0].heads
        self.head_dim = self.hidden // self.heads

    def embed(self, token_type):
        g = self.graph
        taken = self.word_embeddings()
        length = g.node("Slice", [g.node("Shape", ["ids"]), g.ints(1), g.ints(2)])
        places = array(self.backbone.positions.weight) + array(self.backbone.types.weight)[token_type]
        position = g.node("Slice", [g.weight(f"positions.{token_type}", places), g.ints(0), length])
        return self.norm("embed", g.node("Add", [taken, position]), self.backbone.norm)

    def word_embeddings(self):
        g, words = self.graph, array(self.backbone.words.weight)
        if self.storage == "float32":
            return g.node("Gather", [g.weight("words", words), "ids"])
        scale = np.maximum(np.abs(words).max(1, keepdims=True) / INT8_MOST, 1e-9).astype(np.float32)
        stored = g.weight("words", np.round(words / scale).astype(np.int8))
        taken = g.node("Cast", [g.node("Gather", [stored, "ids"])], to=1)
        return g.node("Mul", [taken, g.node("Gather", [g.weight("words.scale", scale), "ids"])])

    def heads_of(self, index, x):
        """Queries (scaled), keys and values, each [heads, rows, length, head_dim]."""
        g, layer = self.graph, self.backbone.layers[index]
        weight, bias = array(layer.qkv.weight).copy(), array(layer.qkv.bias).copy()
        weight[: self.hidden] *= self.head_dim**-0.5
        bias[: self.hidden] *= self.head_dim**-0.5
        mixed = self.dense(f"qkv{index}", x, weight, bias)
        parts = g.node("Reshape", [mixed, g.ints(0, 0, 3, self.heads, self.head_dim)])
        split = g.node("Transpose", [parts], perm=[2, 3, 0, 1, 4])
        return [g.node("Gather", [split, g.small(np.array(part, np.int64))], axis=0) for part in range(3)]

    def finish(self, index, x, attended):
        g, layer = self.graph, self.backbone.layers[index]
        merged = g.node("Reshape", [g.node("Transpose", [attended], perm=[1, 2, 0, 3]), g.ints(0, 0, self.hidden)])
        added = g.node("Add", [x, self.linear(f"out{index}", merged, layer.out)])
        x = self.norm(f"out_norm{index}", added, layer.out_norm)
        wide = self.linear(f"up{index}", x, layer.up)
        gate = g.node("Add", [g.node("Erf", [g.node("Div", [wide, g.scalar(2**0.5)])]), g.scalar(1.0)])
        wide = g.node("Mul", [g.node("Mul", [wide, gate]), g.scalar(0.5)])
        return self.norm(f"down_norm{index}", g.node("Add", [x, self.linear(f"down{index}", wide, layer.down)]), layer.down_norm)

    def linear(self, name, x, module):
        return self.dense(name, x, array(module.weight), array(module.bias))

    def dense(self, name, x, weight, bias):
        g = self.graph
        if self.storage == "int8":
            product = self.integer_product(name, x, weight.T)
        else:
            stored = g.weight(f"{name}.w", weight.T.astype(np.float16 if self.storage == "float16" else np.float32))
            if self.storage == "float16":
                stored = g.node("Cast", [stored], to=1)
            product = g.node("MatMul", [x, stored])
        return g.node("Add", [product, g.weight(f"{name}.b", bias)])

    def integer_product(self, name, x, weight):
        """Rows are scaled one by one, so what a row gives does not depend on the rows beside it."""
        g = self.graph
        scale = np.maximum(np.abs(weight).max(0) / INT8_MOST, 1e-9).astype(np.float32)
        stored = g.weight(f"{name}.w", np.round(weight / scale).astype(np.int8))
        most = g.node("ReduceMax", [g.node("Abs", [x])], axes=[-1], keepdims=1)
        row = g.node("Max", [g.node("Mul", [most, g.scalar(1 / INT8_MOST)]), g.scalar(1e-9)])
        moved = g.node("Round", [g.node("Add", [g.node("Div", [x, row]), g.scalar(128.0)])])
        whole = g.node("Cast", [moved], to=2)
        product = g.node("MatMulInteger", [whole, stored, g.small(np.array(128, np.uint8))])
        product = g.node("Mul", [g.node("Cast", [product], to=1), row])
        return g.node("Mul", [product, g.weight(f"{name}.s", scale)])

    def norm(self, name, x, module):
        weight, bias = (self.graph.weight(f"{name}.{part}", array(getattr(module, part))) for part in ("weight", "bias"))
        return self.graph.node("LayerNormalization", [x, weight, bias], axis=-1, epsilon=float(module.eps))


def array(tensor):
    return tensor.detach().float().cpu().numpy()
