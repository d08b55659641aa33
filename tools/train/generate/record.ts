import type { JsonValue } from '../../../packages/inference/src/text/json.js';
import type { Random } from './random.js';

type Field = { readonly name: string; readonly spoken: string } & (
  | { readonly words: readonly string[] }
  | { readonly low: number; readonly high: number }
  | { readonly flag: true }
);

export interface Kind {
  readonly thing: string;
  readonly fields: readonly Field[];
}

export type Value = string | number | boolean;

export interface Thing {
  readonly kind: Kind;
  readonly values: { readonly [field: string]: Value };
}

const PEOPLE = ['Amara', 'Bilal', 'Chidi', 'Dalia', 'Elif', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jovan', 'Kira', 'Leif'];
const CITIES = ['Porto', 'Gdansk', 'Leeds', 'Izmir', 'Malmo', 'Tunis', 'Quito', 'Busan', 'Perth', 'Turin'];
const words = (name: string, spoken: string, ...words: string[]): Field => ({ name, spoken, words });
const amount = (name: string, spoken: string, low: number, high: number): Field => ({ name, spoken, low, high });
const flag = (name: string, spoken: string): Field => ({ name, spoken, flag: true });

export const KINDS: readonly Kind[] = [
  {
    thing: 'shipment',
    fields: [
      words('carrier', 'carrier', 'Norlink', 'Bluevan', 'Trackon', 'Polar Freight'),
      words('destination_city', 'destination', ...CITIES),
      amount('weight_kg', 'weight in kilograms', 1, 90),
      amount('days_in_transit', 'number of days in transit', 0, 21),
      flag('insured', 'insured'),
      words('status', 'status', 'packed', 'in transit', 'delivered', 'lost', 'returned'),
    ],
  },
  {
    thing: 'subscription',
    fields: [
      words('owner', 'owner', ...PEOPLE),
      words('plan', 'plan', 'free', 'starter', 'team', 'enterprise'),
      amount('seats', 'number of seats', 1, 80),
      amount('monthly_fee', 'monthly fee', 0, 400),
      flag('auto_renew', 'renewed automatically'),
      words('state', 'state', 'trial', 'active', 'past due', 'cancelled'),
    ],
  },
  {
    thing: 'patient visit',
    fields: [
      words('doctor', 'doctor', ...PEOPLE),
      amount('pulse', 'pulse', 48, 140),
      amount('age', 'age of the patient', 1, 95),
      flag('follow_up', 'to be followed up'),
      words('ward', 'ward', 'surgery', 'cardiology', 'emergency', 'maternity'),
      amount('wait_minutes', 'waiting time in minutes', 0, 180),
    ],
  },
  {
    thing: 'server',
    fields: [
      words('region', 'region', ...CITIES),
      amount('cpu_percent', 'processor load', 0, 100),
      amount('errors_last_hour', 'number of errors in the last hour', 0, 250),
      flag('in_rotation', 'in rotation'),
      words('system', 'operating system', 'Linux', 'FreeBSD', 'Windows'),
      words('role', 'role', 'database', 'cache', 'web', 'queue'),
    ],
  },
  {
    thing: 'job application',
    fields: [
      words('candidate', 'candidate', ...PEOPLE),
      amount('years_experience', 'years of experience', 0, 30),
      words('position', 'position', 'nurse', 'welder', 'teacher', 'analyst', 'driver'),
      flag('remote', 'for remote work'),
      words('stage', 'stage', 'received', 'interview', 'offer', 'rejected'),
      amount('expected_salary_k', 'expected salary in thousands', 20, 160),
    ],
  },
];

export function makeThing(random: Random, kind: Kind = random.pick(KINDS)): Thing {
  const fields = kind.fields.filter((field) => 'words' in field || random.chance(0.85));
  return { kind, values: Object.fromEntries(fields.map((field) => [field.name, makeValue(random, field)])) };
}

export function makeValue(random: Random, field: Field): Value {
  if ('words' in field) return random.pick(field.words);
  return 'flag' in field ? random.chance(0.5) : random.whole(field.low, field.high);
}

/** The thing as JSON, as lines or as prose. */
export function show(random: Random, thing: Thing): JsonValue {
  const form = random.whole(0, 3);
  if (form === 0) return thing.values;
  if (form === 1) return { [thing.kind.thing.replace(' ', '_')]: thing.values, id: random.whole(100, 9999) };
  if (form === 2)
    return Object.entries(thing.values)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  return prose(thing);
}

export function prose(thing: Thing): string {
  const sentences = thing.kind.fields
    .filter((field) => field.name in thing.values)
    .map((field) => {
      const value = thing.values[field.name]!;
      if (typeof value === 'boolean') return `It is ${value ? '' : 'not '}${field.spoken}.`;
      return `The ${field.spoken} is ${value}.`;
    });
  return [`This is a ${thing.kind.thing}.`, ...sentences].join(' ');
}
