import type { unsaved as English } from '../en/unsaved.ts';

/** Texts of the question before unsaved changes are discarded. */
export const unsaved: typeof English = {
  changed: { title: 'Änderungen verwerfen?', text: 'Die Änderungen auf dieser Seite sind nicht gespeichert.' },
  ended: {
    title: 'Ihre Sitzung ist beendet',
    text: 'Um die Änderungen zu behalten, wählen Sie „Abbrechen“, melden Sie sich in einem anderen Tab wieder an und speichern Sie sie hier.',
  },
  discard: 'Verwerfen',
};
