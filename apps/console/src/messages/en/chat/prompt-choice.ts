import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice = {
  listLabel: 'Prompts',
  searching: 'Searching …',
  found: (n: number) =>
    plural(n, { one: '{n} prompt. Use the arrow keys to choose.', other: '{n} prompts. Use the arrow keys to choose.' }),
  noMatch: 'No prompt matches.',
  none: 'There are no prompts yet. Create one under “Prompts” in the menu.',
  insert: 'Insert',
};
