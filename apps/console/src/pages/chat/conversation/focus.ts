export const COMPOSER_ID = 'composer';

/** Focuses the message field, but only where there is a keyboard: on a phone it would open the on-screen keyboard. */
export function focusComposer(otherwise: HTMLElement | null): void {
  const target = matchMedia('(pointer: fine)').matches ? document.getElementById(COMPOSER_ID) : otherwise;
  target?.focus({ preventScroll: true });
}

/** Whether the element that had the focus has disappeared. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Moves the focus if the pressed button has disappeared with the reply that was replaced. */
export function focusIfLost(otherwise: HTMLElement | null): void {
  if (isFocusLost()) focusComposer(otherwise);
}
