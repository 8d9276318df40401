import type { KeyboardEvent } from 'react';

/** Whether a key sends a message: Enter does, and with Shift it begins a new line. It also ends the choice of a word in Chinese, Japanese and Korean. */
export const sendsMessage = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;
