import type { Readable } from 'node:stream';

export interface StoredObject {
  readonly size: number;
  readonly contentType: string;
  /** Changes whenever the content changes. It has no other meaning. */
  readonly etag: string;
}

export interface OpenObject extends StoredObject {
  /** Read it to its end or destroy it, because it keeps a file or a connection open. */
  readonly body: Readable;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** The time of the last put, by the clock of the store. S3 reports whole seconds. */
  readonly modified: Date;
}

export interface PutOptions {
  readonly contentType: string;
  /** The expected size of the body, if known. If the size differs, `put` rejects with `WrongSize` and stores nothing. */
  readonly size?: number;
  readonly ifAbsent?: boolean;
}

export interface SignedUpload {
  readonly url: string;
  readonly method: 'PUT';
  /** The client must send these headers unchanged, otherwise the upload is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignedDownload {
  readonly url: string;
  readonly method: 'GET';
}

export interface UploadGrant {
  readonly contentType: string;
  readonly expiresAt: Date;
  /** Enforced by the file store. S3 cannot limit the size of a PUT: `stat` an upload there before using it. */
  readonly maxBytes?: number;
  /** As in `DownloadGrant`. S3 cannot check it: an upload there is possible until the address expires. */
  readonly issuedTo: string | null;
}

export interface DownloadGrant {
  readonly expiresAt: Date;
  /** The session or token that requests the address, which is refused once that session or token has ended. Null if there is none. */
  readonly issuedTo: string | null;
  /** The name of the saved file. Default: the last part of the key. */
  readonly fileName?: string;
}

/** Thrown by every method with a key or prefix that is invalid; see `assertKey`. The program makes the keys, so this is a programming error. */
export class BadKey extends Error {
  constructor(readonly key: string) {
    super(`${JSON.stringify(key)} is not an object key`);
    this.name = 'BadKey';
  }
}

/** Thrown by `put` and `signedUpload` for an invalid content type. A valid one is `type/subtype` in printable ASCII, at most 200 characters. */
export class BadContentType extends Error {
  constructor(readonly contentType: string) {
    super(`${JSON.stringify(contentType)} is not a content type`);
    this.name = 'BadContentType';
  }
}

/** Thrown by `put` if the body does not have the announced size. Nothing was stored. */
export class WrongSize extends Error {
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`the body has ${actual} bytes, not ${expected}`);
    this.name = 'WrongSize';
  }
}

/** Thrown by every method when the store cannot be reached, does not answer in time, or fails. It may have carried out a put or a removal. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('The object store does not answer.', { cause });
    this.name = 'StoreUnavailable';
  }
}

/** Thrown on reading an object whose file was truncated, or was not written by the store. */
export class DamagedObject extends Error {
  constructor(path: string) {
    super(`${path} is damaged, or is not an object`);
    this.name = 'DamagedObject';
  }
}

/**
 * Stores files under keys. A put is atomic, and durable when it resolves: readers get the old object or the new one, each with its own type. An
 * acknowledged put or remove is visible to the next read.
 */
export abstract class ObjectStore {
  /** Resolves with false only with `ifAbsent`, if the key already has an object. Exactly one of several concurrent calls gets true. */
  abstract put(key: string, body: Uint8Array | Readable, options: PutOptions): Promise<boolean>;
  abstract get(key: string): Promise<OpenObject | null>;
  abstract stat(key: string): Promise<StoredObject | null>;
  /** Also resolves if there is nothing to remove. */
  abstract remove(key: string): Promise<void>;
  /** The objects whose keys begin with a prefix, in the order of their keys' bytes. Fewer than `limit` only at the end. */
  abstract list(prefix: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly ListedObject[]>;
  /** An address for uploading one object by PUT without credentials. Rejects with a RangeError for a lifetime of more than a week. */
  abstract signedUpload(key: string, grant: UploadGrant): Promise<SignedUpload>;
  /** An address at the edge for downloading the object without credentials. Rejects with a RangeError for a lifetime of more than a week. */
  abstract signedDownload(key: string, grant: DownloadGrant): Promise<SignedDownload>;
  /**
   * The store's own address of the object, valid for one minute: long enough to follow a redirect. It is not checked again, so create it
   * only after checking the signed address. Null for a store that clients cannot reach.
   */
  abstract directDownload(key: string, fileName?: string): Promise<string | null>;
  /** Rejects if the store does not answer within a second, or refuses this installation. Cheap enough to be sent every few seconds. */
  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
}
