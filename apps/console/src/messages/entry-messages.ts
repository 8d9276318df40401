import { entry } from './en/entry.ts';
import { hookOf } from './index.ts';

/** The texts of signing in and of the first run, loaded with the first of these pages. */
export const useEntryMessages = hookOf('entry', entry);
export type EntryMessages = typeof entry;
