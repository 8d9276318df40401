import { type RefObject, useLayoutEffect } from 'react';

const LONGEST_PIXELS = 280;

/** Makes a field as high as its text, up to a limit. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, LONGEST_PIXELS)}px`;
  }, [field, text]);
}
