import type { unsaved as English } from '../en/unsaved.ts';

/** Texts of the question before unsaved changes are discarded. */
export const unsaved: typeof English = {
  changed: { title: '¿Descartar los cambios?', text: 'Los cambios de esta página no están guardados.' },
  ended: {
    title: 'La sesión ha terminado',
    text: 'Para conservar los cambios, elija «Cancelar», inicie sesión de nuevo en otra pestaña y guárdelos aquí.',
  },
  discard: 'Descartar',
};
