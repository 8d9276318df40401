import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { inTurns } from '@parlance/event-loop';
import { AuditRecorder } from '@parlance/http';
import type { PlainTexts } from '../commands/bot-writer.ts';
import { botNotFound, notEditor } from '../domain/bot.ts';
import { type BotSettings, type BotText, completed, type Configuration } from '../domain/configuration.ts';
import { hasSources, type KnowledgeSources, NO_SOURCES } from '../domain/knowledge/knowledge-sources.ts';
import { mayConfigure, type Person } from '../domain/sharing.ts';
import { causeOf, type SyncCause } from '../domain/knowledge/sync-causes.ts';
import { type ListedBot, NotedBots } from '../projections/bots/bot-lists.ts';
import { WholeBot } from '../projections/bots/bot-queries.ts';
import { type BotContentRow, type BotRow, relationTo } from '../projections/bots/bot-rows.ts';
import { CauseOf, SyncOf, SyncsOf, WarningsOf } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { OpenedSources } from '../projections/opened-sources.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { UNCHANGED } from '../workflows/run-progress.ts';
import type { Bot, BotConfiguration, BotItem, BotSummary, PrivateBot } from './answers.ts';
import type { ShownWarnings } from './sync-answer.ts';

/** The number of bots whose texts are opened at once, which takes about 3 ms. */
const OPENED_AT_ONCE = 100;

/** The number of rows of knowledge states that are read at once. */
const SYNCS_AT_ONCE = 200;

/** Opens the texts of many bots, and lets other requests be answered in between. */
export const openInTurns = <Given, Item>(bots: readonly Given[], open: (bot: Given) => Promise<Item>): Promise<Item[]> =>
  inTurns(bots, OPENED_AT_ONCE, open);

/** A bot, and the person who may see it. */
export interface SeenBot {
  readonly row: BotRow;
  readonly content: BotContentRow;
  readonly person: Person;
}

/** Builds answers from the rows of bots. */
@Injectable()
export class BotAnswers {
  constructor(
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
    private readonly sources: OpenedSources,
    private readonly audit: AuditRecorder,
  ) {}

  /** Throws the refusal `bot_not_found` for an absent bot and for one that the user may not see. */
  async seen(botId: string, person: Person): Promise<SeenBot> {
    const found = await this.queries.execute(new WholeBot(botId, person));
    if (!found) throw botNotFound();
    return { ...found, person };
  }

  /** Throws the refusals `bot_not_found` and `not_editor`. */
  async configurable(botId: string, person: Person): Promise<SeenBot> {
    const seen = await this.seen(botId, person);
    if (!mayConfigure(relationTo(person, seen.row))) throw notEditor();
    return seen;
  }

  /** The opened configuration. Throws the refusal `bot_not_found` if the bot is being deleted. */
  async plain({ row, content }: SeenBot): Promise<{ readonly texts: PlainTexts; readonly settings: BotSettings }> {
    const sources = await this.sourcesOf(row.id);
    return {
      texts: {
        title: await this.texts.open(row.title),
        description: await this.texts.open(row.description),
        instruction: await this.texts.open(content.instruction),
        quickStarters: await this.texts.open(content.quick_starters),
        knowledge: hasSources(sources) ? JSON.stringify(sources) : '',
        blockedText: await this.texts.open(content.blocked_text ?? null),
      },
      settings: content.settings,
    };
  }

  /** A bot that the user has just shared: an administrator who made it private no longer sees it. Throws the refusal `bot_not_found`. */
  async changed(botId: string, person: Person): Promise<SeenBot> {
    const found = await this.queries.execute(new WholeBot(botId, null));
    if (!found) throw botNotFound();
    return { ...found, person };
  }

  /** Records that an administrator reads more of another user's bot than its viewers may. Called before the answer is sent. */
  async recordRead({ row, person }: SeenBot): Promise<void> {
    if (relationTo(person, row) !== 'admin') return;
    await this.audit.viewed({ action: 'view_bot', resourceType: 'bot', resourceId: row.id });
  }

  /** The bots of a list. Bots that are being deleted are left out. */
  async items(bots: readonly ListedBot[]): Promise<readonly BotItem[]> {
    const syncs = new Map<string, SyncRow>();
    for (let from = 0; from < bots.length; from += SYNCS_AT_ONCE) {
      const ids = bots.slice(from, from + SYNCS_AT_ONCE).map(({ row }) => row.id);
      for (const [id, sync] of await this.queries.execute(new SyncsOf(ids))) syncs.set(id, sync);
    }
    return (await openInTurns(bots, (bot) => this.item(bot, syncs.get(bot.row.id)))).filter((item) => item !== null);
  }

  async summary(seen: SeenBot): Promise<BotSummary> {
    return this.summaryWith(seen, await this.queries.execute(new SyncOf(seen.row.id)));
  }

  private async summaryWith({ row, content, person }: SeenBot, sync: SyncRow | null): Promise<BotSummary> {
    const [noted] = await this.queries.execute(new NotedBots(person, [row.id]));
    const item = await this.item({ is_starred: noted?.is_starred ?? false, last_used_time: noted?.last_used_time ?? null, row }, sync);
    if (!item) throw botNotFound();
    const relation = relationTo(person, row);
    return {
      ...item,
      owned: relation === 'owner',
      editable: mayConfigure(relation),
      has_knowledge: hasKnowledge(content, sync),
      conversation_quick_starters: await this.quickStarters(content),
      active_models: content.settings.active_models,
      default_model: content.settings.default_model,
    };
  }

  /** Administrators do not see the reason of a failed run: it names sources, and this read is not in the audit log. */
  async bot(seen: SeenBot): Promise<Bot> {
    const sync = await this.queries.execute(new SyncOf(seen.row.id));
    const relation = relationTo(seen.person, seen.row);
    const sync_status_reason = relation === 'owner' || relation === 'editor' ? await this.syncReason(sync) : '';
    const bot = { ...(await this.summaryWith(seen, sync)), ...seen.content.settings, sync_status_reason };
    return mayConfigure(relation) ? { ...bot, ...audienceOf(seen.row) } : bot;
  }

  async privateBot(seen: SeenBot): Promise<PrivateBot> {
    const sync = await this.queries.execute(new SyncOf(seen.row.id));
    const bot = { ...(await this.summaryWith(seen, sync)), ...seen.content.settings, ...audienceOf(seen.row) };
    const texts = {
      instruction: await this.texts.open(seen.content.instruction),
      guardrail_blocked_text: await this.texts.open(seen.content.blocked_text ?? null),
    };
    return { ...bot, ...texts, sync_status_reason: await this.syncReason(sync), knowledge: await this.sourcesOf(seen.row.id) };
  }

  /** The answer for a configuration from the log. Throws the refusal `bot_not_found` if the bot is being deleted. */
  async configuration(version: number, stored: Configuration): Promise<BotConfiguration> {
    const open = (text: BotText | null | undefined) => this.texts.open(text ?? null);
    const parsed = async <Parsed>(text: BotText | null | undefined, none: Parsed): Promise<Parsed> => {
      const json = await open(text);
      return json === '' ? none : (JSON.parse(json) as Parsed);
    };
    return {
      version,
      title: await open(stored.title),
      description: await open(stored.description),
      instruction: await open(stored.instruction),
      guardrail_blocked_text: await open(stored.blockedText),
      conversation_quick_starters: await parsed<BotConfiguration['conversation_quick_starters']>(stored.quickStarters, []),
      knowledge: await parsed(stored.knowledge, NO_SOURCES),
      ...completed(stored.settings),
    };
  }

  /** The sources of a bot's knowledge. Throws the refusal `bot_not_found` if the bot is being deleted. */
  async sourcesOf(botId: string): Promise<KnowledgeSources> {
    const sources = await this.sources.of(botId);
    if (!sources) throw botNotFound();
    return sources;
  }

  /** Why the last run failed, and what to do, or why it waits for its next try; empty otherwise. */
  async syncReason(sync: SyncRow | null): Promise<string> {
    if (sync?.status !== 'FAILED' && sync?.status !== 'RUNNING') return '';
    if (sync.failure === 'deadline') return DEADLINE_PASSED;
    return (await this.texts.openIfThere(sync.reason)) ?? '';
  }

  /** The parts of the reason. Null without a reason, and for runs of earlier releases. */
  async syncCause(sync: SyncRow): Promise<SyncCause | null> {
    if (sync.status !== 'FAILED' && sync.status !== 'RUNNING') return null;
    if (sync.failure === 'deadline') return causeOf('deadline_passed');
    if (sync.reason === null) return null;
    const cause = await this.texts.openNow(await this.queries.execute(new CauseOf(sync.bot_id)));
    return cause ? (JSON.parse(cause) as SyncCause) : null;
  }

  /** The sources without text in the index in service. None if the bot is being deleted. */
  async syncWarnings(botId: string): Promise<ShownWarnings> {
    const sealedWarnings = await this.queries.execute(new WarningsOf(botId));
    const list = sealedWarnings && (await this.texts.openNow(sealedWarnings.list));
    return list
      ? { warnings: JSON.parse(list) as ShownWarnings['warnings'], warning_count: sealedWarnings!.count }
      : { warnings: [], warning_count: 0 };
  }

  async quickStarters({ quick_starters }: BotContentRow): Promise<BotSummary['conversation_quick_starters']> {
    return quick_starters === null ? [] : (JSON.parse(await this.texts.open(quick_starters)) as BotSummary['conversation_quick_starters']);
  }

  /** Null if the bot is being deleted. */
  private async item({ row, is_starred, last_used_time }: ListedBot, sync: SyncRow | null | undefined): Promise<BotItem | null> {
    const { id, owner_user_id, icon, colour, picture, shared_scope, status, is_publication, create_time, version } = row;
    const title = await this.texts.openIfThere(row.title);
    const description = await this.texts.openIfThere(row.description);
    if (title === null || description === null) return null;
    return {
      id,
      owner_user_id,
      title,
      description,
      icon,
      colour,
      picture,
      shared_scope,
      status,
      sync_status: sync?.status ?? 'SUCCEEDED',
      is_publication,
      is_starred,
      create_time,
      last_used_time,
      version,
    };
  }
}

const DEADLINE_PASSED = `The sources were not read in time. Save the bot again, or give it fewer sources. ${UNCHANGED}`;

/** Whether questions to the bot are answered from retrieved text. */
export const hasKnowledge = ({ settings }: BotContentRow, sync: SyncRow | null): boolean =>
  settings.bedrock_knowledge_base.exist_knowledge_base_id !== null || (sync?.generation ?? null) !== null;

const audienceOf = ({ allowed_user_ids, allowed_group_ids, editor_user_ids, editor_group_ids }: BotRow) => ({
  allowed_user_ids,
  allowed_group_ids,
  editor_user_ids,
  editor_group_ids,
});
