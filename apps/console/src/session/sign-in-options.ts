import type { Parlance } from '@parlance/client';

/** How users sign in and up. It changes only with the configuration of the server. */
export const signInOptionsQuery = ({ open }: Parlance) => ({
  queryKey: ['sign-in-options'],
  queryFn: () => open.get('/auth/options'),
  staleTime: Infinity,
});
