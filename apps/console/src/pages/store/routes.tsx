import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/root-route.tsx';
import { storeSearch } from './store-search.ts';

export const storeRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/store',
    validateSearch: storeSearch,
    component: lazyPage(() => import('./store-page.tsx'), 'StorePage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/store/$botId',
    component: lazyPage(() => import('./bot-page.tsx'), 'BotPage'),
  }),
] as const;
