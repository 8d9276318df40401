/** A dialog gives the focus back to the button that opened it in the frame after it has closed. */
const afterDialog = (act: () => void): void => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)));
};

/** Where the button is gone with what was removed, the focus would be lost. */
export const focusAfterDialog = (element: HTMLElement | null): void => afterDialog(() => element?.focus());

/** The keyboard goes on at the content of the page if the button that opened the dialog is gone. */
export const focusContentIfLost = (): void =>
  afterDialog(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
  });
