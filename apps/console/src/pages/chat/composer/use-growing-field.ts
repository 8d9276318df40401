import { type RefObject, useLayoutEffect } from 'react';

/**
 * With `field-sizing`, the browser grows the field itself, without the layout of the whole page that measuring costs for each character.
 */
const isSizedByContent = () => CSS.supports('field-sizing', 'content');

/** Makes a field as high as its text. Its style sets the maximum. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || isSizedByContent()) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
