import type { Conversation } from '@parlance/client/types';
import { merged, type Messages } from './message-tree.ts';

/** A conversation with its loaded messages, and the token of the preceding page. */
export type LoadedConversation = Omit<Conversation, 'message_map'> & { readonly messages: Messages };

/** Keeps older loaded messages if there is no gap between them and the newest page. */
export function withKnown({ message_map, ...its }: Conversation, known: LoadedConversation | undefined): LoadedConversation {
  const isJoined =
    known !== undefined && (its.next_token === null || Object.keys(message_map).some((id) => known.messages[id] !== undefined));
  if (!isJoined) return { ...its, messages: message_map };
  const hasOlder = its.next_token !== null && Object.keys(known.messages).some((id) => message_map[id] === undefined);
  return { ...its, messages: merged(known.messages, message_map), next_token: hasOlder ? known.next_token : its.next_token };
}
