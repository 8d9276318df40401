import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** Scrolls an overflowing list of links to the link of the open page. */
export function useCurrentInView(list: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    void list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [list, path]);
}
