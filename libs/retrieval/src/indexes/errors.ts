import type { IndexName } from './knowledge-indexes.ts';

const shown = ({ botId, generation }: IndexName): string => `${botId}/${generation}`;

/** Thrown by every method for a name that cannot be an index's name. The program makes the names, so this is a programming error. */
export class BadIndexName extends Error {
  constructor(name: IndexName) {
    super(`${JSON.stringify(shown(name))} is not a valid index name`);
    this.name = 'BadIndexName';
  }
}

/** Thrown if there is no finished index with the name: it was never finished, or has been removed. */
export class IndexMissing extends Error {
  constructor(name: IndexName) {
    super(`there is no finished index ${shown(name)}`);
    this.name = 'IndexMissing';
  }
}

/** Thrown by methods that read a finished index whose content cannot be read. A new index, read from the sources again, replaces it. */
export class IndexDamaged extends Error {
  constructor(name: IndexName, cause?: unknown) {
    super(`the index ${shown(name)} is damaged`, { cause });
    this.name = 'IndexDamaged';
  }
}

/** Thrown by `build` if the index is already finished. After a restart, a run learns from `describe` that its index is done. */
export class IndexFinished extends Error {
  constructor(name: IndexName) {
    super(`the index ${shown(name)} is finished already`);
    this.name = 'IndexFinished';
  }
}

/** Thrown by a builder if its index was taken over by another build, removed, abandoned or finished. */
export class BuildLost extends Error {
  constructor(name: IndexName) {
    super(`this build of the index ${shown(name)} has ended or was replaced`);
    this.name = 'BuildLost';
  }
}

/** Thrown by `copy` for the index of another bot. */
export class ForeignIndex extends Error {
  constructor(name: IndexName, from: IndexName) {
    super(`${shown(from)} is of another bot than ${shown(name)}`);
    this.name = 'ForeignIndex';
  }
}

/** Thrown if a vector does not fit the index: wrong length, not finite, missing, or from another model. */
export class WrongDimensions extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'WrongDimensions';
  }
}

/** Thrown by `add` for a chunk or a source that exceeds a limit, or for a chunk of another source. */
export class BadChunk extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'BadChunk';
  }
}

/** Thrown by `add` if the index already has a chunk with the id. */
export class DuplicateChunk extends Error {
  constructor(id: string) {
    super(`the index has a chunk ${JSON.stringify(id)} already`);
    this.name = 'DuplicateChunk';
  }
}

/** Thrown if an adapter cannot be opened because its optional native part is not installed. The message names the remedy. */
export class AdapterUnavailable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'AdapterUnavailable';
  }
}
