import type { Result, Verdict } from '../run.js';

const MARKS: { readonly [verdict in Verdict]: string } = { kept: 'ok  ', broken: 'FAIL', 'not applicable': 'n/a ' };
/** A check that sends dozens of calls shows its last ones: the last is the one that broke it. */
const SHOWN_EXCHANGES = 3;

const shownStatement = ({ section, statement, verdict }: Result) => `  ${MARKS[verdict]} [${section}] ${statement}`;

function evidence({ verdict, reason, exchanges }: Result, verbose: boolean): string[] {
  const why = reason === null ? [] : [`         ${reason}`];
  if (verdict !== 'broken' && !verbose) return why;
  const calls = exchanges
    .slice(-SHOWN_EXCHANGES)
    .flatMap(({ sent, received }) => [`         > ${sent}`, `         < ${received}`]);
  const left = exchanges.length - SHOWN_EXCHANGES;
  return [...why, ...(left > 0 ? [`         (${left} calls before)`] : []), ...calls];
}

export function summary(results: readonly Result[]): { readonly [verdict in Verdict]: number } {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return { kept: count('kept'), broken: count('broken'), 'not applicable': count('not applicable') };
}

/** Every statement with its verdict; for a broken one also what was sent and what came back. */
export function reportText(results: readonly Result[], verbose: boolean): string {
  const lines: string[] = [];
  for (const [surface, group] of Map.groupBy(results, (result) => result.surface)) {
    lines.push(surface, ...group.flatMap((result) => [shownStatement(result), ...evidence(result, verbose)]), '');
  }
  const { kept, broken, 'not applicable': unseen } = summary(results);
  lines.push(`${results.length} statements: ${kept} kept, ${broken} broken, ${unseen} not applicable`);
  return lines.join('\n');
}
