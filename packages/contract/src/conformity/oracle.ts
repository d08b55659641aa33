import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { schemas } from './document.js';

const addFormats = ajvFormats as unknown as (ajv: Ajv2020) => void;

/** An independent validator over the same schemas; `x-ordered` is the one rule that JSON Schema has no keyword for. */
function oracle(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addFormat('binary', true);
  ajv.addKeyword({
    keyword: 'x-ordered',
    type: 'object',
    validate: ([low, high]: [string, string], data: Record<string, unknown>) => {
      const [least, most] = [data[low], data[high]];
      return typeof least !== 'number' || typeof most !== 'number' || least <= most;
    },
  });
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  return ajv;
}

const ajv = oracle();

/** Whether JSON Schema itself takes the value as the named schema. */
export function conforms(name: string, value: unknown): boolean {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  if (!validate) throw new Error(`no schema ${name}`);
  return validate(value) === true;
}

/** What the oracle says is wrong, for the message of a failing test. */
export function faults(name: string, value: unknown): string {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  validate?.(value);
  return ajv.errorsText(validate?.errors);
}
