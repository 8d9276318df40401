import type { Query } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { BASE_PATH } from './app/addresses.ts';
import { queryClient } from './api/query-client.ts';
import { refuseUncheckedSearch } from './app/checked-search.ts';
import { ErrorPage } from './app/error-pages.tsx';
import { adminRoute, rootRoute, signedInRoute } from './app/root-route.tsx';
import { accountRoutes } from './pages/account/routes.tsx';
import { adminRoutes } from './pages/admin/routes.tsx';
import { botRoutes } from './pages/bots/routes.tsx';
import { chatRoutes } from './pages/chat/routes.tsx';
import { entryRoutes, firstStepRoutes } from './pages/entry/routes.tsx';
import { projectRoute } from './pages/projects/routes.tsx';
import { promptRoutes } from './pages/prompts/routes.tsx';
import { ownSharesRoute, sharedRoute } from './pages/shares/routes.tsx';
import { storeRoutes } from './pages/store/routes.tsx';
import { onSessionChange, currentSession, wasSessionLeft } from './session/session-state.ts';
import { Loading } from './ui/states.tsx';

const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  sharedRoute,
  signedInRoute.addChildren([
    ...firstStepRoutes,
    ...chatRoutes,
    ...botRoutes,
    ...storeRoutes,
    ...accountRoutes,
    ownSharesRoute,
    projectRoute,
    ...promptRoutes,
    adminRoute.addChildren([...adminRoutes]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  // Replaces only the page, so that the navigation stays.
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

refuseUncheckedSearch(Object.values(router.routesById));

const needsSession = () => router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);

/** When a session has ended. */
let readBefore: readonly Query[] = [];

// The session may end in another tab, or on the server.
onSessionChange(() => {
  if (currentSession() !== 'signed-out') return;
  const { pathname, searchStr } = router.state.location;
  const ignoreBlocker = wasSessionLeft();
  readBefore = queryClient.getQueryCache().getAll();
  if (needsSession())
    void router.navigate({ to: '/sign-in', search: ignoreBlocker ? {} : { next: pathname + searchStr, ended: true }, ignoreBlocker });
  if (ignoreBlocker) queryClient.clear();
  else forgetWhatWasRead();
});

/**
 * Cached data of one user must not be shown to the next, who arrives at the sign-in page. A page with unsaved changes asks before it is
 * left, and needs its data until then, unless the user has signed out.
 */
function forgetWhatWasRead(): void {
  if (currentSession() !== 'signed-out' || needsSession()) return;
  for (const query of readBefore) queryClient.getQueryCache().remove(query);
  readBefore = [];
}
router.subscribe('onResolved', forgetWhatWasRead);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
