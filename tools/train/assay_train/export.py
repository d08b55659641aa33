"""Two graphs around one file of weights: `read` turns blocks into keys and values, `ask` scores statements on them."""
from onnx import TensorProto

from .graph import Graph, Weights
from .layers_onnx import LayerWriter, array
from .model import NO_SLOT

FLOAT, INT32 = TensorProto.FLOAT, TensorProto.INT32
KV_TYPES = {"float16": TensorProto.FLOAT16, "float32": TensorProto.FLOAT}


def export(model, folder, storage="int8", kv_type="float16"):
    folder.mkdir(parents=True, exist_ok=True)
    weights = Weights()
    write_read(model, folder / "read.onnx", weights, storage, kv_type)
    write_ask(model, folder / "ask.onnx", weights, storage, kv_type)
    weights.write(folder)


def write_read(model, path, weights, storage, kv_type):
    g = Graph(weights)
    layers = LayerWriter(g, model.backbone, storage)
    x, kept = layers.embed(0), []
    for index in range(len(model.backbone.layers)):
        queries, keys, values = layers.heads_of(index, x)
        kept += [g.node("Unsqueeze", [side, g.ints(0)]) for side in (keys, values)]
        scores = g.node("MatMul", [queries, g.node("Transpose", [keys], perm=[0, 1, 3, 2])])
        x = layers.finish(index, x, g.node("MatMul", [g.node("Softmax", [scores], axis=-1), values]))
    together = g.node("Transpose", [g.node("Concat", kept, axis=0)], perm=[2, 0, 1, 3, 4])
    g.node("Cast", [together], "kv", to=KV_TYPES[kv_type])
    g.node("ReduceSum", [x, g.ints(1)], "pool", keepdims=0)
    count = 2 * len(model.backbone.layers)
    g.write(
        path,
        [("ids", INT32, ["n", "length"])],
        [
            ("kv", KV_TYPES[kv_type], ["n", count, layers.heads, "length", layers.head_dim]),
            ("pool", FLOAT, ["n", layers.hidden]),
        ],
    )


def write_ask(model, path, weights, storage, kv_type):
    g = Graph(weights)
    layers = LayerWriter(g, model.backbone, storage)
    heads, head_dim = layers.heads, layers.head_dim
    x = layers.embed(1)
    kv = g.node("Cast", ["kv"], to=FLOAT)
    rows, slots = g.node("Shape", ["ids"]), g.node("Shape", ["bias"])
    hidden_rows = g.node("Mul", [g.node("Sub", [g.scalar(1.0), "mask"]), g.scalar(NO_SLOT)])
    own_bias = g.node("Unsqueeze", [hidden_rows, g.ints(0, 2)])
    by_statement = g.node("Concat", [g.ints(heads), rows, slots], axis=0)
    by_head = g.node("Concat", [g.ints(heads, -1), slots], axis=0)
    mixed_shape = g.node("Concat", [g.ints(heads), rows, g.ints(head_dim)], axis=0)

    def kept(index):
        return g.node("Squeeze", [g.node("Slice", [kv, g.ints(index), g.ints(index + 1), g.ints(0)]), g.ints(0)])

    for index in range(len(model.backbone.layers)):
        queries, keys, values = layers.heads_of(index, x)
        flat = g.node("Reshape", [queries, g.ints(heads, -1, head_dim)])
        far = g.node("MatMul", [flat, g.node("Transpose", [kept(2 * index)], perm=[0, 2, 1])])
        far = g.node("Reshape", [g.node("Add", [far, "bias"]), by_statement])
        near = g.node("MatMul", [queries, g.node("Transpose", [keys], perm=[0, 1, 3, 2])])
        both = g.node("Concat", [far, g.node("Add", [near, own_bias])], axis=-1)
        shares = g.node("Softmax", [both], axis=-1)
        far_shares = g.node("Reshape", [g.node("Slice", [shares, g.ints(0), slots, g.ints(3)]), by_head])
        near_shares = g.node("Slice", [shares, slots, g.ints(1 << 30), g.ints(3)])
        taken = g.node("Reshape", [g.node("MatMul", [far_shares, kept(2 * index + 1)]), mixed_shape])
        x = layers.finish(index, x, g.node("Add", [taken, g.node("MatMul", [near_shares, values])]))
    g.node("Add", [write_cosine(g, model.head, x), write_learned(g, model.head)], "logits")
    g.write(
        path,
        [
            ("ids", INT32, ["n", "length"]),
            ("mask", FLOAT, ["n", "length"]),
            ("kv", KV_TYPES[kv_type], [2 * len(model.backbone.layers), heads, "slots", head_dim]),
            ("bias", FLOAT, ["slots"]),
            ("u", FLOAT, [layers.hidden]),
        ],
        [("logits", FLOAT, ["n", 2])],
    )


def write_cosine(g, head, x):
    """Leaves the features of the learned part under the name `features`."""
    weighted = g.node("Mul", [x, g.node("Unsqueeze", ["mask", g.ints(2)])])
    length = g.node("ReduceSum", ["mask", g.ints(1)], keepdims=1)
    v = g.node("Div", [g.node("ReduceSum", [weighted, g.ints(1)], keepdims=0), length])
    first = g.node("Squeeze", [g.node("Slice", [x, g.ints(0), g.ints(1), g.ints(1)]), g.ints(1)])
    product = g.node("Mul", [v, "u"])
    distance = g.node("Abs", [g.node("Sub", ["u", v])])
    g.node("Concat", [v, first, g.node("Mul", [product, g.scalar(4.0)]), distance], "features", axis=-1)
    squares = g.node("ReduceSum", [g.node("Mul", [v, v]), g.ints(1)], keepdims=1)
    u_squares = g.node("ReduceSum", [g.node("Mul", ["u", "u"]), g.ints(0)], keepdims=1)
    size = g.node("Sqrt", [g.node("Add", [g.node("Mul", [squares, u_squares]), g.scalar(1e-9)])])
    cosine = g.node("Div", [g.node("ReduceSum", [product, g.ints(1)], keepdims=1), size])
    scaled = g.node("Mul", [cosine, g.weight("head.scale", array(head.scale))])
    return g.node("Add", [scaled, g.weight("head.shift", array(head.shift))])


def write_learned(g, head):
    def dense(name, x, module):
        product = g.node("MatMul", [x, g.weight(f"{name}.w", array(module.weight).T)])
        return g.node("Add", [product, g.weight(f"{name}.b", array(module.bias))])

    return dense("head.outer", g.node("Tanh", [dense("head.inner", "features", head.inner)]), head.outer)
