import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { continueSession, forgetUsers, lacksSecondFactor, mustChangePassword } from '../session/begin-session.ts';
import { takeFragment } from '../session/fragment.ts';
import { isAdmin, meQuery } from '../session/use-me.ts';
import { StepUpHost } from '../second-factor/step-up-host.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { ErrorPage, NoAccess, NotFound } from './error-pages.tsx';
import { followAccount } from './language.ts';
import { Shell } from './shell.tsx';

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <StepUpHost />
      <Toasts />
    </>
  ),
  errorComponent: ErrorPage,
  notFoundComponent: NotFound,
});

/** Routes that need a signed-in user. After signing in, the requested page is opened. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location: { pathname, searchStr }, preload }) => {
    // Secrets after # are removed from the address even if the user is sent to the sign-in page.
    if (!preload && pathname === '/tool-connections') takeFragment();
    const next = pathname + searchStr;
    if (!(await continueSession())) throw redirect({ to: '/sign-in', search: { next } });
    if (mustChangePassword()) throw redirect({ to: '/new-password', search: { next } });
    if (lacksSecondFactor()) throw redirect({ to: '/second-factor', search: { next } });
  },
  loader: async () => {
    const me = await queryClient.ensureQueryData(meQuery);
    forgetUsers(me.user_id);
    await followAccount(me.language);
    return me;
  },
  component: Shell,
  errorComponent: ErrorPage,
  notFoundComponent: NotFound,
});

/** Routes below /admin, for administrators. The server enforces this; here others only see an explanation. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  loader: async () => isAdmin(await queryClient.ensureQueryData(meQuery)),
  component: function Admin() {
    return adminRoute.useLoaderData() ? <Outlet /> : <NoAccess />;
  },
});
