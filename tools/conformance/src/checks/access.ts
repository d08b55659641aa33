import { check, NotApplicable, unseen } from '../check.js';
import { claim, refusal, same, status } from '../claims.js';
import { KEYED_CALLS, STATE, TRUTH } from './samples.js';

const KEY_SHAPE = /^asy_live_[0-9A-Za-z]{40}$/;

/** Another key of the right shape: its last character is not the checksum's. */
const misspelt = (key: string): string => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

const COLLECTION = `/v1/collections/col_${'0'.repeat(32)}`;
const COLLECTION_CALLS = [
  { method: 'GET', path: '/v1/collections' },
  { method: 'POST', path: '/v1/collections', json: { name: 'x' } },
  { method: 'GET', path: COLLECTION },
  { method: 'DELETE', path: COLLECTION },
  { method: 'GET', path: `${COLLECTION}/items` },
  { method: 'POST', path: `${COLLECTION}/items`, json: {} },
  { method: 'PATCH', path: `${COLLECTION}/items/itm_${'0'.repeat(32)}`, json: {} },
  { method: 'DELETE', path: `${COLLECTION}/items/itm_${'0'.repeat(32)}` },
  { method: 'POST', path: `${COLLECTION}/search`, json: {} },
];

export const access = [
  check(
    'Authentication',
    'Every call, the session stream included, carries `Authorization: Bearer <API_KEY>`.',
    async (probe) => {
      const { full } = probe.keys;
      const schemes: Record<string, string>[] = [
        {},
        { authorization: full },
        { authorization: `Basic ${full}` },
        { authorization: 'Bearer ' },
        { 'x-api-key': full },
      ];
      for (const headers of schemes)
        refusal(await probe.service.as(undefined).call({ path: '/v1/models', headers }), 401, 'authentication_error');
      const inQuery = await probe.service.as(undefined).call({ path: `/v1/models?api_key=${full}` });
      refusal(inQuery, 401, 'authentication_error');
      status(await probe.service.call({ path: '/v1/models' }), 200);
    },
  ),

  check('Authentication', 'A missing, unknown or revoked key gets 401.', async (probe) => {
    for (const key of [undefined, misspelt(probe.keys.full), `asy_live_${'A'.repeat(40)}`, 'x'])
      for (const call of KEYED_CALLS) refusal(await probe.service.as(key).call(call), 401, 'authentication_error');
    const { keys } = probe;
    if (keys.revoked !== undefined)
      refusal(await probe.with('revoked').call({ path: '/v1/models' }), 401, 'authentication_error');
  }),

  check(
    'contract: decisions',
    'API keys: `asy_live_` + 40 base62 characters, the last 6 a checksum (so that a scanner can tell a real key from a typo).',
    async (probe) => {
      for (const key of Object.values(probe.keys))
        claim(key === undefined || KEY_SHAPE.test(key), 'a key that was given does not have this shape');
      await Promise.resolve();
    },
  ),

  check('Statuses', '401 `authentication_error`: key missing, unknown or revoked', async (probe) => {
    const reply = await probe.service.as(undefined).call({ path: '/v1/models' });
    const detail = refusal(reply, 401, 'authentication_error');
    same(Object.keys(detail).sort(), ['error_type', 'message'], 'the names of detail');
    claim(
      /^Bearer\b/i.test(reply.header('www-authenticate') ?? ''),
      'www-authenticate does not name the Bearer scheme',
    );
  }),

  check(
    'Authentication',
    'Collections calls need Full access; a Decisions-only key gets 403 `key_scope_denied`.',
    async (probe) => {
      const served = await probe.service.call({ path: '/v1/collections' });
      if (served.status === 404) throw new NotApplicable('this service serves no collections');
      const decisions = probe.with('decisions');
      for (const call of COLLECTION_CALLS) {
        const reply = await decisions.call(call);
        refusal(reply, 403, 'key_scope_denied');
        claim(/^[ -~]+$/.test(reply.header('x-service-error') ?? ''), 'x-service-error is missing or not ASCII');
      }
    },
  ),

  check('Authentication', 'Key scopes: Full access and Decisions-only.', async (probe) => {
    const { id } = await probe.model();
    const decide = { path: '/v1/decide', json: { model: id, state: STATE, questions: { q: TRUTH } } };
    status(await probe.with('decisions').call({ path: '/v1/models' }), 200);
    status(await probe.with('decisions').call(decide), 200);
  }),

  check(
    'Statuses',
    '402 `insufficient_credit`: prepaid balance is zero; not billed; reads, edits and deletes stay open',
    async (probe) => {
      const { id } = await probe.model();
      const poor = probe.with('withoutCredit');
      const decide = { model: id, state: STATE, questions: { q: TRUTH } };
      refusal(await poor.call({ path: '/v1/decide', json: decide }), 402, 'insufficient_credit');
      status(await poor.call({ path: '/v1/models' }), 200);
    },
  ),

  check('Statuses', '403 `workspace_suspended`: workspace suspended', async (probe) => {
    const suspended = probe.with('suspended');
    for (const call of KEYED_CALLS) refusal(await suspended.call(call), 403, 'workspace_suspended');
  }),

  unseen(
    'Authentication',
    'Keys start with a fixed live prefix, are created in the console and belong to a workspace; keep them on a server, never in a browser or app.',
    'keys are made by an administrator, outside this interface',
  ),
];
