import * as z from 'zod';
import { notes, type SettingName, settingNames, settings } from './settings.js';

const INTRODUCTION = `# Settings

Assay reads these names from its environment and nothing else. An unknown \`ASSAY_\` name stops the start.
An empty value counts as not set. Secrets may be given by file: \`ASSAY_DATABASE_URL_FILE=/run/secrets/database\`.`;

function shownDefault(name: SettingName): string {
  const schema = settings.shape[name];
  const text = notes.get(schema)?.defaultText;
  if (text) return text;
  return schema instanceof z.ZodDefault ? `\`${String(schema.def.defaultValue)}\`` : 'not set';
}

function values(name: SettingName): string | undefined {
  const schema: z.ZodType = settings.shape[name];
  const inner = schema instanceof z.ZodDefault ? schema.def.innerType : schema;
  return inner instanceof z.ZodEnum ? inner.options.map((option) => `\`${option}\``).join(', ') : undefined;
}

/** The manual of the configuration, as markdown, from the schema itself. */
export function documentation(): string {
  const entries = settingNames.map((name) => {
    const about = notes.get(settings.shape[name]);
    const choices = values(name);
    return [
      `## ${name}`,
      '',
      about?.meaning,
      '',
      `- Default: ${shownDefault(name)}`,
      choices && `- Values: ${choices}`,
      about?.secret && `- Secret: \`${name}_FILE\` names a file that holds it`,
      about?.danger && `- Danger: ${about.danger}`,
    ]
      .filter((line) => typeof line === 'string')
      .join('\n');
  });
  return `${[INTRODUCTION, ...entries].join('\n\n')}\n`;
}
