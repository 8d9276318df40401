import { calls } from './en/calls.ts';
import { hookOf } from './index.ts';

/** Loaded with the first page with calls of models. */
export const useCallMessages = hookOf('calls', calls);
export type CallMessages = typeof calls;
