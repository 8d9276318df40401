import { chosenTranslation } from '../../messages/index.ts';

/** What a keyboard shortcut does anywhere in the console. */
export type Shortcut = 'palette' | 'shortcuts' | 'navigation' | 'new-chat' | 'field';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * The shortcut of the pressed keys. Each has a modifier, so that speech input and typing do not trigger it (WCAG 2.1.4). With AltGr, which
 * browsers report as Ctrl+Alt, users type characters.
 */
export function shortcutOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): Shortcut | null {
  if (altKey) return null;
  if (!ctrlKey && !metaKey) return key === 'Escape' && shiftKey ? 'field' : null;
  // On some keyboards, the slash needs Shift.
  if (key === '/') return 'shortcuts';
  const letter = key.toLowerCase();
  if (letter === 'o' && shiftKey) return 'new-chat';
  if (shiftKey) return null;
  if (letter === 'k') return 'palette';
  return letter === 'b' ? 'navigation' : null;
}

/** Whether the modifier of this system's shortcuts is ⌘. */
export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** The name of the key Ctrl for buttons. The list of shortcuts has the names of the others, and is loaded later in English. */
export const controlKey = (): string => chosenTranslation()?.shortcuts.keys.control ?? 'Ctrl';
