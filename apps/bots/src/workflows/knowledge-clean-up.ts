import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { allEnded, Clock, LOGGER, PagedRounds, pageOf, Streams } from '@parlance/foundation';
import { KnowledgeIndexes } from '@parlance/retrieval';
import type { Logger } from 'pino';
import { fileIdOf, FileStore } from '../adapters/file-store.ts';
import { pictureFileOf } from '../adapters/picture-files.ts';
import { ExecuteDedicatedBases, ExecuteUploads } from '../commands/aggregates.ts';
import { DEDICATED_BASES, dedicatedBases, RESERVATION_MILLIS } from '../domain/knowledge/dedicated-bases.ts';
import { uploadsId } from '../domain/uploads.ts';
import { WholeBot } from '../projections/bots/bot-queries.ts';
import { SyncOf, SyncsOf } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { OpenedSources } from '../projections/opened-sources.ts';
import { LONGEST_UPLOAD_MILLIS, UNUSED_UPLOAD_MILLIS, UploadsBefore, type UploadsRow } from '../projections/uploads.ts';
import { type Cursor } from '@parlance/read-models';

const MINUTE_MILLIS = 60_000;
const AT_ONCE = 500;

type ListedIndex = Awaited<ReturnType<KnowledgeIndexes['list']>>[number];

/**
 * Removes what crashes and abandoned requests left behind: files and indexes that no bot uses, and reserved slots. An index counts as unused
 * when it is neither in service nor being built, and is `knowledgeCleanUpMinutes` old.
 */
@Injectable()
export class KnowledgeCleanUp {
  private readonly indexRounds = new PagedRounds<ListedIndex, ListedIndex['name']>(
    'indexes could not be removed',
    ({ name }) => name.botId,
  );
  private readonly rounds = new PagedRounds<UploadsRow, Cursor>('uploads could not be cleaned up', ({ bot_id }) => bot_id);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly sources: OpenedSources,
    private readonly files: FileStore,
    private readonly indexes: KnowledgeIndexes,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async run(): Promise<void> {
    await allEnded([this.uploads(), this.unusedIndexes(), this.reservations()]);
  }

  private async uploads(): Promise<void> {
    const before = Instant.plus(this.clock.now(), -UNUSED_UPLOAD_MILLIS);
    await this.rounds.run(
      (after) => this.queries.execute(new UploadsBefore(before, AT_ONCE, after)),
      (row) => this.uploadsOf(row, before),
      { millis: Infinity },
    );
  }

  /** `before`: the latest time at which an address for these uploads was issued. Newer files were uploaded at a newer address. */
  private async uploadsOf({ owner_user_id: ownerUserId, bot_id: botId, removed: isRemoved }: UploadsRow, before: Instant): Promise<void> {
    const used = await this.usedFiles(botId, ownerUserId);
    const until = isRemoved ? this.clock.now() : Instant.plus(before, LONGEST_UPLOAD_MILLIS);
    const { removed, left } = await this.files.removeUnused({ ownerUserId, botId }, used, new Date(until));
    await this.commands.execute(new ExecuteUploads(uploadsId(ownerUserId, botId), { type: 'CleanUp', removed, left }));
    if (removed > 0) this.log.info({ botId, removed }, 'uploads that no bot uses were removed');
  }

  /** The files that the saved bot uses; none if it is another user's. */
  private async usedFiles(botId: string, ownerUserId: string): Promise<ReadonlySet<string>> {
    const found = await this.queries.execute(new WholeBot(botId, null));
    if (found?.row.owner_user_id !== ownerUserId) return new Set();
    const names = (await this.sources.of(botId))?.filenames ?? [];
    const { picture } = found.row;
    return new Set([...names.map((name) => fileIdOf(botId, name)), ...(picture === null ? [] : [pictureFileOf(picture)])]);
  }

  private async unusedIndexes(): Promise<void> {
    const before = this.clock.now() - this.config.knowledgeCleanUpMinutes * MINUTE_MILLIS;
    await this.indexRounds.run(
      async (after) => {
        const { rows, next } = pageOf(await this.indexes.list(after, AT_ONCE), AT_ONCE, ({ name }) => name);
        const old = rows.filter(({ modified }) => modified.getTime() <= before);
        const syncs = await this.queries.execute(new SyncsOf([...new Set(old.map(({ name }) => name.botId))]));
        return { rows: old.filter(({ name }) => !mayBeUsed(name, syncs.get(name.botId))), next };
      },
      async ({ name }) => {
        // Checked again: its run may have ended since.
        if (mayBeUsed(name, await this.queries.execute(new SyncOf(name.botId)))) return;
        await this.indexes.remove(name);
        this.log.info(name, 'an index that no bot uses was removed');
      },
      { millis: Infinity },
    );
  }

  private async reservations(): Promise<void> {
    const before = this.clock.now() - RESERVATION_MILLIS;
    for (const [botId, at] of Object.entries(await this.streams.load(dedicatedBases, DEDICATED_BASES))) {
      const sync = await this.queries.execute(new SyncOf(botId));
      if (at > before || sync?.ingestion.type === 'dedicated') continue;
      await this.commands.execute(new ExecuteDedicatedBases({ type: 'Release', botId, since: at }));
    }
  }
}

/**
 * Whether an index is in service, or may be the one that a run is building: a run whose sources are all unchanged writes nothing until its
 * end. Runs have a deadline, so the index is checked again.
 */
function mayBeUsed({ generation }: { readonly generation: string }, sync: SyncRow | null | undefined): boolean {
  return sync?.generation === generation || (sync?.run ? sync.run.finished === null : false);
}
