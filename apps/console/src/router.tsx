import { createRouter } from '@tanstack/react-router';
import { BASE_PATH } from './app/addresses.ts';
import { refuseUncheckedSearch } from './app/checked-search.ts';
import { ErrorPage } from './app/error-pages.tsx';
import { adminRoute, rootRoute, signedInRoute } from './app/root-route.tsx';
import { accountRoutes } from './pages/account/routes.tsx';
import { adminRoutes } from './pages/admin/routes.tsx';
import { botRoutes } from './pages/bots/routes.tsx';
import { chatRoutes } from './pages/chat/routes.tsx';
import { entryRoutes, firstStepRoutes } from './pages/entry/routes.tsx';
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
    adminRoute.addChildren([...adminRoutes]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  // In the place of the page alone, so that the navigation stays.
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

refuseUncheckedSearch(Object.values(router.routesById));

// The session may end in another tab, or on the server.
onSessionChange(() => {
  const { pathname, searchStr } = router.state.location;
  const needsSession = router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);
  if (currentSession() === 'signed-out' && needsSession) {
    void router.navigate({ to: '/sign-in', search: wasSessionLeft() ? {} : { next: pathname + searchStr } });
  }
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
