/** Thrown by `apply` when somebody else has moved the projection on meanwhile: read the checkpoint again and go on from there. */
export class CheckpointMoved extends Error {
  constructor(readonly projection: string) {
    super(`projection ${projection} was moved on by somebody else`);
    this.name = 'CheckpointMoved';
  }
}

/** Thrown by `apply` while the projection is about to be switched to rebuilt rows: try again shortly. */
export class Held extends Error {
  constructor(readonly projection: string) {
    super(`projection ${projection} is held for a moment, to be switched`);
    this.name = 'Held';
  }
}

/**
 * Thrown by `apply` for a change that can't be carried out whoever tries: a sum past the whole numbers that are exact or on a
 * field that holds none, an object in an indexed field, a field that can't be named, an `update` that throws.
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

/** Thrown by `find` when the table has no such index, or the query asks it for something else than a prefix and a range. */
export class NoSuchIndex extends Error {
  constructor(table: string, index: string, why: string) {
    super(`index ${index} of ${table} can't answer this: ${why}`);
    this.name = 'NoSuchIndex';
  }
}

/** Thrown by `find` for a cursor that no page of this query gave. Cursors pass through clients' hands: this is their mistake. */
export class BadCursor extends Error {
  constructor() {
    super('the cursor belongs to another query');
    this.name = 'BadCursor';
  }
}

/** Thrown by a rebuild whose build is gone because another builder has begun anew. The living rows are as they were. */
export class BuildLost extends Error {
  constructor(projection: string) {
    super(`the rebuild of ${projection} was given up for another one`);
    this.name = 'BuildLost';
  }
}

/** Thrown when a table or projection is named that `prepare` was not told of. */
export class NotPrepared extends Error {
  constructor(what: string) {
    super(`${what} was never prepared`);
    this.name = 'NotPrepared';
  }
}

/**
 * Thrown when the living rows were made by another version of the functions: an older process still runs, or the rebuild
 * has not ended. A delivery must come again, to a process of the right version; a rebuild is for the newest one.
 */
export class OtherVersion extends Error {
  constructor(projection: string, living: number, declared: number) {
    super(`the rows of ${projection} are of version ${living}, this program's functions of version ${declared}`);
    this.name = 'OtherVersion';
  }
}
