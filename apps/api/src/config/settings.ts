import * as z from 'zod';

/** What an operator has to know about a setting besides its type. */
export interface Notes {
  meaning: string;
  /** What goes wrong when it is set badly. */
  danger?: string;
  /** Shown in the documentation where the default is worked out at start. */
  defaultText?: string;
  /** A secret may also be given as `<NAME>_FILE`, is never printed and never logged. */
  secret?: boolean;
}

export const notes = z.registry<Notes>();

const noted = <T extends z.ZodType>(schema: T, about: Notes): T => {
  notes.add(schema, about);
  return schema;
};

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    message: `must be an address starting with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Every name the service reads from its environment. Nothing else is read, and an unknown ASSAY_ name stops the start. */
export const settings = z.strictObject({
  ASSAY_HOST: noted(z.string().min(1).default('127.0.0.1'), {
    meaning: 'Address the service listens on.',
    danger: '`0.0.0.0` shows the service to the network without TLS; put a proxy that ends TLS in front of it.',
  }),
  ASSAY_PORT: noted(whole(0, 65_535).default(8080), {
    meaning: 'Port the service listens on; 0 takes any free one and prints it.',
  }),
  ASSAY_PUBLIC_URL: noted(url('http', 'https').optional(), {
    meaning: 'Address callers use to reach this deployment; written into links such as `results_url`.',
    danger: 'Links that callers get point nowhere when this does not match the proxy in front.',
    defaultText: 'the address listened on',
  }),
  ASSAY_STREAM_URL: noted(url('ws', 'wss').optional(), {
    meaning: 'WebSocket address of this very process; a session lives in the process that opened it.',
    danger: 'With several processes, one shared address sends streams to processes that do not hold the session.',
    defaultText: 'the public address with ws(s)',
  }),
  ASSAY_DATA_DIR: noted(z.string().min(1).optional(), {
    meaning: 'Folder for the embedded database and the blobs.',
    danger: 'Deleting it deletes every workspace, key, ledger row and result of an embedded deployment.',
    defaultText:
      '`.assay` in the checkout if that can be written, else `$XDG_DATA_HOME/assay` or `~/.local/share/assay`',
  }),
  ASSAY_DATABASE_URL: noted(url('postgres', 'postgresql').optional(), {
    meaning:
      'A PostgreSQL 16 or newer to use in place of the embedded one; needed when several processes share one state.',
    danger: 'The account must be able to create tables; two deployments must not share one database.',
    defaultText: 'embedded PostgreSQL in the data folder',
    secret: true,
  }),
  ASSAY_DATABASE_POOL: noted(whole(2, 200).default(10), {
    meaning: 'Connections this process keeps to the database.',
    danger: 'Processes times this must stay below `max_connections` of the server.',
  }),
  ASSAY_BLOBS: noted(z.string().min(1).optional(), {
    meaning:
      'Where large payloads lie: a folder, or `s3://bucket/prefix?endpoint=https://host&region=name` for an S3-compatible store.',
    danger: 'Several processes need the same store: a local folder is only right for one machine.',
    defaultText: '`blobs` in the data folder',
  }),
  ASSAY_S3_ACCESS_KEY_ID: noted(z.string().min(1).optional(), {
    meaning: 'Access key id for an `s3://` store.',
    defaultText: "the AWS SDK's own chain",
    secret: true,
  }),
  ASSAY_S3_SECRET_ACCESS_KEY: noted(z.string().min(1).optional(), {
    meaning: 'Secret access key for an `s3://` store.',
    defaultText: "the AWS SDK's own chain",
    secret: true,
  }),
  ASSAY_MODELS_DIR: noted(z.string().min(1).optional(), {
    meaning: 'Folder whose subfolders are model bundles; every one is offered.',
    danger: 'A bundle whose files do not match its manifest stops the start.',
    defaultText: '`packages/models` in the checkout',
  }),
  ASSAY_REQUESTS_PER_MINUTE: noted(whole(1, 1_000_000).default(6_000), {
    meaning: 'Requests a key may send per model and minute; published in the model list.',
    danger: 'Too low a value makes callers wait (429) while the processor is idle.',
  }),
  ASSAY_SESSIONS_PER_KEY: noted(whole(0, 100_000).default(10), {
    meaning: 'Sessions a key may hold open at once; published in the model list. 0 switches sessions off.',
    danger: 'Sessions share the memory for kept contexts: with too many, each frame reads its context again.',
  }),
  ASSAY_BODY_TIMEOUT_SECONDS: noted(whole(1, 3_600).default(30), {
    meaning: 'A request body that has not arrived after this time is refused with 408.',
    danger: 'A long time lets slow senders hold connections; a short one refuses large uploads over slow lines.',
  }),
  ASSAY_REQUEST_TIMEOUT_SECONDS: noted(whole(1, 3_600).default(120), {
    meaning: 'Longest time a call may wait for its answer; after it the work is dropped and the call gets 529.',
  }),
  ASSAY_SHUTDOWN_SECONDS: noted(whole(0, 600).default(20), {
    meaning: 'Time that calls in flight get to finish after SIGTERM or SIGINT.',
    danger: 'Must be shorter than the grace period of whatever stops the process.',
  }),
  ASSAY_THREADS: noted(whole(1, 256).optional(), {
    meaning: 'Processor threads the engine computes on.',
    danger: 'More threads than cores make every answer slower.',
    defaultText: 'the processors this process may use',
  }),
  ASSAY_MEMORY_MB: noted(whole(64, 1_048_576).optional(), {
    meaning: 'Memory for kept contexts, in MiB; over it, contexts that rest are dropped and read again when needed.',
    danger: 'Comes on top of the weights of the models and about 300 MiB for the service.',
    defaultText: 'a third of the memory this process may use, at most 2048',
  }),
  ASSAY_IMAGE_URLS: noted(z.enum(['off', 'public']).default('off'), {
    meaning:
      'Whether the `url` of an image is fetched: not at all, or from hosts on the public internet (ports 80 and 443, at most 3 redirects, 8 seconds).',
    danger: 'With `public`, callers make this machine connect to hosts of their choice, private ones excepted.',
  }),
  ASSAY_ENROLLMENT_USD: noted(
    z
      .string()
      .regex(/^(off|\d{1,3}(\.\d{1,9})?)$/, 'must be a price in US dollars such as 0.001, or `off`')
      .default('0.001'),
    {
      meaning: 'Price of enrolling one face, in US dollars; with `off`, enrollment is not offered (529).',
      danger: 'A picture without a face is charged too: the face model ran.',
    },
  ),
  ASSAY_LOG_LEVEL: noted(z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'), {
    meaning: 'How much is logged. No level writes states, questions, images or keys.',
  }),
  ASSAY_SAFETY: noted(z.enum(['shadow', 'enforce', 'off']).default('shadow'), {
    meaning:
      'What the safety check does with a request that asks for harm or help to self-harm: `shadow` flags it in the log and answers, `enforce` refuses it (403), `off` scores nothing and sends no `x-service-safety`.',
    danger: '`enforce` also refuses harmless requests that the model misjudges; see the figures in the model card.',
  }),
  ASSAY_OTEL_ENDPOINT: noted(url('http', 'https').optional(), {
    meaning: 'OTLP/HTTP address that traces are sent to, such as `http://collector:4318/v1/traces`.',
    defaultText: 'no traces',
  }),
  ASSAY_CHECK_RESPONSES: noted(z.enum(['on', 'off']).default('off'), {
    meaning:
      'Check every response against the contract before it is sent; a mismatch becomes a 500. The test suite runs with it on.',
    danger: 'Costs about as much as checking the request.',
  }),
});

export type SettingName = keyof typeof settings.shape;
export const settingNames = Object.keys(settings.shape) as SettingName[];
export const isSecret = (name: SettingName): boolean => notes.get(settings.shape[name])?.secret === true;
