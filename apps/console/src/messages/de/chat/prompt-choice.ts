import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice: typeof English = {
  listLabel: 'Prompts',
  searching: 'Wird gesucht …',
  found: (n) => plural(n, { one: '{n} Prompt. Auswahl mit den Pfeiltasten.', other: '{n} Prompts. Auswahl mit den Pfeiltasten.' }),
  noMatch: 'Kein passender Prompt.',
  none: 'Es gibt noch keine Prompts. Erstellen Sie einen im Menü unter „Prompts“.',
  insert: 'Einfügen',
};
