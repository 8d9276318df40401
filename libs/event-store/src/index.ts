export { type Append, type Appended, type Companion, type Earlier, MAX_COMMIT_BYTES, VersionConflict, WriteUnconfirmed } from './append.ts';
export {
  type Commit,
  commitsOf,
  EventStore,
  type Metadata,
  type Page,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  type Snapshot,
  StoreClosed,
  type StoredEvent,
} from './event-store.ts';
export { type Executed, execute, type Execution } from './execute.ts';
export { isOutage } from './mongo/outage.ts';
export { UnsuitableServer } from './mongo/unsuitable-server.ts';
export { firstIdAt, newId, timeOfId } from './new-id.ts';
export { forgetNamesBefore, positionAt } from './pruning.ts';
export { type Known, stateOf, upToDate } from './state.ts';
export { idInStream } from './stream-name.ts';
export { type Fields, NewerEvent, type Upcast, Upcasters } from './upcasting.ts';
