import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: 'Webseite',
  document: 'Dokument',
  preview: 'Vorschau',
  version: (at, of) => `Version ${at} von ${of}`,
  unfinished: 'Die Vorschau erscheint, sobald der Code vollständig ist.',
};
