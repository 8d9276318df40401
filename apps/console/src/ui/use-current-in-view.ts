import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** Scrolls a list of links to that of the open page, where the list is longer than its place. */
export function useCurrentInView(list: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    void list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [list, path]);
}
