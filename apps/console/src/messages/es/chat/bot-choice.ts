import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice: typeof English = {
  yourBots: 'Mis bots',
  showBots: 'Mostrar mis bots',
  hideBots: 'Ocultar mis bots',
  allBots: 'Todos los bots',
  starred: 'Favoritos',
  pinned: 'Fijados',
  listLabel: 'Bots para chatear',
  startsChat: 'Empieza un chat nuevo con el bot. El texto escrito se conserva.',
  searching: 'Buscando…',
  found: (n) =>
    plural(n, { one: '{n} bot. Use las teclas de flecha para elegir.', other: '{n} bots. Use las teclas de flecha para elegir.' }),
  noMatch: 'Ningún bot coincide.',
  preparing: 'Los bots aún se están preparando. Aparecerán aquí en cuanto estén listos.',
  noBots: 'Aún no hay bots.',
  shelfEmpty: 'Aquí aparecen los bots favoritos y los que se usan.',
  toStore: 'Buscar un bot en la tienda',
  create: 'Crear un bot',
};
