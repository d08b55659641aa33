/** What a person who just started the service needs: where it is, the key (once), and a line to paste. */
export interface Started {
  url: string;
  /** Made on an empty database only; it cannot be shown again. */
  firstKey?: string | undefined;
  /** A model name that can be sent, if any model is installed. */
  model?: string | undefined;
}

const QUESTION = {
  state: 'Where is my parcel? I need it today!',
  questions: { urgent: { type: 'truth', instructions: 'Does the customer need an answer today?' } },
};

function firstCall({ url, firstKey, model }: Started): string {
  const authorization = `-H 'Authorization: Bearer ${firstKey ?? "'$ASSAY_KEY'"}'`;
  if (!model) return `curl -s ${url}/v1/models ${authorization}`;
  const body = JSON.stringify({ model, ...QUESTION });
  return `curl -s ${url}/v1/decide ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
}

export function banner(started: Started): string {
  const { url, firstKey, model } = started;
  return [
    '',
    `Assay serves at ${url}   (reference and try-it: ${url}/docs)`,
    ...(firstKey ? ['', 'A first workspace was made. Its Full access key, shown only now:', '', `  ${firstKey}`] : []),
    ...(model ? [] : ['', 'No model is installed, so decisions are answered with 529 until one is.']),
    '',
    firstKey
      ? 'Paste this to try it:'
      : 'Paste this to try it (put a key in ASSAY_KEY; `npm run admin -- keys create --help` makes one):',
    '',
    `  ${firstCall(started)}`,
    '',
  ].join('\n');
}
