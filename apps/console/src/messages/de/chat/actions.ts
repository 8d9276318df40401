import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions: typeof English = {
  share: 'Teilen',
  rename: 'Umbenennen',
  renamed: 'Chat umbenannt.',
  title: 'Name',
  proposeTitle: 'Namen vorschlagen',
  pin: 'Anheften',
  unpin: 'Lösen',
  toProject: 'In ein Projekt verschieben',
  memoryOff: 'Gedächtnis ausschalten',
  memoryOn: 'Gedächtnis einschalten',
  memoryTurnedOff: 'Gedächtnis für diesen Chat ausgeschaltet.',
  memoryTurnedOn: 'Gedächtnis für diesen Chat eingeschaltet.',
  download: 'Als Markdown herunterladen',
  print: 'Drucken',
  deleteChat: 'Löschen',
  deleteTitle: 'Chat löschen?',
  deleteText: (title) =>
    `„${title}“ wird mit allen Nachrichten und Dateien gelöscht. Das kann nicht rückgängig gemacht werden. Die Kosten bleiben in den Summen.`,
  deleted: (title, messages) =>
    `„${title}“ wurde mit ${plural(messages, { one: '{n} Nachricht', other: '{n} Nachrichten' })} gelöscht. Sein kryptografischer Schlüssel wurde vernichtet.`,
};
