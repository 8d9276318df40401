import { useSyncExternalStore } from 'react';

/** Below the width at which the navigation is shown beside the page (`md` in the styles). Paper may be as narrow, but is no phone. */
const NARROW = 'screen and (width < 48rem)';

function subscribe(listener: () => void) {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
