export {
  type Append,
  type Appended,
  checkAppend,
  type Commit,
  EventStore,
  type Metadata,
  type RecordedEvent,
  type Snapshot,
  StoreClosed,
  type StoredEvent,
  VersionConflict,
} from './event-store.ts';
export { type Executed, execute, type Execution } from './execute.ts';
export { newId } from './new-id.ts';
export { type Fields, NewerEvent, type Upcast, Upcasters } from './upcasting.ts';
