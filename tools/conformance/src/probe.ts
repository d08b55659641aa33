import { NotApplicable } from './check.js';
import { claim, list, names, number, object, same, status, text } from './claims.js';
import type { Reply } from './wire/reply.js';
import type { Service } from './wire/service.js';

/** Keys that a deployment may lend for statements that one key cannot show. */
export interface Keys {
  readonly full: string;
  readonly decisions?: string | undefined;
  /** Of another workspace. */
  readonly other?: string | undefined;
  readonly revoked?: string | undefined;
  readonly withoutCredit?: string | undefined;
  readonly suspended?: string | undefined;
}

export interface ModelFacts {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly requestsPerMinute: number;
  readonly entry: { readonly [name: string]: unknown };
}

export type Questions = { readonly [name: string]: object };

export interface Decision {
  readonly questions: Questions;
  readonly [field: string]: unknown;
}

export function answersOf(reply: Reply, questions: Questions): { readonly [name: string]: unknown } {
  status(reply, 200);
  const answers = object(object(reply.json, 'the body')['answers'], 'answers');
  names(answers, Object.keys(questions), 'answers');
  for (const [name, question] of Object.entries(questions))
    same(object(answers[name], name)['type'], 'type' in question ? question.type : undefined, `the type of ${name}`);
  return answers;
}

/** What the checks ask through: the service, the keys, and the model under test. */
export class Probe {
  private known: Promise<readonly ModelFacts[]> | undefined;

  constructor(
    readonly service: Service,
    readonly keys: Keys,
    /** The model to ask; the first that the service lists when left out. */
    private readonly wanted: string | undefined,
    /** Checks that wait for the service's own time limits are asked for. */
    readonly patient: boolean,
  ) {}

  /** The service for the caller with this key. */
  with(key: keyof Keys): Service {
    const held = this.keys[key];
    if (held === undefined) throw new NotApplicable(`no key was given for this caller (${key})`);
    return this.service.as(held);
  }

  models(): Promise<readonly ModelFacts[]> {
    this.known ??= this.readModels();
    return this.known;
  }

  async model(): Promise<ModelFacts> {
    const models = await this.models();
    const found = models.find(
      ({ id, aliases }) => this.wanted === undefined || id === this.wanted || aliases.includes(this.wanted),
    );
    claim(found !== undefined, `the model list has no ${this.wanted ?? 'model'}`);
    return found;
  }

  /** A decide call on the model under test. */
  async decide(body: object): Promise<Reply> {
    const { id } = await this.model();
    return this.service.call({ path: '/v1/decide', json: { model: id, ...body } });
  }

  /** The answers of a decide call that must succeed: one for each question, of its type. */
  async answers(body: Decision): Promise<{ readonly [name: string]: unknown }> {
    return answersOf(await this.decide(body), body.questions);
  }

  private async readModels(): Promise<readonly ModelFacts[]> {
    const reply = await this.service.call({ path: '/v1/models' });
    status(reply, 200);
    return list(object(reply.json, 'the body')['models'], 'models').map((value) => {
      const entry = object(value, 'a model');
      return {
        id: text(entry['id'], 'id'),
        aliases: list(entry['aliases'], 'aliases').map((alias) => text(alias, 'an alias')),
        requestsPerMinute: number(
          object(entry['rate_limit'], 'rate_limit')['requests_per_minute'],
          'requests_per_minute',
        ),
        entry,
      };
    });
  }
}
