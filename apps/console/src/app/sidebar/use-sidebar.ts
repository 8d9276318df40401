import { useEffect, useRef, useState } from 'react';

const KEY = 'parlance.navigation';

/** Whether the navigation beside the page is hidden. This browser remembers it. The button that shows it again gets the focus. */
export function useSidebar() {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(KEY) === 'hidden');
  const button = useRef<HTMLButtonElement>(null);
  const hasChanged = useRef(false);
  const toggle = () => {
    hasChanged.current = true;
    setHidden(!isHidden);
  };
  useEffect(() => {
    if (!hasChanged.current) return;
    hasChanged.current = false;
    localStorage.setItem(KEY, isHidden ? 'hidden' : 'shown');
    // The pressed button has disappeared. Its element may keep the focus until the browser paints.
    const focused = document.activeElement;
    if (focused === null || focused === document.body || !focused.checkVisibility()) button.current?.focus();
  }, [isHidden]);
  return { isHidden, toggle, button };
}
