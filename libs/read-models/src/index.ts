export { type Build, Builds } from './builds.ts';
export { add, patch, put, remove, update } from './changes.ts';
export type { Comparison } from './compare.ts';
export { BadCursor, BuildLost, ChangeRefused, CheckpointMoved, Held, NoSuchIndex, NotPrepared, OtherVersion } from './errors.ts';
export { type Failure, NotYetIncluded } from './follower.ts';
export { applyForeign, applyOnce } from './foreign.ts';
export {
  type At,
  type ForeignEvent,
  type ForeignProjection,
  foreignProjection,
  type ForeignProjectionSpec,
  type Projection,
  projection,
  type ProjectionSpec,
} from './projection.ts';
export { type ForeignSource, type ProjectionLag, Projector, type ProjectorOptions } from './projector.ts';
export {
  type Batch,
  type Change,
  type Cursor,
  type Page,
  type Query,
  ReadModels,
  type Row,
  type Scalar,
  type Table,
  table,
  type TableOwner,
} from './read-models.ts';
export type { Replay } from './rebuild.ts';
export { ProjectionStopped } from './runner.ts';
