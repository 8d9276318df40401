import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { rootRoute, signedInRoute } from '../../app/root-route.tsx';
import { pagedSearch } from '../../app/search-params.ts';
import { continueSession } from '../../session/begin-session.ts';
import { keptToken } from './share-link.ts';

/** `/shared#<token>`, for anyone with the link. The address keeps the token, so that the page can be reloaded and bookmarked. */
export const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared',
  beforeLoad: async ({ location: { hash } }) => {
    const token = keptToken(hash);
    if (hash === '' && token !== '') throw redirect({ to: '/shared', hash: token, replace: true });
    await continueSession();
  },
  component: lazyPage(() => import('./shared-page.tsx'), 'SharedPage'),
});

export const ownSharesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/shares',
  validateSearch: pagedSearch,
  component: lazyPage(() => import('./own-shares-page.tsx'), 'OwnSharesPage'),
});
