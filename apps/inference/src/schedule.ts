import { every, MINUTE, type Schedule, SECOND } from '@parlance/foundation';
import { BorrowedBlocks } from './adapters/borrowed-blocks.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from './policies/delete-temporary-conversations-when-their-time-is-over.ts';
import { EndOwnExportsWhenTheyExpire } from './policies/end-own-exports-when-they-expire.ts';
import { EndSharesWhenTheyExpire } from './policies/end-shares-when-they-expire.ts';
import { FinishDeletionWhenItBrokeOff } from './policies/finish-deletion-when-it-broke-off.ts';
import { FinishRemovalOfFilesWhenItBrokeOff } from './policies/finish-removal-of-files-when-it-broke-off.ts';
import { RemoveFilesThatNoMessageHas } from './policies/remove-files-that-no-message-has.ts';
import { RemoveBatchesWhenTheirTimeIsOver } from './policies/remove-batches-when-their-time-is-over.ts';
import { RemoveFilesOfCallsWhenTheyExpire } from './policies/remove-files-of-calls-when-they-expire.ts';
import { AnswerCache } from './workflows/calls/cache/answer-cache.ts';
import { CallLimits } from './workflows/calls/call-limits.ts';
import { RecordedCalls } from './workflows/calls/recorded-calls.ts';
import { CatalogueReader } from './workflows/catalogue/catalogue-reader.ts';
import { CallRecorder, RENEW_MILLIS } from './workflows/calls/call-recorder.ts';
import { EVERY_MILLIS, RenewLeasesWhileRepliesAreWritten } from './workflows/claiming/renew-leases-while-replies-are-written.ts';
import { ReplyScheduler } from './workflows/claiming/reply-scheduler.ts';
import { RunningBatches } from './workflows/gateway/running-batches.ts';
import { RemovedPublications } from './workflows/holds/removed-publications.ts';
import { WritingOwnExports } from './workflows/own-data/writing-own-exports.ts';
import { Restating } from './workflows/restatement/restating.ts';
import { RetentionRounds } from './workflows/retention/retention-rounds.ts';

export const schedule: Schedule = [
  // Other processes change the catalogue too.
  every(SECOND, 'read the catalogue', CatalogueReader, (reader) => reader.refresh(), { rests: () => true }),
  // Every accepted message gets its reply: a reply is taken over when the lease of its worker has ended.
  every(SECOND, 'take over replies', ReplyScheduler, (replies) => replies.takePending(), { rests: (replies) => replies.owesNone }),
  // Not awaited, because a slow renewal must not delay the others.
  every(EVERY_MILLIS, 'renew leases', RenewLeasesWhileRepliesAreWritten, (policy) => void policy.check(), {
    rests: (policy) => policy.hasNone,
  }),
  // Other processes can then use the unused blocks that this process has borrowed.
  every(SECOND, 'give back blocks of budgets', BorrowedBlocks, (blocks) => blocks.giveBack(), {
    stop: (blocks) => blocks.stop(),
    rests: (blocks) => blocks.size === 0,
  }),
  every(RENEW_MILLIS, 'renew calls of models', CallRecorder, (recorder) => recorder.renew(), {
    rests: (recorder) => recorder.hasNoOpenCalls,
  }),
  every(RENEW_MILLIS, 'renew limits of tokens', CallLimits, (limits) => limits.renew(), { rests: (limits) => limits.isIdle }),
  // The charges of a lost process are not known until then.
  every(5 * SECOND, 'settle calls of lost processes', CallRecorder, (recorder) => recorder.settleLost(), { rests: () => true }),
  every(10 * SECOND, 'remove expired answers of models', AnswerCache, (cache) => cache.removeExpired(), {
    rests: (cache) => cache.isEmpty,
  }),
  every(10 * MINUTE, 'remove old calls from lists', RecordedCalls, (calls) => calls.removeOld(), { rests: () => true }),
  every(SECOND, 'restate costs', Restating, (restating) => restating.continueRunning(), {
    stop: (restating) => restating.stop(),
    rests: () => true,
  }),
  every(2 * SECOND, 'write exports of own data', WritingOwnExports, (writing) => writing.writeWaiting(), {
    stop: (writing) => writing.stop(),
    rests: () => true,
  }),
  every(SECOND, 'run batches', RunningBatches, (batches) => batches.takeWaiting(), {
    stop: (batches) => batches.stop(),
    rests: () => true,
  }),
  every(MINUTE, 'remove old batches', RemoveBatchesWhenTheirTimeIsOver, (policy) => policy.remove()),
  every(MINUTE, 'remove results of batches that have ended', RemoveBatchesWhenTheirTimeIsOver, (policy) => policy.sweep()),
  every(5 * SECOND, 'finish deletions of conversations', FinishDeletionWhenItBrokeOff, (policy) => policy.finish()),
  every(10 * SECOND, 'finish removals of files', FinishRemovalOfFilesWhenItBrokeOff, (policy) => policy.finish()),
  every(10 * SECOND, 'delete temporary conversations', DeleteTemporaryConversationsWhenTheirTimeIsOver, (policy) => policy.delete()),
  every(10 * SECOND, 'end expired shares', EndSharesWhenTheyExpire, (policy) => policy.end()),
  every(10 * SECOND, 'end exports of own data', EndOwnExportsWhenTheyExpire, (policy) => policy.end()),
  every(MINUTE, 'remove files without an export', EndOwnExportsWhenTheyExpire, (policy) => policy.sweep()),
  every(10 * SECOND, 'remove expired files of calls', RemoveFilesOfCallsWhenTheyExpire, (policy) => policy.remove()),
  every(MINUTE, 'remove files of interrupted uploads', RemoveFilesOfCallsWhenTheyExpire, (policy) => policy.sweep()),
  every(MINUTE, 'remove files that no message has', RemoveFilesThatNoMessageHas, (policy) => policy.sweep()),
  // Rules count days, so a conversation may stay five minutes longer. A rule for a group reads the lists of all its members.
  every(5 * MINUTE, 'delete conversations by retention rules', RetentionRounds, (rounds) => rounds.deleteInactive()),
  // A hold may have kept conversations of a publication when it was removed.
  every(5 * MINUTE, 'delete conversations of removed publications', RemovedPublications, (removed) => removed.deletePostponed()),
];
