import type { KeyboardEvent } from 'react';

/** Whether a key sends a message: Enter does, but not with Shift, and not while it completes a word in Chinese, Japanese or Korean. */
export const sendsMessage = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;
