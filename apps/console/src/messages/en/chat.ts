import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

/** Texts of the pages in pages/chat. */
export const chat = {
  newTitle: 'What can I help with?',
  newText: 'Ask a question, or type @ to choose a bot.',
  unknownTitle: 'There is no such chat',
  unknownText: 'It was deleted, or it belongs to another user.',
  untitled: 'Untitled chat',
  placeholder: 'Write a message',
  chooseReply: 'Choose a reply above before you send the next message.',
  askBot: (bot: string) => `Ask ${bot}`,
  composer: 'New message',
  message: 'Message',
  messages: 'Messages',
  send: 'Send',
  stop: 'Stop the reply',
  sending: 'Sending …',
  notSent: 'The message was not sent',
  notSentBecauseOf: (file: string) => `The message was not sent because of ${file}`,
  retryIn: (seconds: number) =>
    plural(seconds, { one: 'You can send it again in {n} second.', other: 'You can send it again in {n} seconds.' }),
  retryAt: (time: string) => `You can send it again from ${time}.`,
  retryNow: 'You can send it again now.',
  starters: 'Suggestions',
  botNotReady: {
    QUEUED: 'The knowledge of this bot is still being read. Until that is done, answers might not use it.',
    RUNNING: 'The knowledge of this bot is still being read. Until that is done, answers might not use it.',
    FAILED: 'The knowledge of this bot could not be read. Answers use only what was read earlier.',
  },
  botUnavailable: 'This bot is not available to you. It was deleted or is no longer shared.',
  modelsUnknown: 'The models could not be loaded. Reload the page.',
  noModel: 'No model is available. An administrator has to connect one.',
  model: 'Model',
  reason: 'Reason first',
  temporary: 'Temporary',
  temporaryText: (hours: number | undefined) =>
    `This chat does not appear in lists or searches, and is deleted ${
      hours === undefined ? 'a few hours' : plural(hours, { one: '{n} hour', other: '{n} hours' })
    } after its last message. Until then, administrators can see it among your chats.`,
  withoutMemory: 'Without memory',
  withoutMemoryText: 'In this chat, models see no entries of your memory, and add none.',

  chooseBot: 'Choose a bot',
  attach: 'Attach files',
  dropFiles: 'Drop the files to attach them',
  attachments: 'Attached files',
  removeFile: (name: string) => `Remove ${name}`,
  files: (n: number) => plural(n, { one: '{n} file', other: '{n} files' }),
  noVision: 'This model cannot see images. Choose another model, or remove the images.',
  fileRefused: {
    empty: (name: string) => `${name} is empty.`,
    unreadable: (name: string) =>
      `${name} has a type that cannot be read. Attach a PDF, an Office file (DOCX, XLSX, PPTX), a text file or an image.`,
    image_too_large: (name: string) => `${name} is too large. The limit for an image is 3.75 MiB.`,
    file_too_large: (name: string) => `${name} is too large. The limit for a file is 10 MiB.`,
    too_many_images: (name: string) => `${name} was left out. A message can have at most 20 images.`,
    too_many_files: (name: string) => `${name} was left out. A message can have at most 10 files.`,
    too_large_together: (name: string) => `${name} was left out. The limit for all files of a message is 14 MiB.`,
  },
  image: 'Image',
  sentImage: 'Sent image',
  nthImage: (index: number) => `image ${index}`,
  fileRemoved: 'Removed by a retention rule',
  download: 'Download',

  youWrote: 'You wrote',
  replyBy: 'Reply by',
  editMessage: 'Edit the message',
  editLater: 'It is sent as a new version. The earlier one stays.',
  editFirst: 'The first message of a chat is sent as a new chat.',
  versions: 'Versions',
  version: (at: number, of: number) => `${at}/${of}`,
  earlierVersion: 'Earlier version',
  laterVersion: 'Later version',
  earlierMessages: 'Show earlier messages',
  latest: 'Latest',

  writing: 'Writing …',
  reasoning: 'Reasoning',
  reasoningNow: 'Reasoning …',
  continueReply: 'Continue',
  again: 'Write another reply',
  connectionLost: 'The connection was lost. The reply continues on the server.',
  reconnect: 'Connect again',
  stopped: {
    cancelled: 'You stopped this reply.',
    max_tokens: 'The reply reached its length limit.',
    max_tool_rounds: 'The model called tools too often.',
    content_filtered: 'The provider of the model filtered this reply.',
  },
  guardrail: { blocked: 'Replaced by the guardrail', masked: 'Masked by the guardrail' },
  announced: {
    writing: 'The reply is being written.',
    waiting: 'The reply is waiting for your decision.',
    done: 'The reply has ended.',
    failed: 'The reply failed.',
    lost: 'The connection was lost.',
  },

  code: 'Code',
  codeIn: (language: string) => `Code: ${language}`,
  diagram: 'Diagram',
  showCode: 'Show the code',
  showDiagram: 'Show the diagram',
  copyCode: 'Copy',
  showBeside: 'Show beside the chat',
  table: 'Table',
  opensInNewTab: '(opens in a new tab)',
  imageAt: (alt: string) => (alt === '' ? 'Image' : `Image: ${alt}`),
  source: 'Source',
  sources: 'Sources',
  page: (page: number) => `page ${page}`,
  citation: (rank: number, name: string, page: number | null) => `Source ${rank}: ${name}${page === null ? '' : `, page ${page}`}`,

  tool: (name: string) => `Tool: ${name}`,
  toolInput: 'Input',
  toolResult: 'Result',
  callStatus: { awaiting: 'Needs your approval', running: 'Running', succeeded: 'Succeeded', failed: 'Failed', denied: 'Denied' },
  wouldDo: (name: string) => `The model wants to call ${name} with this input:`,
  approvalText: (until: string | null) =>
    until === null
      ? 'Nothing happens until you decide.'
      : `Nothing happens until you decide. Without a decision, the reply continues without the call at ${until}.`,
  approvalEnded: (at: string) =>
    `The time for your decision ended at ${at}. The reply continues without the call. If you still want the call, ask again when the reply is complete.`,
  approvalOver: 'Not approved in time',
  approve: 'Approve',
  deny: 'Deny',

  good: 'Good reply',
  bad: 'Bad reply',
  feedbackTitle: 'What is wrong with this reply?',
  feedbackReason: 'Reason',
  feedbackReasons: {
    incorrect: 'It is incorrect',
    incomplete: 'It is incomplete',
    not_helpful: 'It is not helpful',
    wrong_source: 'It uses the wrong sources',
    harmful: 'It is harmful or offensive',
    other: 'Something else',
  },
  feedbackComment: 'Comment (optional)',
  feedbackHelp: 'Administrators can read it.',
  sendFeedback: 'Send the feedback',
  feedbackThanks: 'Feedback saved.',

  details: 'Reply details',
  costOfChat: 'Cost of this chat',

  searchChats: 'Search chats',
  found: (n: number, hasMore: boolean) => (hasMore ? `More than ${n} chats` : plural(n, { one: '{n} chat', other: '{n} chats' })),
  noChats: 'No chats yet. Write a message to start one.',
  pinned: 'Pinned',
  dateGroup: (group: 'today' | 'yesterday' | 'week' | 'month' | { year: number; month: number }) => {
    if (typeof group === 'object')
      return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month));
    return { today: 'Today', yesterday: 'Yesterday', week: 'Previous 7 days', month: 'Previous 30 days' }[group];
  },
  actionsOf: (title: string) => `Actions for ${title}`,
};
