import { aggregate, singleAggregate } from '../bus.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { ConversationCommand } from '../domain/conversation-commands.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { Conversation } from '../domain/conversation-state.ts';
import { heldSubject, heldSubjectStream } from '../domain/holds/held-subject.ts';
import { modelCheck, modelCheckStream } from '../domain/checks/model-check.ts';
import { modelPrices, modelPricesStream } from '../domain/model-prices.ts';
import { ownExport, ownExportStream } from '../domain/own-data/own-export.ts';
import { restatements, RESTATEMENTS_STREAM } from '../domain/restatement/restatement.ts';
import { retention, RETENTION_STREAM } from '../domain/retention/retention.ts';
import { shares, sharesStream } from '../domain/shares/shares.ts';
import { toolConnection, toolConnectionStream } from '../domain/tool-connection.ts';

/** `Submit` is the command `SubmitMessage`. */
type OtherCommand = Exclude<ConversationCommand, { type: 'Submit' }>;

export const ExecuteConversation = aggregate<OtherCommand, ConversationEvent, Conversation>(
  'ExecuteConversation',
  conversation,
  conversationStream,
);

/** By the kind and the ID of the subject (`heldSubjectId`). */
export const ExecuteHeldSubject = aggregate('ExecuteHeldSubject', heldSubject, heldSubjectStream);

export const ExecuteModelCheck = aggregate('ExecuteModelCheck', modelCheck, modelCheckStream);

export const ExecuteModelPrices = aggregate('ExecuteModelPrices', modelPrices, modelPricesStream);

/** By the ID of the user. */
export const ExecuteOwnExport = aggregate('ExecuteOwnExport', ownExport, ownExportStream);

export const ExecuteRestatements = singleAggregate('ExecuteRestatements', restatements, RESTATEMENTS_STREAM);

export const ExecuteRetention = singleAggregate('ExecuteRetention', retention, RETENTION_STREAM);

/** By the ID of the user. */
export const ExecuteShares = aggregate('ExecuteShares', shares, sharesStream);

export const ExecuteToolConnection = aggregate('ExecuteToolConnection', toolConnection, toolConnectionStream);
