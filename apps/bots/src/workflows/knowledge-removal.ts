import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FILES_HEALTH, type ObjectStoreHealth } from '@parlance/foundation';
import { KnowledgeIndexes } from '@parlance/retrieval';
import { FileStore } from '../adapters/file-store.ts';
import { ExecuteDedicatedBases, ExecuteKnowledgeSync, ExecuteUploads } from '../commands/aggregates.ts';
import { uploadsId } from '../domain/uploads.ts';

/** Sorts before the names of all generations. */
const BEFORE_ALL = '-';
const MOST_GENERATIONS = 100;

/**
 * Removes the files and indexes of deleted bots and erased users. The numbers for the receipt are recorded before anything is removed, so
 * that they are counted once, however often this is repeated.
 */
@Injectable()
export class KnowledgeRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: FileStore,
    private readonly indexes: KnowledgeIndexes,
    @Inject(FILES_HEALTH) private readonly storage: Pick<ObjectStoreHealth, 'check'> | null,
  ) {}

  /** Removes all knowledge of a deleted bot. Rejects with `StoreUnavailable` while the object store is down. */
  async ofBot(botId: string, ownerUserId: string): Promise<void> {
    // Otherwise it could wait minutes for the indexes.
    await this.storage?.check();
    try {
      await this.remove(botId, ownerUserId);
    } catch (error) {
      // An error of an index does not show that the object store is down.
      await this.storage?.check();
      throw error;
    }
  }

  private async remove(botId: string, ownerUserId: string): Promise<void> {
    const generations = await this.generationsOf(botId);
    const chunks = await this.chunksOf(botId, generations);
    // This is also done without an index, because it ends a run that may be about to create one.
    await this.commands.execute(new ExecuteKnowledgeSync(botId, { type: 'Remove', ownerUserId, chunks }));
    for (const generation of generations) await this.indexes.remove({ botId, generation });
    await this.filesOf(ownerUserId, botId);
    await this.commands.execute(new ExecuteDedicatedBases({ type: 'Release', botId }));
  }

  /** Removes the uploads of an erased user, including those for bots that were never saved. */
  async filesOfOwner(ownerUserId: string): Promise<void> {
    for (const botId of await this.files.botsOf(ownerUserId)) await this.filesOf(ownerUserId, botId);
  }

  private async filesOf(ownerUserId: string, botId: string): Promise<void> {
    const place = { ownerUserId, botId };
    const files = await this.files.count(place);
    if (files === 0) return;
    await this.commands.execute(new ExecuteUploads(uploadsId(ownerUserId, botId), { type: 'RemoveAll', files }));
    await this.files.removeAll(place);
  }

  /** A bot has two at most: the index in service, and its replacement. Crashes may have left others. */
  private async generationsOf(botId: string): Promise<readonly string[]> {
    const listed = await this.indexes.list({ botId, generation: BEFORE_ALL }, MOST_GENERATIONS);
    return listed.filter(({ name }) => name.botId === botId).map(({ name }) => name.generation);
  }

  private async chunksOf(botId: string, generations: readonly string[]): Promise<number> {
    let most = 0;
    for (const generation of generations) most = Math.max(most, (await this.indexes.describe({ botId, generation }))?.chunks ?? 0);
    return most;
  }
}
