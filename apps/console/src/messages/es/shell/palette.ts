import type { palette as English } from '../../en/shell/palette.ts';

/** Texts of the dialog that Ctrl+K opens. */
export const palette: typeof English = {
  placeholder: 'Páginas, acciones, chats y bots',
  placeholderOfAdmin: 'Páginas, acciones, chats, bots y personas',
  noMatch: 'No hay coincidencias.',
  searching: 'Buscando…',
  sections: { pages: 'Páginas', actions: 'Acciones', chats: 'Chats', bots: 'Bots', people: 'Personas' },
  failed: 'La búsqueda falló. Escriba de nuevo para repetirla.',
  newBot: 'Nuevo bot',
  lightTheme: 'Usar el tema claro',
  darkTheme: 'Usar el tema oscuro',
  systemTheme: 'Usar el tema del sistema',
};
