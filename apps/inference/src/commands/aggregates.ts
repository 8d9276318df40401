import { aggregate, singleAggregate } from '@parlance/foundation';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { ConversationCommand } from '../domain/conversation-commands.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { Conversation } from '../domain/conversation-state.ts';
import { modelPrices, modelPricesStream } from '../domain/model-prices.ts';
import { restatements, RESTATEMENTS_STREAM } from '../domain/restatement/restatement.ts';
import { toolConnection, toolConnectionStream } from '../domain/tool-connection.ts';

/** `Submit` is the command `SubmitMessage`. */
type OtherCommand = Exclude<ConversationCommand, { type: 'Submit' }>;

export const ExecuteConversation = aggregate<OtherCommand, ConversationEvent, Conversation>(
  'ExecuteConversation',
  conversation,
  conversationStream,
);

export const ExecuteModelPrices = aggregate('ExecuteModelPrices', modelPrices, modelPricesStream);

export const ExecuteRestatements = singleAggregate('ExecuteRestatements', restatements, RESTATEMENTS_STREAM);

export const ExecuteToolConnection = aggregate('ExecuteToolConnection', toolConnection, toolConnectionStream);
