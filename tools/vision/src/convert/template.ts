import { inHalfPrecision } from '../onnx/half.js';
import { withGraph, withoutWeightInputs } from '../onnx/model.js';

/** SFace with its weights in half precision: half the bytes, the same arithmetic. */
export function convertTemplate(model: Buffer): Buffer {
  return withGraph(model, (graph) => inHalfPrecision(withoutWeightInputs(graph)));
}
