export {
  type Append,
  type Appended,
  checkAppend,
  type Commit,
  commitsOf,
  type Earlier,
  EventStore,
  type Metadata,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  type Snapshot,
  StoreClosed,
  type StoredEvent,
  VersionConflict,
} from './event-store.ts';
export { type Executed, execute, type Execution } from './execute.ts';
export { newId } from './new-id.ts';
export { type Fields, NewerEvent, type Upcast, Upcasters } from './upcasting.ts';
