import { memory } from './en/memory.ts';
import { hookOf } from './index.ts';

/** Loaded with the page of the memory, and with the first reply that has added an entry. */
export const useMemoryMessages = hookOf('memory', memory);
