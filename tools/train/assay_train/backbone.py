"""A BERT encoder whose statements also attend to kept keys and values, and its weights from a published ONNX graph."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

ROLES = ("query", "key", "value")


class Layer(nn.Module):
    def __init__(self, hidden, heads, inner):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.out_norm = nn.LayerNorm(hidden, eps=1e-12)
        self.up = nn.Linear(hidden, inner)
        self.down = nn.Linear(inner, hidden)
        self.down_norm = nn.LayerNorm(hidden, eps=1e-12)

    def split(self, x, statements=1):
        """[examples * statements, length, hidden] -> queries, keys, values of [examples, heads, statements, length, dim]."""
        rows, length, hidden = x.shape
        parts = self.qkv(x).view(rows // statements, statements, length, 3, self.heads, hidden // self.heads)
        queries, keys, values = parts.permute(3, 0, 4, 1, 2, 5).unbind(0)
        return queries * (hidden // self.heads) ** -0.5, keys, values

    def finish(self, x, mixed):
        """The rest of the layer after attention; `mixed` is [examples, heads, statements, length, dim]."""
        x = self.out_norm(x + self.out(mixed.permute(0, 2, 3, 1, 4).reshape(x.shape)))
        return self.down_norm(x + self.down(F.gelu(self.up(x))))


class Backbone(nn.Module):
    def __init__(self, layers, hidden=384, heads=12, inner=1536, pieces=30522, positions=512):
        super().__init__()
        self.words = nn.Embedding(pieces, hidden)
        self.positions = nn.Embedding(positions, hidden)
        self.types = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList([Layer(hidden, heads, inner) for _ in range(layers)])

    def embed(self, ids, token_type):
        position = self.positions.weight[: ids.shape[1]]
        return self.norm(self.words(ids) + position + self.types.weight[token_type])

    def read(self, ids, mask):
        """Blocks [rows, length] -> keys and values of each layer [rows, heads, length, dim], and the final hidden states.

        `mask` is added to the attention scores: [rows, 1, 1, 1, length].
        """
        x = self.embed(ids, 0)
        kept = []
        for layer in self.layers:
            queries, keys, values = layer.split(x)
            kept.append((keys.squeeze(2), values.squeeze(2)))
            scores = queries @ keys.transpose(-1, -2) + mask
            x = layer.finish(x, scores.softmax(-1) @ values)
        return kept, x

    def ask(self, ids, kept, slot_mask, own_mask, statements):
        """Statements [examples * statements, length] that attend to the slots kept for their example and to themselves.

        `kept` is a pair a layer, [examples, heads, slots, dim]; the masks are added to the scores.
        """
        x = self.embed(ids, 1)
        length, slots = ids.shape[1], slot_mask.shape[-1]
        for layer, (kept_keys, kept_values) in zip(self.layers, kept):
            queries, keys, values = layer.split(x, statements)
            far = queries.flatten(2, 3) @ kept_keys.transpose(-1, -2) + slot_mask
            near = queries @ keys.transpose(-1, -2) + own_mask
            weights = torch.cat([far.unflatten(2, (statements, length)), near], -1).softmax(-1)
            far = weights[..., :slots].flatten(2, 3) @ kept_values
            x = layer.finish(x, far.unflatten(2, (statements, length)) + weights[..., slots:] @ values)
        return x


def load_onnx(path):
    """The weights of a BERT exported to ONNX, whose MatMul weights are anonymous: the bias that follows names each."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    prefix = next(n for n in arrays if n.endswith("embeddings.word_embeddings.weight"))
    prefix = prefix[: -len("embeddings.word_embeddings.weight")]
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    weights = {}
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in arrays:
            continue
        addition = users[node.output[0]][0]
        bias = next(name for name in addition.input if name in arrays)
        weights[bias.removeprefix(prefix).removesuffix(".bias")] = arrays[node.input[1]].T
    layers = sum(name.endswith("attention.self.query") for name in weights)
    backbone = Backbone(layers, heads=12)

    def stored(name):
        return torch.from_numpy(np.array(arrays[prefix + name], dtype=np.float32))

    def dense(name):
        return torch.from_numpy(np.array(weights[name], dtype=np.float32)), stored(name + ".bias")

    def fill(module, weight, bias):
        module.weight.copy_(weight)
        module.bias.copy_(bias)

    def fill_norm(module, name):
        fill(module, stored(name + ".weight"), stored(name + ".bias"))

    with torch.no_grad():
        backbone.words.weight.copy_(stored("embeddings.word_embeddings.weight"))
        backbone.positions.weight.copy_(stored("embeddings.position_embeddings.weight"))
        backbone.types.weight.copy_(stored("embeddings.token_type_embeddings.weight"))
        fill_norm(backbone.norm, "embeddings.LayerNorm")
        for index, layer in enumerate(backbone.layers):
            at = f"encoder.layer.{index}."
            projections = [dense(f"{at}attention.self.{role}") for role in ROLES]
            fill(layer.qkv, torch.cat([w for w, _ in projections]), torch.cat([b for _, b in projections]))
            fill(layer.out, *dense(at + "attention.output.dense"))
            fill(layer.up, *dense(at + "intermediate.dense"))
            fill(layer.down, *dense(at + "output.dense"))
            fill_norm(layer.out_norm, at + "attention.output.LayerNorm")
            fill_norm(layer.down_norm, at + "output.LayerNorm")
    return backbone
