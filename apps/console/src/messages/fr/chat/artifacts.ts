import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: 'Page web',
  document: 'Document',
  preview: 'Aperçu',
  version: (at, of) => `Version ${at} sur ${of}`,
  unfinished: 'L’aperçu s’affiche dès que le code est complet.',
};
