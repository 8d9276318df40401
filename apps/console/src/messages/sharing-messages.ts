import { sharing } from './en/sharing.ts';
import { hookOf } from './index.ts';

/** Loaded with the first page or dialog for shared chats. */
export const useSharingMessages = hookOf('sharing', sharing);
export type SharingMessages = typeof sharing;
