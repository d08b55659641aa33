import { documentation } from '../config/document.js';
import type { Command } from './command.js';

export const configCommands: Command<unknown>[] = [
  {
    name: 'config',
    summary: 'Prints the manual of every setting, as markdown',
    options: {},
    run: async ({ print }) => print(documentation()),
  },
];
