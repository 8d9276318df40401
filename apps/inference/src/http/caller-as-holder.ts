import type { Caller } from '@parlance/http';
import { type Holder, holderOf } from '../domain/conversation-holder.ts';

/** The owner of the caller's conversations: the user, or the published API that a program calls. */
export const holderFor = ({ userId, api }: Caller): Holder => ({ userId, ...(api && { apiId: api.apiId }) });

/** The owner as rows store it. */
export const heldBy = (caller: Caller): string => holderOf(holderFor(caller));

/** Administrators see which hold keeps their own conversation. */
export const isAdmin = ({ groups }: Caller): boolean => groups.includes('Admin');
