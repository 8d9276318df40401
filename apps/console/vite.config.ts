import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The product that `npm run dev` talks to. */
const PRODUCT = 'http://127.0.0.1:8080';

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
  },
  server: { proxy: { '^/(?!app/)': PRODUCT } },
});
