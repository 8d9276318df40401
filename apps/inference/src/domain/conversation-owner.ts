/** The published API that a program calls, and the key with which it calls. */
export interface UsedApi {
  readonly apiId: string;
  readonly keyId: string;
}

/**
 * The owner of a conversation: a user, or a user's published API, for which the user pays. An API's conversations are separate from its user's
 * own and from those of other APIs.
 */
export interface ConversationOwner {
  readonly userId: string;
  /** Absent for the user's own conversations. */
  readonly apiId?: string | undefined;
}

/** Whether the item belongs to this owner. */
export const isOwnedBy = (item: { readonly userId: string | null; readonly apiId?: string | undefined }, by: ConversationOwner): boolean =>
  item.userId === by.userId && item.apiId === by.apiId;

/** The owner as one string, as rows store it. IDs have no slash. */
export const ownerKey = ({ userId, apiId }: ConversationOwner): string => (apiId === undefined ? userId : `${userId}/${apiId}`);
