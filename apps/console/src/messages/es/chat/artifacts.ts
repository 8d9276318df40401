import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: 'Página web',
  document: 'Documento',
  preview: 'Vista previa',
  version: (at, of) => `Versión ${at} de ${of}`,
  unfinished: 'La vista previa aparece cuando el código está completo.',
};
