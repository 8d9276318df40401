import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/root-route.tsx';
import { pagedSearch } from '../../app/search-params.ts';
import { takeFragment } from '../../session/fragment.ts';
import { accountPage } from './account-page.ts';
import { usageSearch } from './periods.ts';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account',
    component: accountPage('ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/sessions',
    validateSearch: pagedSearch,
    component: accountPage('SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/usage',
    validateSearch: usageSearch,
    component: accountPage('UsagePage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/tokens',
    validateSearch: pagedSearch,
    component: accountPage('TokensPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/api',
    component: accountPage('ApiPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/tools',
    component: accountPage('ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/memory',
    validateSearch: pagedSearch,
    component: accountPage('MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account/data',
    component: accountPage('DataPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    // The server redirects browsers here after authorization, unless the request had a `return_to`.
    path: '/tool-connections',
    beforeLoad: ({ preload }) => {
      if (!preload) takeFragment();
    },
    component: accountPage('ToolCallbackPage'),
  }),
] as const;
