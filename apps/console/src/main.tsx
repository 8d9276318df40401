import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { queryClient } from './api/query-client.ts';
import { hrefOf } from './app/addresses.ts';
import { AppFormats } from './app/app-formats.tsx';
import { applyFormats } from './app/formats.ts';
import { startLanguage } from './app/language.ts';
import { keepShell } from './app/offline-shell.ts';
import { applyTheme } from './app/theme.ts';
import { allowEmptyHtml } from './app/trusted-types.ts';
import { router } from './router.tsx';
import './styles.css';

allowEmptyHtml();
applyTheme();
applyFormats();
// The first page is loaded first.
addEventListener('load', keepShell);

const render = () =>
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AriaRouterProvider navigate={(to) => void router.navigate({ to })} useHref={hrefOf}>
          <AppFormats>
            <RouterProvider router={router} />
          </AppFormats>
        </AriaRouterProvider>
      </QueryClientProvider>
    </StrictMode>,
  );

const loading = startLanguage();
if (loading === null) render();
else {
  // The session and the first page are loaded at the same time as the texts.
  void router.load();
  void loading.then(render);
}
