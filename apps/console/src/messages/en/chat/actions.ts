import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions = {
  share: 'Share',
  rename: 'Rename',
  renamed: 'Chat renamed.',
  title: 'Name',
  proposeTitle: 'Suggest a name',
  pin: 'Pin',
  unpin: 'Unpin',
  toProject: 'Move to a project',
  memoryOff: 'Turn off the memory',
  memoryOn: 'Turn on the memory',
  memoryTurnedOff: 'Memory turned off for this chat.',
  memoryTurnedOn: 'Memory turned on for this chat.',
  download: 'Download as Markdown',
  print: 'Print',
  deleteChat: 'Delete',
  deleteTitle: 'Delete the chat?',
  deleteText: (title: string) => `“${title}” is deleted with all its messages and files. This cannot be undone. Cost totals stay.`,
  deleted: (title: string, messages: number) =>
    `“${title}” deleted with ${plural(messages, { one: '{n} message', other: '{n} messages' })}. Its encryption key was destroyed.`,
};
