/** Texts of the dialog that Ctrl+K opens. */
export const palette = {
  placeholder: 'Pages, actions, chats and bots',
  placeholderOfAdmin: 'Pages, actions, chats, bots and people',
  noMatch: 'Nothing matches.',
  searching: 'Searching …',
  sections: { pages: 'Pages', actions: 'Actions', chats: 'Chats', bots: 'Bots', people: 'People' },
  failed: 'The search failed. Type again to repeat it.',
  newBot: 'New bot',
  lightTheme: 'Use light colours',
  darkTheme: 'Use dark colours',
  systemTheme: 'Use the colours of the system',
};
