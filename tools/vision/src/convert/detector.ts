import { GRAPH, NODE, prune, valueInfo, withGraph } from '../onnx/model.js';
import { bytes, type Field, message, readFields, text, textsOf, writeFields } from '../onnx/protobuf.js';

/** The network's own name for what its heads say of every anchor, before anchors of one fixed size are mixed in. */
const RAW_OFFSETS = '462';

function renamed(node: Buffer): Buffer {
  const fields = readFields(node);
  if (!textsOf(fields, NODE.output).includes(RAW_OFFSETS)) return node;
  return writeFields(fields.map((field) => (field.number === NODE.output ? text(NODE.output, 'offsets') : field)));
}

/**
 * RFB-320 for pictures of any size: the graph ends at scores and raw offsets, its input is free in height and width,
 * and the anchors, which were constants for 320 x 240, are left to the caller.
 */
export function convertDetector(model: Buffer): Buffer {
  return withGraph(model, (graph) => {
    const ends: Field[] = [
      message(GRAPH.input, valueInfo('input', [1, 3, 'height', 'width'])),
      message(GRAPH.output, valueInfo('scores', [1, 'anchors', 2])),
      message(GRAPH.output, valueInfo('offsets', [1, 'anchors', 4])),
    ];
    const inner = graph
      .filter(({ number }) => ![GRAPH.input, GRAPH.output, GRAPH.valueInfo].some((dropped) => dropped === number))
      .map((field) =>
        field.number === GRAPH.node && field.wire === 2 ? bytes(GRAPH.node, renamed(field.value)) : field,
      );
    return [...prune(inner, ['scores', 'offsets']), ...ends];
  });
}
