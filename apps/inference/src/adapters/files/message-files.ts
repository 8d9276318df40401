import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStoreHealth } from '@parlance/foundation';
import { type ListedObject, type ObjectStore, removeAll } from '@parlance/object-store';
import { FileKey, type Seal, type Sealed, type Vault } from '@parlance/privacy';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { openSealed, orUnavailable, putSealed, requireStore } from './sealed-object.ts';

/** A checked file that is not stored yet. */
export interface CheckedFile {
  readonly kind: MessageFile['kind'];
  readonly mediaType: string;
  /** Null for an image. */
  readonly name: string | null;
  readonly bytes: Uint8Array;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** Null if no text can be extracted. */
  readonly text: string | null;
  readonly textTokens?: number;
  /** Set for a PDF. */
  readonly pages?: number;
}

/** The sealed facts about a file. */
export interface FileDetails {
  readonly name: string | null;
  readonly sha256: string;
  readonly key: string;
}

/** The message to which files belong. */
export interface MessageRef {
  readonly conversationId: string;
  readonly messageId: string;
}

export type StoredMessageFiles = MessageRef & Pick<ListedObject, 'key' | 'modified'>;

const PREFIX = 'message-files/';
/** Suffix of the object with the text that was extracted from a file. */
const TEXT = '.text';
const STORED_AT_ONCE = 4;
/** Objects in one listing of the store. */
const LISTED = 500;

const prefixOf = (conversationId: string) => `${PREFIX}${conversationId}/`;
const keyOf = (conversationId: string, id: string) => prefixOf(conversationId) + id;

/** The objects of a file. */
export const objectKeysOf = (conversationId: string, { id, textBytes }: Pick<MessageFile, 'id' | 'textBytes'>): readonly string[] => {
  const key = keyOf(conversationId, id);
  return textBytes === undefined ? [key] : [key, key + TEXT];
};

/** The beginning of the keys of a message's files, or of all files of a conversation. */
export const objectPrefixOf = (conversationId: string, messageId?: string): string =>
  messageId === undefined ? prefixOf(conversationId) : `${prefixOf(conversationId)}${messageId}.`;

/** The sealed files of messages. Their object keys reveal no file names. Without an object store there are no files. */
export class MessageFiles {
  constructor(
    private readonly objects: ObjectStore | null,
    private readonly vault: Pick<Vault, 'openJson'>,
    private readonly health: Pick<ObjectStoreHealth, 'check'> | null,
  ) {}

  get areStored(): boolean {
    return this.objects !== null;
  }

  /** Throws the refusal `object_store_not_configured` (unavailable). */
  requireStore(): ObjectStore {
    return requireStore(this.objects);
  }

  /** Call it before work on new files. Throws as `requireStore` does, and the refusal `object_store_unavailable` (unavailable). */
  async requireAvailable(): Promise<void> {
    this.requireStore();
    await orUnavailable(async () => this.health?.check());
  }

  /**
   * Stores the files of a message before it is appended. After a failure, some of them may be stored. This and the following methods reject with
   * `object_store_unavailable` (unavailable) when the store fails. `part`: the part of a reply that they belong to.
   */
  async store(
    { conversationId, messageId }: MessageRef,
    files: readonly CheckedFile[],
    seal: Pick<Seal, 'json'>,
    part = '',
  ): Promise<MessageFile[]> {
    const store = this.requireStore();
    const stored: MessageFile[] = [];
    const waiting = [...files.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [number, { kind, mediaType, name, bytes, sha256, text, textTokens, pages }] = next;
        const id = `${messageId}.${part}${number}`;
        const key = FileKey.create();
        await putSealed(store, keyOf(conversationId, id), key, bytes);
        const words = text === null ? null : Buffer.from(text);
        if (words) await putSealed(store, keyOf(conversationId, id) + TEXT, key, words);
        const details: FileDetails = { name, sha256, key: key.toSecretText() };
        const size = {
          bytes: bytes.byteLength,
          ...(words && { textBytes: words.length }),
          ...(textTokens !== undefined && { textTokens }),
          ...(pages !== undefined && { pages }),
        };
        stored[number] = { id, kind, mediaType, ...size, sealed: seal.json(details) };
      }
    };
    await orUnavailable(() => Promise.all(Array.from({ length: STORED_AT_ONCE }, work)));
    return stored;
  }

  /** Null if the file was erased. */
  details({ sealed }: MessageFile): Promise<FileDetails | null> {
    return this.vault.openJson<FileDetails>(sealed as Sealed);
  }

  /**
   * The file. The caller must read it to its end or destroy it. Null if it was removed. This and the following methods reject with `Tampered` for a damaged file,
   * also if only its beginning has been read.
   */
  async open(conversationId: string, { id }: Pick<MessageFile, 'id'>, { key }: FileDetails): Promise<Readable | null> {
    return this.read(keyOf(conversationId, id), key);
  }

  async bytes(conversationId: string, file: MessageFile, details: FileDetails): Promise<Buffer | null> {
    const body = await this.open(conversationId, file, details);
    return body && orUnavailable(() => buffer(body));
  }

  /** The text that was extracted from the file. Null if it was removed. */
  async text(conversationId: string, { id }: MessageFile, { key }: FileDetails): Promise<string | null> {
    const body = await this.read(keyOf(conversationId, id) + TEXT, key);
    return body && (await orUnavailable(() => buffer(body))).toString();
  }

  /** Removes the files of a message. */
  async remove({ conversationId, messageId }: MessageRef): Promise<void> {
    await removeAll(this.requireStore(), objectPrefixOf(conversationId, messageId));
  }

  /** Removes all files of a conversation. */
  async removeAll(conversationId: string): Promise<void> {
    if (this.objects) await removeAll(this.objects, prefixOf(conversationId));
  }

  /** Lists some stored objects after a key, in the order of their keys. Empty at the end. */
  async stored(after: string | null): Promise<readonly StoredMessageFiles[]> {
    const page = (await this.objects?.list(PREFIX, { limit: LISTED, ...(after !== null && { after }) })) ?? [];
    return page.map(({ key, modified }) => {
      const [, conversationId = '', id = ''] = key.split('/');
      return { key, modified, conversationId, messageId: id.slice(0, id.indexOf('.')) };
    });
  }

  private async read(name: string, key: string): Promise<Readable | null> {
    return openSealed(this.requireStore(), name, FileKey.of(key));
  }
}
