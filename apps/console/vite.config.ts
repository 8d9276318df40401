import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The product that `npm run dev` talks to. */
const PRODUCT = 'http://127.0.0.1:8080';

/** Parts of the chat that several files of it use, or administrators too. Small files of their own would make each chat larger. */
const CHAT_PARTS =
  /\/pages\/chat\/(messages\/(plain-on-error|sources\/(citations|citation-mark))|markdown\/outside-link|conversation\/(message-tree|conversation-query|loaded-conversation|use-models)|list\/(listed-chat|more-chats|chat-row|chat-menu)|live\/[a-z-]+)\.tsx?$/;
/** Icons of the chat that other pages use too. Files of their own would cost more than the icons: a hundred bytes and a request each. */
const CHAT_ICONS =
  /\/lucide-react\/dist\/esm\/icons\/(arrow-down|arrow-up|brain|check|chevron-down|chevron-left|chevron-right|copy|ellipsis|external-link|pencil|refresh-cw|square|tag)\.m?js$/;
/** Less than thirty bytes each, which most pages but the first one use. */
const TINY = /\/(queryOptions|infiniteQueryOptions|longest-timer)\.[jt]s$/;

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ['@parlance/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // The content security policy allows neither inline scripts nor data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'chat-icons', test: CHAT_ICONS, includeDependenciesRecursively: false, priority: 1 },
            // A file of its own for one context would be larger than the context.
            { name: 'chat-icons', test: /\/artifacts\/show-artifact\.ts$/, includeDependenciesRecursively: false, priority: 1 },
            { name: 'chat-parts', test: CHAT_PARTS, includeDependenciesRecursively: false, priority: 1 },
            // Files of their own would be larger than what is in them.
            { name: 'start', test: TINY, includeDependenciesRecursively: false, priority: 1 },
            // All pages need them. Split into several files, they would be three kilobytes larger.
            { name: 'start', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: { proxy: { '^/(?!app/)': PRODUCT } },
});
