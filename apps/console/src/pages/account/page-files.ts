/** The files of the pages. The list is loaded with the first of them, because the first page does not need it. */
export const pageFiles = {
  ProfilePage: () => import('./profile-page.tsx'),
  SessionsPage: () => import('./sessions-page.tsx'),
  UsagePage: () => import('./usage-page.tsx'),
  TokensPage: () => import('./tokens/tokens-page.tsx'),
  ApiPage: () => import('./api/api-page.tsx'),
  ToolsPage: () => import('./tools-page.tsx'),
  MemoryPage: () => import('./memory/memory-page.tsx'),
  DataPage: () => import('./data/data-page.tsx'),
  ToolCallbackPage: () => import('./tool-callback-page.tsx'),
};
