import { BotCreated, BotDeleted } from './bots.ts';
import { SignedIn, UserRegistered } from './identity.ts';
import { MessageSubmitted, ReplyCompleted, ReplyFailed } from './inference.ts';
import type { PublicEvent } from './public-event.ts';

export { asyncApiDocument } from './async-api.ts';
export type { DataOf, PublicEvent } from './public-event.ts';
export { BotCreated, BotDeleted, MessageSubmitted, ReplyCompleted, ReplyFailed, SignedIn, UserRegistered };

/** Everything that is said in public, for documents and for checks. */
export const publicEvents: readonly PublicEvent[] = [
  UserRegistered,
  SignedIn,
  BotCreated,
  BotDeleted,
  MessageSubmitted,
  ReplyCompleted,
  ReplyFailed,
];
