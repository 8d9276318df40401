/** Thrown by `apply` if another process wrote the progress record first. Read the record again and continue from there. */
export class CheckpointMoved extends Error {
  constructor(readonly projection: string) {
    super(`projection ${projection} was advanced by another writer`);
    this.name = 'CheckpointMoved';
  }
}

/**
 * Thrown by `apply` for a change that is impossible: a sum that is not exact, a sum on a field that is not a whole number, an object in an
 * indexed field, a field with a forbidden name, an `update` that throws, or a table of another projection.
 */
export class ChangeRefused extends Error {
  constructor(
    readonly table: string,
    readonly key: string,
    why: string,
    options?: ErrorOptions,
  ) {
    super(`${table}/${key} can't be changed: ${why}`, options);
    this.name = 'ChangeRefused';
  }
}

/** Thrown by `find` if the table has no such index, or the query is not a prefix and a range of it. */
export class NoSuchIndex extends Error {
  constructor(table: string, index: string, why: string) {
    super(`index ${index} of ${table} can't answer this: ${why}`);
    this.name = 'NoSuchIndex';
  }
}

/** Thrown by `find` for a cursor that no page of this query returned. Clients send cursors, so this is the client's error. */
export class BadCursor extends Error {
  constructor() {
    super('the cursor belongs to another query');
    this.name = 'BadCursor';
  }
}

/** Thrown for a table, projection or partition that has no record. */
export class NotPrepared extends Error {
  constructor(name: string) {
    super(`${name} was never prepared`);
    this.name = 'NotPrepared';
  }
}

/** Thrown by queries while the rows of a new version are being built. Retry shortly. */
export class ReadModelBuilding extends Error {
  constructor(
    readonly projection: string,
    /** From 0 to 1. */
    readonly progress: number,
  ) {
    super(`read model ${projection} is being built: ${Math.floor(progress * 100)} %`);
    this.name = 'ReadModelBuilding';
  }
}

/** Thrown by `rebuild` while this read model is already being rebuilt, perhaps by another process. */
export class RebuildRunning extends Error {
  constructor(readonly projection: string) {
    super(`read model ${projection} is already being rebuilt`);
    this.name = 'RebuildRunning';
  }
}

/** Thrown by `rebuild` when the process stops. The next process continues the rebuild. */
export class RebuildInterrupted extends Error {
  constructor(readonly projection: string) {
    super(`the rebuild of read model ${projection} was interrupted, and continues when the service runs`);
    this.name = 'RebuildInterrupted';
  }
}

/** Thrown to the broker by the handler of a stopped projection. The event must be delivered again later. */
export class ProjectionStopped extends Error {
  constructor(
    readonly projection: string,
    readonly reason: string,
  ) {
    super(`projection ${projection} has stopped: ${reason}`);
    this.name = 'ProjectionStopped';
  }
}

export interface Failure {
  /** Null if the log or the read models are unavailable. */
  readonly projection: string | null;
  readonly error: unknown;
  /** False if the work will be retried. */
  readonly stopped: boolean;
}
