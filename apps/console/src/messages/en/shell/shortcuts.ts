/** Texts of the list of keyboard shortcuts. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc' },
  everywhere: 'On every page',
  palette: 'Search, and run commands',
  newChat: 'Start a new chat',
  navigation: 'Hide or show the navigation',
  field: 'Go to the field for a message',
  list: 'Show this list',
  inMessage: 'While writing a message',
  send: 'Send it',
  newLine: 'Start a new line',
  bot: 'Choose a bot',
  prompt: 'Insert a prompt, at the beginning of a line',
};
