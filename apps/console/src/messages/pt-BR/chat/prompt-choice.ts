import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

export const promptChoice: typeof English = {
  listLabel: 'Prompts',
  searching: 'Pesquisando…',
  found: (n) => plural(n, { one: '{n} prompt. Use as setas para escolher.', other: '{n} prompts. Use as setas para escolher.' }),
  noMatch: 'Nenhum prompt encontrado.',
  none: 'Ainda não há prompts. Crie um em “Prompts”, no menu.',
  insert: 'Inserir',
};
