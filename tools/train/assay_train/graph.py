"""A small writer of ONNX graphs whose weights lie in one file that several graphs share."""
import numpy as np
from onnx import TensorProto, helper

OPSET = 17
PAGE = 4096
KINDS = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.float16): TensorProto.FLOAT16, np.dtype(np.int8): TensorProto.INT8}


class Weights:
    """Named arrays in one file; a name is stored once, whichever graphs use it."""

    def __init__(self, file_name="weights.bin"):
        self.file_name = file_name
        self.places = {}
        self.chunks = []
        self.end = 0

    def place(self, name, array):
        if name not in self.places:
            array = np.ascontiguousarray(array)
            raw = array.tobytes()
            self.places[name] = (self.end, len(raw), array.dtype, array.shape)
            padding = -len(raw) % PAGE
            self.chunks.append(raw + b"\0" * padding)
            self.end += len(raw) + padding
        return self.places[name]

    def write(self, folder):
        (folder / self.file_name).write_bytes(b"".join(self.chunks))


class Graph:
    def __init__(self, weights):
        self.weights = weights
        self.nodes, self.initializers, self.known = [], [], {}

    def node(self, kind, inputs, output=None, **attributes):
        output = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def small(self, array):
        """A constant inside the graph."""
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.known:
            name = f"constant_{len(self.known)}"
            kind = helper.np_dtype_to_tensor_dtype(array.dtype)
            self.initializers.append(helper.make_tensor(name, kind, array.shape, array.tobytes(), raw=True))
            self.known[key] = name
        return self.known[key]

    def ints(self, *values):
        return self.small(np.array(values, np.int64))

    def scalar(self, value):
        return self.small(np.array(value, np.float32))

    def weight(self, name, array):
        """A constant in the shared file."""
        if name not in self.known:
            offset, size, dtype, shape = self.weights.place(name, array)
            tensor = TensorProto(name=name, data_type=KINDS[dtype], dims=shape, data_location=TensorProto.EXTERNAL)
            for key, value in (("location", self.weights.file_name), ("offset", offset), ("length", size)):
                tensor.external_data.add(key=key, value=str(value))
            self.initializers.append(tensor)
            self.known[name] = name
        return name

    def write(self, path, inputs, outputs):
        values = [[helper.make_tensor_value_info(*entry) for entry in side] for side in (inputs, outputs)]
        graph = helper.make_graph(self.nodes, path.stem, *values, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="assay-train")
        model.ir_version = 9
        path.write_bytes(model.SerializeToString(deterministic=True))
