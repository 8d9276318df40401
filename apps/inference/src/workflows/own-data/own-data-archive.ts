import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { Caller } from '@parlance/observability';
import { Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import type { ArchiveEntry } from '../../adapters/own-data/archive.ts';
import type { Progress } from '../../domain/own-data/own-export.ts';
import type { ListedConversationRow } from '../../projections/conversation-list.ts';
import { ConversationsToExport } from '../../projections/own-data/conversations-to-export.ts';
import { listedCall } from '../calls/listed-call.ts';
import { type CallsCursor, type CallsPage, RecordedCalls } from '../calls/recorded-calls.ts';
import { StoredResponses } from '../calls/stored/stored-responses.ts';
import { GatewayBatches } from '../gateway/gateway-batches.ts';
import { StoredFiles } from '../gateway/stored-files.ts';
import { LeftOutList } from './left-out.ts';
import { ConversationGone, OwnConversation, type Sources } from './own-conversation.ts';
import { ownBatches } from './own-batches.ts';
import { ownGatewayFiles } from './own-gateway-files.ts';
import { ownResponses } from './own-responses.ts';
import { ownMemories } from './own-memories.ts';
import { ownProjects } from './own-projects.ts';
import { ownPrompts } from './own-prompts.ts';

/** The format of the archive. */
export const ARCHIVE_FORMAT = 'parlance-own-data/1';

/** Months of usage that analytics keeps, the current one included. */
const MONTHS_OF_USAGE = 13;

const CALLS_PAGE = 1_000;

interface BotFiles {
  readonly bots: readonly { readonly bot_id: string; readonly yaml: string }[];
  readonly next: string | null;
}

interface Usage {
  readonly daily: readonly {
    readonly date: string;
    readonly cost: number;
    readonly as_corrected: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
  }[];
}

/** The request for an archive. `advance` is called before each slow step, and throws to stop the work. */
export interface ArchiveRequest {
  readonly exportId: string;
  readonly userId: string;
  readonly now: Instant;
  readonly advance: (progress: Progress) => Promise<void>;
}

type CheckIn = () => Promise<void>;

/** Produces the entries of an archive of a user's own data, one after another. Rejects if a service that has some of the data does not answer. */
@Injectable()
export class OwnDataArchive {
  private readonly sources: Sources;

  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly recorded: RecordedCalls,
    private readonly vault: Vault,
    private readonly responses: StoredResponses,
    private readonly storedFiles: StoredFiles,
    private readonly batches: GatewayBatches,
    files: MessageFiles,
  ) {
    this.sources = { queries, vault, files };
  }

  async *entries({ exportId, userId, now, advance }: ArchiveRequest): AsyncGenerator<ArchiveEntry> {
    const leftOut = new LeftOutList();
    const rated: ListedConversationRow[] = [];
    let [conversations, done] = [0, 0];
    let total = 0;
    const checkIn = () => advance({ conversations: done, total: Math.max(total, done) });
    for await (const page of this.pages(userId)) total += page.length;
    for await (const page of this.pages(userId))
      for (const row of page) {
        await checkIn();
        done++;
        const conversation = new OwnConversation(row, this.sources, leftOut);
        if (!(yield* unlessGone(conversation.entries(), checkIn))) continue;
        conversations++;
        if (conversation.hasFeedback) rated.push(row);
      }
    const bots = { count: 0 };
    yield* this.bots(userId, bots, checkIn);
    yield { path: 'prompts.json', compress: true, parts: ownPrompts(this.calls, userId, checkIn) };
    yield { path: 'projects.json', compress: true, parts: ownProjects(this.sources, userId, checkIn) };
    yield { path: 'memories.json', compress: true, parts: ownMemories(this.sources, userId, checkIn) };
    yield { path: 'feedback.json', compress: true, parts: this.feedback(rated, leftOut, checkIn) };
    yield { path: 'usage.csv', compress: true, parts: this.usage(userId, now, checkIn) };
    const calls = { count: 0 };
    yield { path: 'calls.json', compress: true, parts: this.modelCalls(userId, calls, checkIn) };
    const responses = { count: 0 };
    const stored = ownResponses({ queries: this.queries, responses: this.responses }, userId, responses, checkIn);
    yield { path: 'responses.json', compress: true, parts: stored };
    const batches = { count: 0 };
    yield {
      path: 'batches.json',
      compress: true,
      parts: ownBatches(userId, batches, { queries: this.queries, batches: this.batches, checkIn }),
    };
    yield* ownGatewayFiles(userId, { queries: this.queries, stored: this.storedFiles, leftOut, checkIn });
    const counted = { conversations, bots: bots.count, calls: calls.count, responses: responses.count, batches: batches.count };
    const manifest = {
      format: ARCHIVE_FORMAT,
      export_id: exportId,
      user_id: userId,
      create_time: now,
      ...counted,
      ...leftOut.inManifest(),
    };
    yield { path: 'manifest.json', compress: true, parts: [`${JSON.stringify(manifest, null, 2)}\n`] };
  }

  private async *pages(userId: string): AsyncGenerator<readonly ListedConversationRow[]> {
    let after: Cursor | null = null;
    do {
      const page: { conversations: readonly ListedConversationRow[]; next: Cursor | null } = await this.queries.execute(
        new ConversationsToExport(userId, after),
      );
      await nextTurn();
      yield page.conversations;
      after = page.next;
    } while (after !== null);
  }

  private async *bots(userId: string, counted: { count: number }, checkIn: CheckIn): AsyncGenerator<ArchiveEntry> {
    let after: string | null = null;
    do {
      await checkIn();
      const request: { user_id: string; after?: string } = { user_id: userId, ...(after !== null && { after }) };
      const page: BotFiles = await this.calls.post<BotFiles>('bots', '/internal/bots/exported', request, HARMLESS);
      for (const { bot_id, yaml } of page.bots) {
        counted.count++;
        yield { path: `bots/${bot_id}.yaml`, compress: true, parts: [yaml] };
      }
      after = page.next;
    } while (after !== null);
  }

  /** Reads the ratings again instead of keeping them, because there may be too many for memory. */
  private async *feedback(rated: readonly ListedConversationRow[], leftOut: LeftOutList, checkIn: CheckIn): AsyncGenerator<string> {
    let separator = '[\n';
    for (const row of rated) {
      await checkIn();
      if (isTurnOver()) await nextTurn();
      const ratings: string[] = [];
      try {
        for await (const rating of new OwnConversation(row, this.sources, leftOut).ratings()) ratings.push(JSON.stringify(rating));
      } catch (error) {
        if (error instanceof ConversationGone) continue;
        throw error;
      }
      for (const rating of ratings) {
        yield separator + rating;
        separator = ',\n';
      }
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n';
  }

  /** The user's calls of models without a bot, as far as they are listed. */
  private async *modelCalls(userId: string, counted: { count: number }, checkIn: CheckIn): AsyncGenerator<string> {
    const filter = { userId, tokenId: null, model: null, costCentre: null, tag: null, status: null, ...this.recorded.kept };
    let separator = '[\n';
    let next: CallsCursor | null = null;
    do {
      await checkIn();
      const page: CallsPage = await this.recorded.page(filter, CALLS_PAGE, next);
      for (const call of page.calls) {
        counted.count++;
        yield separator + JSON.stringify(listedCall(call));
        separator = ',\n';
      }
      if (isTurnOver()) await nextTurn();
      next = page.next;
    } while (next !== null);
    yield counted.count === 0 ? '[]\n' : '\n]\n';
  }

  private async *usage(userId: string, now: Instant, checkIn: CheckIn): AsyncGenerator<string> {
    yield 'date,cost_usd,cost_as_corrected_usd,input_tokens,output_tokens\n';
    // The user's own figures are read as the user, without any group.
    const caller: Caller = { userId, groups: [], sessionId: null, kind: 'user' };
    for (const period of monthsUntil(now)) {
      await checkIn();
      const { daily } = await this.calls.get<Usage>('analytics', '/user/me/usage', { caller, query: { period } });
      for (const { date, cost, as_corrected, input_tokens, output_tokens } of daily)
        yield `${[date, cost, as_corrected, input_tokens, output_tokens].join()}\n`;
    }
  }
}

/**
 * False if the conversation was deleted before its first entry was written. A later deletion ends the attempt, and the next attempt leaves the
 * conversation out.
 */
async function* unlessGone(entries: AsyncGenerator<ArchiveEntry>, checkIn: CheckIn): AsyncGenerator<ArchiveEntry, boolean> {
  let isBegun = false;
  try {
    for await (const entry of entries) {
      isBegun = true;
      yield entry;
      await checkIn();
    }
    return true;
  } catch (error) {
    if (error instanceof ConversationGone && !isBegun) return false;
    throw error;
  }
}

/** Months as YYYY-MM, the oldest first. */
function monthsUntil(now: Instant): readonly string[] {
  const [year, month] = Instant.toString(now).slice(0, 7).split('-').map(Number) as [number, number];
  return Array.from({ length: MONTHS_OF_USAGE }, (_, index) => {
    return new Date(Date.UTC(year, month - MONTHS_OF_USAGE + index, 1)).toISOString().slice(0, 7);
  });
}
