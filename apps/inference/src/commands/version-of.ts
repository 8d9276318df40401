import { Streams } from '@parlance/foundation';
import { queryWith } from '../bus.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';

/** The version of a conversation, for its ETag. The cost does not depend on the conversation's length. */
export const VersionOf = queryWith('VersionOf', [Streams], async ([streams], conversationId: string): Promise<number> => {
  return (await streams.look(conversation, conversationStream(conversationId))).version;
});
