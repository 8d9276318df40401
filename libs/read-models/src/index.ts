export { add, first, patch, put, remove, update } from './changes.ts';
export {
  BadCursor,
  ChangeRefused,
  CheckpointMoved,
  type Failure,
  NoSuchIndex,
  NotPrepared,
  ProjectionStopped,
  ReadModelBuilding,
  RebuildInterrupted,
  RebuildRunning,
} from './errors.ts';
export {
  type At,
  type ForeignEvent,
  type ForeignProjection,
  foreignProjection,
  type ForeignProjectionSpec,
  type OnError,
  type Outdated,
  type OutdatedRows,
  type Projection,
  projection,
  type ProjectionSpec,
} from './projection.ts';
export type { RowsProgress } from './running/rebuilding/next-rows.ts';
export { newestIncluded } from './running/newest.ts';
export type { ProjectionLag } from './running/lag.ts';
export { Projector, type ProjectorOptions } from './running/projector.ts';
export {
  type Delivery,
  type FollowedTopics,
  type Following,
  type PageLimit,
  type Moment,
  type TopicOrigin,
  type PublishedEvent,
  PublishedEvents,
  Topics,
} from './published.ts';
export {
  type Batch,
  type Cursor,
  type Generation,
  type Page,
  type Parked,
  type Parking,
  type Progress,
  type Query,
  ReadModels,
  type Step,
} from './read-models.ts';
export type { Redriven } from './running/redrive.ts';
export type { Verdict } from './running/verify.ts';
export { type Change, type Row, type Scalar, type Table, table, type TableOwner } from './table.ts';
