/** Texts of an exported chat. */
export const chatExport = {
  you: 'You',
  exported: (time: string) => `Exported on ${time}.`,
  bot: (title: string) => `Chat with the bot “${title}”.`,
  attached: (name: string) => `Attached: ${name}`,
  image: 'an image',
  tool: (name: string) => `Called the tool ${name}.`,
  failed: 'This reply failed.',
  page: (page: number) => `page ${page}`,
  tooLong: (n: string) => `Only the newest ${n} messages are included.`,
};
