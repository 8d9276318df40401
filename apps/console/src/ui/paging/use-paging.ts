import { ParlanceError } from '@parlance/client';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Pages of the list that are before this one in the history of the tab. */
    pagesBefore?: number;
  }
}

/**
 * The page token is in the address. Without an earlier page in the history, Previous leads to the first page. Tokens expire, so a
 * bookmarked address may lead to the first page too.
 */
export function usePaging(token: string | undefined, next: string | null | undefined, error: unknown, resetScroll = true) {
  const navigate = useNavigate();
  const router = useRouter();
  const before = useRouterState({ select: ({ location }) => location.state.pagesBefore ?? 0 });
  const open = (to: string | undefined, pagesBefore: number, replace = false) =>
    void navigate({
      to: '.',
      search: ((search: object) => ({ ...search, token: to })) as never,
      state: { pagesBefore },
      replace,
      resetScroll,
    });
  const isRefused = token !== undefined && error instanceof ParlanceError && error.code === 'invalid_next_token';
  useEffect(() => {
    if (isRefused) open(undefined, 0, true);
  });
  return {
    hasPrevious: token !== undefined,
    hasNext: next !== null && next !== undefined,
    onPrevious: () => (before > 0 ? router.history.back() : open(undefined, 0)),
    onNext: () => open(next ?? undefined, before + 1),
  };
}
