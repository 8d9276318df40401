/** What is asked before unsaved changes are left. */
export const unsaved = {
  discardTitle: 'Discard the changes?',
  discardText: 'The changes on this page are not saved.',
  discard: 'Discard',
  endedTitle: 'Your session has ended',
  endedText: 'Cancel, sign in in another tab, and save here.',
};
