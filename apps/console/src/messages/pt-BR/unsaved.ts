import type { unsaved as English } from '../en/unsaved.ts';

export const unsaved: typeof English = {
  changed: { title: 'Descartar as alterações?', text: 'As alterações desta página não foram salvas.' },
  ended: {
    title: 'Sua sessão terminou',
    text: 'Para manter as alterações, escolha Cancelar, entre novamente em outra aba e salve-as aqui.',
  },
  discard: 'Descartar',
};
