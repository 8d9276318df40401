import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/root-route.tsx';
import { pagedSearch } from '../../app/search-params.ts';
import { takeFragment } from '../../session/fragment.ts';
import { usageSearch } from './periods.ts';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account',
    component: lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/sessions',
    validateSearch: pagedSearch,
    component: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/usage',
    validateSearch: usageSearch,
    component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/tokens',
    validateSearch: pagedSearch,
    component: lazyPage(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/tools',
    component: lazyPage(() => import('./tools-page.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/data',
    component: lazyPage(() => import('./data/data-page.tsx'), 'DataPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    // The server redirects browsers here after authorization, unless the request had a `return_to`.
    path: '/tool-connections',
    beforeLoad: ({ preload }) => {
      if (!preload) takeFragment();
    },
    component: lazyPage(() => import('./tool-callback-page.tsx'), 'ToolCallbackPage'),
  }),
] as const;
