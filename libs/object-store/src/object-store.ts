import type { Readable } from 'node:stream';

export interface StoredObject {
  readonly size: number;
  readonly contentType: string;
  /** Changes whenever the content does. It has no other meaning. */
  readonly etag: string;
}

export interface OpenObject extends StoredObject {
  /** To be read to its end or destroyed: it holds a file or a connection. */
  readonly body: Readable;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** When its last put was stored, by the clock of the store. S3 has whole seconds. */
  readonly modified: Date;
}

export interface PutOptions {
  readonly contentType: string;
  /** The expected size of the body, if known. Another size rejects with `WrongSize` and stores nothing. */
  readonly size?: number;
  readonly ifAbsent?: boolean;
}

export interface SignedUpload {
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent as they are, else the upload is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignedDownload {
  readonly url: string;
  readonly method: 'GET';
}

export interface UploadGrant {
  readonly contentType: string;
  readonly expiresAt: Date;
  /** Enforced by the file store. S3 can't bind a PUT to a size range: there, `stat` what was uploaded before taking it over. */
  readonly maxBytes?: number;
  /** As for a download. S3 can't check it: there, an upload is possible until the address expires. */
  readonly issuedTo: string | null;
}

export interface DownloadGrant {
  readonly expiresAt: Date;
  /** The session or token that asks: whoever serves the address refuses it once that has ended. Null for none. */
  readonly issuedTo: string | null;
  /** The name it is saved under; the key's last part otherwise. */
  readonly fileName?: string;
}

/** Thrown by every method with a key or prefix that is invalid; see `assertKey`. The program makes the keys, so this is a programming error. */
export class BadKey extends Error {
  constructor(readonly key: string) {
    super(`${JSON.stringify(key)} is no object key`);
    this.name = 'BadKey';
  }
}

/** Thrown by `put` and `signedUpload` when the content type isn't one (`type/subtype`, printable ASCII, at most 200 characters). */
export class BadContentType extends Error {
  constructor(readonly contentType: string) {
    super(`${JSON.stringify(contentType)} is no content type`);
    this.name = 'BadContentType';
  }
}

/** Thrown by `put` when the body turned out to have another size than was announced. Nothing was stored. */
export class WrongSize extends Error {
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`the body has ${actual} bytes, not ${expected}`);
    this.name = 'WrongSize';
  }
}

/** Thrown on reading an object whose file was cut or written by something else. */
export class DamagedObject extends Error {
  constructor(path: string) {
    super(`${path} is damaged, or no object`);
    this.name = 'DamagedObject';
  }
}

/**
 * Files under keys. A put is durable when it resolves, and visible whole or not at all: readers have the old object or the
 * new one, with the type that belongs to it. What one put or remove acknowledged, the next read sees.
 */
export abstract class ObjectStore {
  /** Resolves with false only with `ifAbsent`, if the key already has an object. Of concurrent calls, one gets true. */
  abstract put(key: string, body: Uint8Array | Readable, options: PutOptions): Promise<boolean>;
  abstract get(key: string): Promise<OpenObject | null>;
  abstract stat(key: string): Promise<StoredObject | null>;
  /** Resolves also when there is nothing to remove. */
  abstract remove(key: string): Promise<void>;
  /** The objects whose keys begin with a prefix, in the order of their keys' bytes; less than `limit` of them only at the end. */
  abstract list(prefix: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly ListedObject[]>;
  /** An address that takes one object by PUT without credentials. Rejects with a RangeError when it would live more than a week. */
  abstract signedUpload(key: string, grant: UploadGrant): Promise<SignedUpload>;
  /** An address of ours that gives the object, as a download, without credentials. Rejects with a RangeError when it would live more than a week. */
  abstract signedDownload(key: string, grant: DownloadGrant): Promise<SignedDownload>;
  /**
   * The store's own address of the object, for the minute in which a client follows a redirect. Nobody checks it again, so it is made only for an
   * address that has been checked. Null for a store that clients do not reach.
   */
  abstract directDownload(key: string, fileName?: string): Promise<string | null>;
  abstract close(): Promise<void>;
}
