import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance, the reader counts as being at the end. */
const NEAR_PIXELS = 32;

/**
 * Keeps the end of a growing text in view while the reader is there. A reader who scrolls up is left alone until they return to the end.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const follows = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    follows.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const isNear = scrollHeight - scrollTop - clientHeight <= NEAR_PIXELS;
      // Text that grows below the reader does not count as scrolling up.
      if (isNear) follows.current = true;
      else if (scrollTop < lastTop.current - 1) follows.current = false;
      lastTop.current = scrollTop;
      setAtEnd(isNear || follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
      else onScroll();
    });
    observer.observe(content.current);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content, toEnd]);

  return { isAtEnd, toEnd };
}

/** Keeps the visible messages in place when messages are added above them. */
export function useKeepPlace(scroller: RefObject<HTMLElement | null>, firstId: string | undefined): void {
  const before = useRef<{ id: string | undefined; height: number; top: number }>({ id: undefined, height: 0, top: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { id, height, top } = before.current;
    // Browsers with scroll anchoring have already done this.
    if (id !== undefined && id !== firstId && element.scrollTop === top) element.scrollTop = top + element.scrollHeight - height;
    before.current = { id: firstId, height: element.scrollHeight, top: element.scrollTop };
    const keep = () => Object.assign(before.current, { height: element.scrollHeight, top: element.scrollTop });
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [scroller, firstId]);
}
