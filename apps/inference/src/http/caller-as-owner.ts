import type { Caller } from '@parlance/http';
import { type ConversationOwner, ownerKey } from '../domain/conversation-owner.ts';

/** The owner of the caller's conversations: the user, or the published API that a program calls. */
export const ownerOf = ({ userId, api }: Caller): ConversationOwner => ({ userId, ...(api && { apiId: api.apiId }) });

/** The owner as rows store it. */
export const ownerKeyOf = (caller: Caller): string => ownerKey(ownerOf(caller));

/** Administrators see which hold keeps their own conversation. */
export const isAdmin = ({ groups }: Caller): boolean => groups.includes('Admin');
