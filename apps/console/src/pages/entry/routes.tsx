import { createRoute, redirect } from '@tanstack/react-router';
import { flagParam } from '../../app/search-params.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { rootRoute, signedInRoute } from '../../app/root-route.tsx';
import { continueSession, lacksSecondFactor, mustChangePassword } from '../../session/begin-session.ts';
import { forgetFragment, takeFragment } from '../../session/fragment.ts';
import { currentSession } from '../../session/session-state.ts';

interface Next {
  readonly next?: string | undefined;
}

/** `next` is a page of this console, never another site. A value omitted here would be taken unchecked from the address. */
const nextPage = ({ next }: Record<string, unknown>): Next => ({
  next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined,
});

interface SignInSearch extends Next {
  /** The code of a failed sign-in with an identity provider. */
  readonly error?: string | undefined;
  /** Whether the session has ended while a page was open. */
  readonly ended?: boolean | undefined;
}

const signInSearch = (search: Record<string, unknown>): SignInSearch => {
  const { error, ended } = search;
  return { ...nextPage(search), error: typeof error === 'string' && /^\w{1,50}$/.test(error) ? error : undefined, ended: flagParam(ended) };
};

/** Secrets after # are removed from the address before the page is loaded. */
const clearAddress = ({ preload }: { readonly preload: boolean }) => {
  if (!preload) takeFragment();
};

export const entryRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: signInSearch,
    // A signed-in user gets here with the Back button.
    beforeLoad: ({ search: { next } }) => {
      if (currentSession() === 'signed-in') throw redirect({ href: next ?? '/', replace: true });
    },
    component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/done',
    validateSearch: nextPage,
    // The tokens after # are not needed, because the response has also set the cookie.
    beforeLoad: ({ search: { next }, preload }) => {
      clearAddress({ preload });
      forgetFragment();
      throw redirect({ href: next ?? '/', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    validateSearch: nextPage,
    component: lazyPage(() => import('./sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/new-password',
    validateSearch: nextPage,
    beforeLoad: async ({ search: { next } }) => {
      if (!(await continueSession())) throw redirect({ to: '/sign-in', search: { next } });
      if (!mustChangePassword()) throw redirect({ href: next ?? '/' });
    },
    component: lazyPage(() => import('./new-password-page.tsx'), 'NewPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/second-factor',
    validateSearch: nextPage,
    beforeLoad: async ({ search: { next } }) => {
      if (!(await continueSession())) throw redirect({ to: '/sign-in', search: { next } });
      if (!lacksSecondFactor()) throw redirect({ href: next ?? '/' });
    },
    component: lazyPage(() => import('./second-factor-page.tsx'), 'SecondFactorPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgotten',
    component: lazyPage(() => import('./forgotten-page.tsx'), 'ForgottenPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset',
    beforeLoad: clearAddress,
    component: lazyPage(() => import('./reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    beforeLoad: clearAddress,
    component: lazyPage(() => import('./invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/verification',
    beforeLoad: clearAddress,
    component: lazyPage(() => import('./verification-page.tsx'), 'VerificationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    // It does not replace the session of a user who is signed in.
    beforeLoad: async ({ preload }) => {
      clearAddress({ preload });
      if (currentSession() !== 'signed-in' && !(await continueSession())) return;
      forgetFragment();
      throw redirect({ to: '/' });
    },
    component: lazyPage(() => import('./first-run/welcome-page.tsx'), 'WelcomePage'),
  }),
] as const;

/** Rendered inside the shell of signed-in users. */
export const firstStepRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/welcome/model',
    component: lazyPage(() => import('./first-run/connect-model-page.tsx'), 'ConnectModelPage'),
  }),
] as const;
