export const COMPOSER_ID = 'composer';

/** With a keyboard, the field for the next message. On a phone the field would open the keyboard on the screen. */
export function focusComposer(otherwise: HTMLElement | null): void {
  const target = matchMedia('(pointer: fine)').matches ? document.getElementById(COMPOSER_ID) : otherwise;
  target?.focus({ preventScroll: true });
}

/** The button that was pressed may be gone, with the reply that another one has replaced. */
export function focusIfLost(otherwise: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) focusComposer(otherwise);
}
