import { unsaved } from './en/unsaved.ts';
import { hookOf } from './index.ts';

/** Loaded with the first form whose changes can be lost. */
export const useUnsavedMessages = hookOf('unsaved', unsaved);
