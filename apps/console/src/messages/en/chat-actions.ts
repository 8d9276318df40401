import { plural } from '../plural.ts';

/** What is done with a chat by its menu. */
export const chatActions = {
  share: 'Share',
  rename: 'Rename',
  renamed: 'The chat has its new name.',
  title: 'Name',
  proposeTitle: 'Propose a name',
  pin: 'Pin',
  unpin: 'Unpin',
  toFolder: 'Move to a folder',
  folder: 'Name of the folder',
  folders: 'Folders',
  outOfFolder: 'Take out of the folder',
  deleteChat: 'Delete',
  deleteTitle: 'Delete the chat?',
  deleteText: (title: string) => `“${title}” is deleted with all its messages and files. This cannot be undone. Totals of cost stay.`,
  deleted: (title: string, messages: number) =>
    `“${title}” is deleted: ${plural(messages, { one: '{n} message', other: '{n} messages' })}. The key of the content is destroyed.`,
};
