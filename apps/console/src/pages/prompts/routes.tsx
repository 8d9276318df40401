import { createRoute } from '@tanstack/react-router';
import { pagedSearch } from '../../app/search-params.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/root-route.tsx';
import { promptsSearch } from './prompts-search.ts';

export const promptRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/prompts',
    validateSearch: promptsSearch,
    component: lazyPage(() => import('./prompts-page.tsx'), 'PromptsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/prompts/$promptId',
    validateSearch: pagedSearch,
    component: lazyPage(() => import('./prompt-page.tsx'), 'PromptPage'),
  }),
] as const;
