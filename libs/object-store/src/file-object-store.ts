import { unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { addressOf, downloadAddress, grantFor } from './file-addresses.ts';
import { FileTree } from './file-tree.ts';
import { bodyOf, type DraftOptions, openFile, type OpenFile, writeDraft } from './object-file.ts';
import {
  type DownloadGrant,
  type ListedObject,
  ObjectStore,
  type OpenObject,
  type PutOptions,
  type SignedDownload,
  type SignedUpload,
  type StoredObject,
  type UploadGrant,
} from './object-store.ts';
import { assertContentType, assertKey, assertPrefix } from './rules.ts';

export interface FileObjectStoreOptions {
  /** The directory of the store. Nothing else may use it. It is created if it does not exist. */
  readonly directory: string;
  /** The public base URL of `openFileDoor`. An address is this URL, `/files/` and the key. */
  readonly baseUrl: string;
  readonly secret: Uint8Array;
  /** True if no other process can open the directory. Then uploads left by a killed process are removed at once, otherwise after a day. */
  readonly isOnlyUser?: boolean;
  /** Resolves when an object may be removed. By default it may be removed at once. */
  readonly removalAllowed?: () => Promise<void>;
  readonly now?: () => number;
}

/** Stores objects as files, for the single process. `openFileDoor` serves their addresses. */
export async function openFileObjectStore(options: FileObjectStoreOptions): Promise<FileObjectStore> {
  return new FileObjectStore(options, await FileTree.open(options.directory, options.isOnlyUser));
}

export class FileObjectStore extends ObjectStore {
  constructor(
    private readonly options: FileObjectStoreOptions,
    private readonly tree: FileTree,
  ) {
    super();
  }

  put(key: string, body: Uint8Array | Readable, { ifAbsent = false, contentType, size }: PutOptions): Promise<boolean> {
    return this.keep(key, body, { contentType, ...(size !== undefined && { size }) }, ifAbsent);
  }

  /** `put` with a limit on the body's size, for the door. Rejects with `TooLarge` above the limit. */
  async keep(key: string, body: Uint8Array | Readable, options: DraftOptions, ifAbsent = false): Promise<boolean> {
    assertKey(key);
    assertContentType(options.contentType);
    const draft = await writeDraft(this.tree.drafts, body, options);
    let moved = false;
    try {
      const placed = await this.tree.place(draft, key, ifAbsent);
      moved = placed && !ifAbsent;
      return placed;
    } finally {
      if (!moved) await unlink(draft);
    }
  }

  async get(key: string): Promise<OpenObject | null> {
    const file = await this.open(key);
    return file && { size: file.size, contentType: file.contentType, etag: file.etag, body: await bodyOf(file) };
  }

  async stat(key: string): Promise<StoredObject | null> {
    const file = await this.open(key);
    if (!file) return null;
    await file.handle.close();
    return { size: file.size, contentType: file.contentType, etag: file.etag };
  }

  async remove(key: string): Promise<void> {
    assertKey(key);
    await this.options.removalAllowed?.();
    await this.tree.remove(key);
  }

  async list(prefix: string, { after = '', limit }: { readonly after?: string; readonly limit: number }): Promise<readonly ListedObject[]> {
    assertPrefix(prefix);
    const listed: ListedObject[] = [];
    if (limit < 1) return listed;
    for await (const object of this.tree.walk(prefix, after)) {
      listed.push(object);
      if (listed.length === limit) break;
    }
    return listed;
  }

  async signedUpload(key: string, { contentType, expiresAt, maxBytes, issuedTo }: UploadGrant): Promise<SignedUpload> {
    assertContentType(contentType);
    const grant = {
      method: 'PUT',
      ...grantFor(this.options, key, { expiresAt, issuedTo }),
      contentType,
      ...(maxBytes !== undefined && { maxBytes }),
    } as const;
    return { url: addressOf(this.options.baseUrl, this.options.secret, grant), method: 'PUT', headers: { 'content-type': contentType } };
  }

  async signedDownload(key: string, grant: DownloadGrant): Promise<SignedDownload> {
    return downloadAddress(this.options, key, grant);
  }

  async directDownload(key: string): Promise<null> {
    assertKey(key);
    return null;
  }

  check(): Promise<void> {
    return this.tree.check();
  }

  async close(): Promise<void> {
    // Nothing is open between calls.
  }

  private async open(key: string): Promise<OpenFile | null> {
    assertKey(key);
    const path = await this.tree.find(key);
    return path === null ? null : openFile(path);
  }
}
