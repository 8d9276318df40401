import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, onHold, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { FileKey, type Sealed, Shredded, Vault } from '@parlance/privacy';
import { GatewayFileStore, type StoredGatewayFile } from '../../adapters/gateway/gateway-file-store.ts';
import { ExecuteGatewayFiles } from '../../commands/aggregates.ts';
import { type FilePurpose, fullness, type GatewayFiles, gatewayFiles, gatewayFilesStream } from '../../domain/gateway/gateway-files.ts';
import { GatewayFileOf, type GatewayFileRow } from '../../projections/gateway/gateway-files.ts';
import { HoldsOnConversations } from '../holds/holds-on-conversations.ts';

export interface NewGatewayFile {
  readonly fileId: string;
  readonly userId: string;
  readonly purpose: FilePurpose;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How long it is kept. */
  readonly seconds: number;
}

interface Details {
  readonly name: string;
  readonly key: string;
}

export const gatewayFileNotFound = () => refuse('missing', 'file_not_found', 'There is no such file, or it is not yours.');

/** A file has a key of its own, which is nested in the owner's key and destroyed when the file is removed. */
export const gatewayFileSubject = (fileId: string, userId: string) => ({ id: `gateway-file:${fileId}`, within: `user:${userId}` });

/** Stores and removes the files that programs store for calls of models. */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly files: GatewayFileStore,
    private readonly holds: HoldsOnConversations,
    private readonly clock: Clock,
  ) {}

  /** Throws `too_many_files` (conflict) if the user may store no further file. */
  async requireSpaceFor(userId: string): Promise<void> {
    this.requireSpace(await this.streams.load(gatewayFiles, gatewayFilesStream(userId)), 0);
  }

  /** Throws the refusals `too_many_files` and `files_too_large` (conflict), `user_not_found` (missing), and those of the object store (unavailable). */
  async add({ fileId, userId, purpose, name, bytes, seconds }: NewGatewayFile): Promise<GatewayFileRow> {
    this.files.requireStore();
    // A repeat of the request. Another key must not replace the first one's.
    const known = await this.queries.execute(new GatewayFileOf(userId, fileId));
    if (known) return known;
    // Before the bytes are stored. The decider checks it again.
    if (purpose === 'batch') this.requireSpace(await this.streams.load(gatewayFiles, gatewayFilesStream(userId)), bytes.byteLength);
    const key = FileKey.create();
    await this.files.put(userId, fileId, key, bytes);
    return this.record({ fileId, userId, purpose, name, seconds }, key, bytes.byteLength);
  }

  /** Stores a file of the answers of a batch. Throws `user_not_found` (missing) and the refusals of the object store (unavailable). */
  async addOutput(file: Omit<NewGatewayFile, 'bytes'>, plain: AsyncIterable<Uint8Array>): Promise<void> {
    const key = FileKey.create();
    await this.record(file, key, await this.files.putStream(file.userId, file.fileId, key, plain));
  }

  /** Throws `file_not_found` (missing), also for an expired file. */
  async of(userId: string, fileId: string): Promise<GatewayFileRow> {
    const row = await this.queries.execute(new GatewayFileOf(userId, fileId));
    if (!row || row.expires_at <= this.clock.now()) throw gatewayFileNotFound();
    return row;
  }

  /** Null if the file was removed. */
  async nameOf({ sealed }: GatewayFileRow): Promise<string | null> {
    return (await this.vault.openJson<Details>(sealed as Sealed))?.name ?? null;
  }

  /** Null if the file was removed. Rejects as `GatewayFileStore.open`. */
  async open({ user_id, file_id, sealed }: GatewayFileRow): Promise<Readable | null> {
    const details = await this.vault.openJson<Details>(sealed as Sealed);
    return details && this.files.open(user_id, file_id, details.key);
  }

  /**
   * The key is destroyed first, so that a removed file cannot be read after a crash. The sweep removes bytes that are left. Throws the refusal `on_hold`
   * (conflict).
   */
  async remove({ user_id, file_id }: GatewayFileRow): Promise<void> {
    const holds = await this.holds.on('user', user_id);
    if (holds.length > 0) throw onHold(holds, false);
    await this.end(user_id, file_id);
  }

  /** Removes a file that was stored for a batch and is not named in it. A hold does not keep it, because it is a copy. Does nothing without such a file. */
  async discard(userId: string, fileId: string): Promise<void> {
    if (await this.isNeeded({ userId, fileId })) await this.end(userId, fileId);
  }

  /** Does nothing while a hold keeps the file. */
  async expire({ user_id, file_id }: GatewayFileRow): Promise<void> {
    if ((await this.holds.on('user', user_id)).length > 0) return;
    await this.destroy(user_id, file_id);
    await this.commands.execute(new ExecuteGatewayFiles(user_id, { type: 'Expire', fileId: file_id, now: this.clock.now() }));
    await this.files.remove(user_id, file_id);
  }

  /** Removes all files of an erased user. No file can be stored afterwards. */
  async erase(userId: string): Promise<void> {
    const { files } = await this.streams.load(gatewayFiles, gatewayFilesStream(userId));
    for (const fileId of Object.keys(files)) await this.destroy(userId, fileId);
    await this.commands.execute(new ExecuteGatewayFiles(userId, { type: 'Erase' }));
    await this.files.removeAll(userId);
  }

  /** Whether the user still has this file. */
  async isNeeded({ userId, fileId }: Pick<StoredGatewayFile, 'userId' | 'fileId'>): Promise<boolean> {
    const { files } = await this.streams.load(gatewayFiles, gatewayFilesStream(userId));
    return Object.hasOwn(files, fileId);
  }

  private async record(
    { fileId, userId, purpose, name, seconds }: Omit<NewGatewayFile, 'bytes'>,
    key: FileKey,
    bytes: number,
  ): Promise<GatewayFileRow> {
    const at = this.clock.now();
    const file = { fileId, purpose, bytes, at, expiresAt: Instant.plus(at, seconds * 1_000) };
    try {
      await this.vault.sealing(gatewayFileSubject(fileId, userId), async ({ json, companions, stored }) => {
        const sealed = json({ name, key: key.toSecretText() } satisfies Details);
        const { written } = await this.commands.execute(new ExecuteGatewayFiles(userId, { type: 'Add', ...file, sealed }, { companions }));
        if (written) stored();
      });
    } catch (error) {
      throw error instanceof Shredded ? refuse('missing', 'user_not_found', 'This user was erased.') : error;
    }
    return this.of(userId, fileId);
  }

  private async end(userId: string, fileId: string): Promise<void> {
    await this.destroy(userId, fileId);
    await this.commands.execute(new ExecuteGatewayFiles(userId, { type: 'Remove', fileId }));
    await this.files.remove(userId, fileId).catch(() => undefined);
  }

  private requireSpace(state: GatewayFiles, bytes: number): void {
    const refusal = fullness(state, bytes);
    if (refusal) throw refusal;
  }

  private async destroy(userId: string, fileId: string): Promise<void> {
    await this.vault.shred(gatewayFileSubject(fileId, userId).id);
  }
}
