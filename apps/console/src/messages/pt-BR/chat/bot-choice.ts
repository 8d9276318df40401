import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

export const botChoice: typeof English = {
  yourBots: 'Seus bots',
  showBots: 'Mostrar seus bots',
  hideBots: 'Ocultar seus bots',
  allBots: 'Todos os bots',
  starred: 'Favorito',
  pinned: 'Fixado',
  listLabel: 'Bots para conversar',
  startsChat: 'Inicia um novo chat com o bot. Seu texto é mantido.',
  searching: 'Pesquisando…',
  found: (n) => plural(n, { one: '{n} bot. Use as setas para escolher.', other: '{n} bots. Use as setas para escolher.' }),
  noMatch: 'Nenhum bot encontrado.',
  preparing: 'Os bots ainda estão sendo preparados. Eles aparecem aqui assim que estiverem prontos.',
  noBots: 'Ainda não há bots.',
  shelfEmpty: 'Os bots que você favoritar ou usar aparecem aqui.',
  toStore: 'Encontrar um bot na loja',
  create: 'Criar bot',
};
