import { startTestService, type TestService } from '../../../apps/api/src/walks/test-service.js';
import { surfaces } from './checks/index.js';
import { reportText } from './report/text.js';
import { type Result, run } from './run.js';

/** What the service itself says of a surface that it does not have. */
const NOT_SERVED = /does not serve|No installed model can read pictures/;
const UNSEEN_HERE = [
  /^429 /,
  /^500 /,
  /^529 /,
  /^Keys start with /,
  /^429 and 529 /,
  /items_limit_reached|collection_read_only|collections_region_unavailable|enrollment_unpriced/,
  /24 hours after finalize|7 days after the batch ends/,
];

describe('the real service', () => {
  let service: TestService;
  let results: Result[];
  beforeAll(async () => {
    service = await startTestService({ ASSAY_BODY_TIMEOUT_SECONDS: '5' });
    const keys = {
      full: service.key,
      decisions: service.decisionsKey,
      other: service.otherKey,
      revoked: service.revokedKey,
      suspended: service.suspendedKey,
      withoutCredit: await service.newKey(await service.newWorkspace('prepaid')),
    };
    results = await run(surfaces, { baseUrl: service.url, keys, patient: true });
  }, 300_000);
  afterAll(() => service?.close());

  it('keeps every statement that can be seen', () => {
    const broken = results.filter(({ verdict }) => verdict === 'broken');
    expect(reportText(broken, false)).toBe(reportText([], false));
  });

  it('leaves out only what no caller can see', () => {
    const unseen = results.filter(({ verdict }) => verdict === 'not applicable');
    const unexplained = unseen.filter(
      ({ statement, reason }) =>
        !UNSEEN_HERE.some((pattern) => pattern.test(statement)) && !NOT_SERVED.test(reason ?? ''),
    );
    expect(unexplained.map(({ statement, reason }) => `${statement}: ${reason}`)).toEqual([]);
  });
});
