/** The published API that a program calls, and the key with which it calls. */
export interface UsedApi {
  readonly apiId: string;
  readonly keyId: string;
}

/**
 * The one to whom a conversation belongs: a user, or a published API of a user, who pays. The conversations of an API are apart from
 * those of its owner, and from those of other APIs.
 */
export interface Holder {
  readonly userId: string;
  /** Absent for the user's own conversations. */
  readonly apiId?: string | undefined;
}

/** Whether what is held by one belongs to another. */
export const isHeldBy = (held: { readonly userId: string | null; readonly apiId?: string | undefined }, by: Holder): boolean =>
  held.userId === by.userId && held.apiId === by.apiId;

/** Names the holder in rows. IDs have no slash. */
export const holderOf = ({ userId, apiId }: Holder): string => (apiId === undefined ? userId : `${userId}/${apiId}`);
