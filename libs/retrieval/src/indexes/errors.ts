import type { IndexName } from './knowledge-indexes.ts';

const shown = ({ botId, generation }: IndexName): string => `${botId}/${generation}`;

/** Thrown by every method with a name that can't be the name of an index. The program makes the names, so this is a programming error. */
export class BadIndexName extends Error {
  constructor(name: IndexName) {
    super(`${JSON.stringify(shown(name))} is no name of an index`);
    this.name = 'BadIndexName';
  }
}

/** Thrown when there is no finished index of the name: it was never finished, or it is removed. */
export class IndexMissing extends Error {
  constructor(name: IndexName) {
    super(`there is no finished index ${shown(name)}`);
    this.name = 'IndexMissing';
  }
}

/** Thrown by `build` when the index is finished already. After a restart, `describe` tells a run that its index is done. */
export class IndexFinished extends Error {
  constructor(name: IndexName) {
    super(`the index ${shown(name)} is finished already`);
    this.name = 'IndexFinished';
  }
}

/** Thrown by a builder when its index was taken over by another build, removed, abandoned or finished. */
export class BuildLost extends Error {
  constructor(name: IndexName) {
    super(`this build of the index ${shown(name)} has ended or was replaced`);
    this.name = 'BuildLost';
  }
}

/** Thrown by `copy` from the index of another bot. */
export class ForeignIndex extends Error {
  constructor(name: IndexName, from: IndexName) {
    super(`${shown(from)} is of another bot than ${shown(name)}`);
    this.name = 'ForeignIndex';
  }
}

/** Thrown when a vector doesn't fit the index: another length, not finite, missing, or of another model. */
export class WrongDimensions extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'WrongDimensions';
  }
}

/** Thrown by `add` for a chunk or a source that is beyond a limit, or for a chunk of another source. */
export class BadChunk extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'BadChunk';
  }
}

/** Thrown by `add` for an id of a chunk that the index has. */
export class DuplicateChunk extends Error {
  constructor(id: string) {
    super(`the index has a chunk ${JSON.stringify(id)} already`);
    this.name = 'DuplicateChunk';
  }
}

/** Thrown when an adapter can't be opened because its optional native part isn't installed. The message names the remedy. */
export class AdapterUnavailable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'AdapterUnavailable';
  }
}
