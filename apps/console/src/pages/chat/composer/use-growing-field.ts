import { type RefObject, useLayoutEffect } from 'react';

/** The browser does it by `field-sizing`, without the layout of the whole page that measuring takes for each character. */
const isSizedByContent = () => CSS.supports('field-sizing', 'content');

/** Makes a field as high as its text. The style of the field has the limit. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || isSizedByContent()) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
