import type { palette as English } from '../../en/shell/palette.ts';

export const palette: typeof English = {
  placeholder: 'Páginas, ações, chats e bots',
  placeholderOfAdmin: 'Páginas, ações, chats, bots e pessoas',
  noMatch: 'Nada encontrado.',
  searching: 'Pesquisando…',
  sections: { pages: 'Páginas', actions: 'Ações', chats: 'Chats', bots: 'Bots', people: 'Pessoas' },
  failed: 'A pesquisa falhou. Digite novamente para repeti-la.',
  newBot: 'Novo bot',
  lightTheme: 'Usar tema claro',
  darkTheme: 'Usar tema escuro',
  systemTheme: 'Usar tema do sistema',
};
