/** A dialog returns the focus to the button that opened it in the frame after it has closed. */
const afterDialog = (act: () => void): void => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)));
};

/** Moves the focus if the button has disappeared with the removed item: otherwise the focus would be lost. */
export const focusAfterDialog = (element: HTMLElement | null): void => afterDialog(() => element?.focus());

/** Moves the focus to the page's content if the button that opened the dialog has disappeared. */
export const focusContentIfLost = (): void =>
  afterDialog(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
  });
