import { shortcuts } from './en/shell/shortcuts.ts';
import { hookOf } from './index.ts';

/** Loaded with the list of shortcuts, and with Ctrl+K. */
export const useShortcutMessages = hookOf('shortcuts', shortcuts);
