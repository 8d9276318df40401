import { aggregate, singleAggregate } from '../bus.ts';
import { callRecord, callRecordStream } from '../domain/calls/call-record.ts';
import { catalogue, CATALOGUE_STREAM } from '../domain/catalogue/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { ConversationCommand } from '../domain/conversation-commands.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { Conversation } from '../domain/conversation-state.ts';
import { gatewayBatch, gatewayBatchStream } from '../domain/gateway/gateway-batch.ts';
import { gatewayFiles, gatewayFilesStream } from '../domain/gateway/gateway-files.ts';
import { openBatches, openBatchesStream } from '../domain/gateway/open-batches.ts';
import { heldSubject, heldSubjectStream } from '../domain/holds/held-subject.ts';
import { memory, memoryStream } from '../domain/memory/memory.ts';
import { modelCheck, modelCheckStream } from '../domain/checks/model-check.ts';
import { modelPrices, modelPricesStream } from '../domain/model-prices.ts';
import { ownExport, ownExportStream } from '../domain/own-data/own-export.ts';
import { projects, projectsStream } from '../domain/projects/projects.ts';
import { storedResponse, storedResponseStream } from '../domain/responses/stored-response.ts';
import { restatements, RESTATEMENTS_STREAM } from '../domain/restatement/restatement.ts';
import { retention, RETENTION_STREAM } from '../domain/retention/retention.ts';
import { shares, sharesStream } from '../domain/shares/shares.ts';
import { toolConnection, toolConnectionStream } from '../domain/tool-connection.ts';

/** `Submit` is left out: it has its own command, `SubmitMessage`. */
type OtherCommand = Exclude<ConversationCommand, { type: 'Submit' }>;

export const ExecuteConversation = aggregate<OtherCommand, ConversationEvent, Conversation>(
  'ExecuteConversation',
  conversation,
  conversationStream,
);

/** Keyed by `callRecordId`. */
export const ExecuteCallRecord = aggregate('ExecuteCallRecord', callRecord, callRecordStream);

export const ExecuteCatalogue = singleAggregate('ExecuteCatalogue', catalogue, CATALOGUE_STREAM);

export const ExecuteGatewayBatch = aggregate('ExecuteGatewayBatch', gatewayBatch, gatewayBatchStream);

/** Keyed by the user's ID. */
export const ExecuteGatewayFiles = aggregate('ExecuteGatewayFiles', gatewayFiles, gatewayFilesStream);

/** Keyed by `heldSubjectId`. */
export const ExecuteHeldSubject = aggregate('ExecuteHeldSubject', heldSubject, heldSubjectStream);

/** Keyed by the user's ID. */
export const ExecuteMemory = aggregate('ExecuteMemory', memory, memoryStream);

export const ExecuteModelCheck = aggregate('ExecuteModelCheck', modelCheck, modelCheckStream);

export const ExecuteModelPrices = aggregate('ExecuteModelPrices', modelPrices, modelPricesStream);

/** Keyed by the user's ID. */
export const ExecuteOpenBatches = aggregate('ExecuteOpenBatches', openBatches, openBatchesStream);

/** Keyed by the user's ID. */
export const ExecuteOwnExport = aggregate('ExecuteOwnExport', ownExport, ownExportStream);

/** Keyed by the ID of the owner. */
export const ExecuteProjects = aggregate('ExecuteProjects', projects, projectsStream);

export const ExecuteRestatements = singleAggregate('ExecuteRestatements', restatements, RESTATEMENTS_STREAM);

export const ExecuteRetention = singleAggregate('ExecuteRetention', retention, RETENTION_STREAM);

/** Keyed by the user's ID. */
export const ExecuteShares = aggregate('ExecuteShares', shares, sharesStream);

export const ExecuteStoredResponse = aggregate('ExecuteStoredResponse', storedResponse, storedResponseStream);

export const ExecuteToolConnection = aggregate('ExecuteToolConnection', toolConnection, toolConnectionStream);
