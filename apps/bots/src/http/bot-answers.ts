import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AuditRecorder } from '@parlance/http';
import { botNotFound } from '../domain/bot.ts';
import { NO_KNOWLEDGE } from '../domain/configuration.ts';
import { mayConfigure, type Person } from '../domain/sharing.ts';
import { type ListedBot, NotedBots } from '../projections/bot-lists.ts';
import { type BotContentRow, type BotRow, relationTo, WholeBot } from '../projections/bots.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import type { Bot, BotItem, BotSummary, PrivateBot } from './answers.ts';

/** Bots whose texts are opened between two turns of the event loop: about 3 ms. */
const OPENED_AT_ONCE = 100;

/** Opens the texts of many bots, and lets other requests be answered in between. */
export async function inTurns<Given, Item>(bots: readonly Given[], open: (bot: Given) => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (let from = 0; from < bots.length; from += OPENED_AT_ONCE) {
    if (from > 0) await setImmediate();
    items.push(...(await Promise.all(bots.slice(from, from + OPENED_AT_ONCE).map(open))));
  }
  return items;
}

/** A bot that its reader may see. */
export interface SeenBot {
  readonly row: BotRow;
  readonly content: BotContentRow;
  readonly person: Person;
}

/** Makes answers from the rows of bots. */
@Injectable()
export class BotAnswers {
  constructor(
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
    private readonly audit: AuditRecorder,
  ) {}

  /** Throws the refusal `bot_not_found` for an absent bot and for one that the user may not see. */
  async seen(botId: string, person: Person): Promise<SeenBot> {
    const whole = await this.queries.execute(new WholeBot(botId, person));
    if (!whole) throw botNotFound();
    return { ...whole, person };
  }

  /** A bot that the user has just shared: an administrator who made it private no longer sees it. Throws the refusal `bot_not_found`. */
  async changed(botId: string, person: Person): Promise<SeenBot> {
    const whole = await this.queries.execute(new WholeBot(botId, null));
    if (!whole) throw botNotFound();
    return { ...whole, person };
  }

  /** Records that an administrator reads more of another user's bot than its viewers may. Call it before the answer. */
  async recordRead({ row, person }: SeenBot): Promise<void> {
    if (relationTo(person, row) !== 'admin') return;
    await this.audit.viewed({ action: 'view_bot', resourceType: 'bot', resourceId: row.id });
  }

  /** Bots of a list. Bots that are being deleted are left out. */
  async items(bots: readonly ListedBot[]): Promise<readonly BotItem[]> {
    return (await inTurns(bots, (bot) => this.item(bot))).filter((item) => item !== null);
  }

  async summary({ row, content, person }: SeenBot): Promise<BotSummary> {
    const [noted] = await this.queries.execute(new NotedBots(person, [row.id]));
    const item = await this.item({ is_starred: noted?.is_starred ?? false, last_used_time: noted?.last_used_time ?? null, row });
    if (!item) throw botNotFound();
    const relation = relationTo(person, row);
    return {
      ...item,
      owned: relation === 'owner',
      editable: mayConfigure(relation),
      has_knowledge: false,
      conversation_quick_starters: await this.quickStarters(content),
      active_models: content.settings.active_models,
      default_model: content.settings.default_model,
    };
  }

  async bot(seen: SeenBot): Promise<Bot> {
    const bot = { ...(await this.summary(seen)), ...seen.content.settings, sync_status_reason: '' };
    return mayConfigure(relationTo(seen.person, seen.row)) ? { ...bot, ...audienceOf(seen.row) } : bot;
  }

  async privateBot(seen: SeenBot): Promise<PrivateBot> {
    const instruction = await this.texts.open(seen.content.instruction);
    return { ...(await this.bot(seen)), ...audienceOf(seen.row), instruction, knowledge: NO_KNOWLEDGE };
  }

  async quickStarters({ quick_starters }: BotContentRow): Promise<BotSummary['conversation_quick_starters']> {
    return quick_starters === null ? [] : (JSON.parse(await this.texts.open(quick_starters)) as BotSummary['conversation_quick_starters']);
  }

  /** Null if the bot is being deleted. */
  private async item({ row, is_starred, last_used_time }: ListedBot): Promise<BotItem | null> {
    const { id, owner_user_id, shared_scope, status, create_time, version } = row;
    const title = await this.texts.openIfThere(row.title);
    const description = await this.texts.openIfThere(row.description);
    if (title === null || description === null) return null;
    return {
      id,
      owner_user_id,
      title,
      description,
      shared_scope,
      status,
      // Until knowledge can be ingested, nothing is left to do.
      sync_status: 'SUCCEEDED',
      is_publication: false,
      is_starred,
      create_time,
      last_used_time,
      version,
    };
  }
}

const audienceOf = ({ allowed_user_ids, allowed_group_ids, editor_user_ids, editor_group_ids }: BotRow) => ({
  allowed_user_ids,
  allowed_group_ids,
  editor_user_ids,
  editor_group_ids,
});
