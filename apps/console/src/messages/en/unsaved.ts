/** Texts of the question before unsaved changes are discarded. */
export const unsaved = {
  changed: { title: 'Discard the changes?', text: 'The changes on this page are not saved.' },
  ended: {
    title: 'Your session has ended',
    text: 'To keep the changes, choose Cancel, sign in again in another tab, and save them here.',
  },
  discard: 'Discard',
};
