import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: 'Página da web',
  document: 'Documento',
  preview: 'Prévia',
  version: (at, of) => `Versão ${at} de ${of}`,
  unfinished: 'A prévia aparece assim que o código estiver completo.',
};
