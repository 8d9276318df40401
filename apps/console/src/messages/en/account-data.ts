import { plural } from '../plural.ts';

/** Texts of the page with the user's own data. */
export const data = {
  exportTitle: 'Export',
  exportText: 'A ZIP file with your conversations, files of messages, bots, ratings and usage.',
  noExport: 'There is no export now.',
  request: 'Request an export',
  requestAgain: 'Request another export',
  replaces: 'Another export replaces this one.',
  requested: 'The export was requested.',
  byAdmin: 'An administrator has requested this export for you.',
  waiting: 'The export waits for its turn.',
  writing: (written: string, all: string) => `${written} of ${all} conversations are written.`,
  begun: 'The export is being written.',
  ready: 'The export is ready.',
  failed: 'The export could not be written, because not all data could be read. Request another one.',
  gone: 'The export was removed. Request another one.',
  size: 'Size',
  conversations: 'Conversations',
  requestedAt: 'Requested',
  removedAt: 'Will be removed',
  secret: 'Everyone who has the file, or the address of its download, can read your data.',
  download: 'Download',

  importTitle: 'Import of conversations',
  importText:
    'A file of Parlance, ChatGPT or Claude: the ZIP of an export, or its conversations.json. Nothing is imported before you have seen what the file has.',
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  tooLarge: 'The file is larger than 16 MiB. Take conversations.json out of the ZIP, or split it into several files.',
  reading: (name: string) => `Reading ${name} …`,
  sources: { parlance: 'Parlance', chatgpt: 'ChatGPT', claude: 'Claude' },
  found: (source: string, n: number) =>
    plural(n, { one: `The file of ${source} has {n} new conversation.`, other: `The file of ${source} has {n} new conversations.` }),
  foundPart: 'There was no time to read the whole file, so it may have more.',
  unchanged: (n: number) => plural(n, { one: '{n} conversation is here already.', other: '{n} conversations are here already.' }),
  deleted: (n: number) =>
    plural(n, {
      one: '{n} conversation was deleted here, and stays deleted.',
      other: '{n} conversations were deleted here, and stay deleted.',
    }),
  leftOut: 'What is left out',
  reason: 'Reason',
  inConversations: 'Conversations',
  times: 'Times',
  leftOutPart: (shown: string, all: string) => `Counted in ${shown} of ${all} entries.`,
  allTaken: 'Nothing is left out.',
  start: (n: number) => plural(n, { one: 'Import {n} conversation', other: 'Import {n} conversations' }),
  goOn: 'Import the rest',
  importing: (n: number) => plural(n, { one: '{n} conversation is imported …', other: '{n} conversations are imported …' }),
  imported: (n: number) => plural(n, { one: '{n} conversation was imported.', other: '{n} conversations were imported.' }),
  incomplete: 'The server had no time for all of them.',
};
