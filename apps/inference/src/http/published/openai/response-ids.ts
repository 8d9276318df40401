import { refuse } from '@parlance/decider';

/** The IDs of a reply and its conversation. Both are ULIDs. */
export interface ReplyAddress {
  readonly conversationId: string;
  readonly replyId: string;
}

const FORM = /^resp_([0-7][0-9A-HJKMNP-TV-Z]{25})([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The ID of a response includes its conversation's ID, so no index is needed to find it. */
export const responseIdOf = ({ conversationId, replyId }: ReplyAddress): string => `resp_${conversationId}${replyId}`;

/** Throws the refusal with this code (missing) for an ID that this API did not issue. */
export function replyAddressIn(id: string, code: 'response_not_found' | 'previous_response_not_found'): ReplyAddress {
  const [, conversationId, replyId] = FORM.exec(id) ?? [];
  if (conversationId === undefined || replyId === undefined) throw responseNotFound(code);
  return { conversationId, replyId };
}

export const responseNotFound = (code: 'response_not_found' | 'previous_response_not_found') =>
  refuse('missing', code, 'There is no such response of this API. Send the ID of one of its answers.');
