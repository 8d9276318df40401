import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { countTokens } from '@parlance/chat-models';
import { Config } from '@parlance/config';
import { Streams } from '@parlance/foundation';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor, Page } from '@parlance/read-models';
import type { BotFacts } from '../../adapters/from-bot.ts';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import type { Conversation } from '../../domain/conversation-state.ts';
import { type Memory, memory, memoryStream } from '../../domain/memory/memory.ts';
import { MEMORY_TOKENS } from '../../domain/memory/memory-limits.ts';
import { MemoriesOf, MemoryIsOn, type MemoryRow } from '../../projections/memory/memories.ts';

/** How a conversation uses the memory of its user. `read`: its models add nothing, because it is temporary. */
export type MemoryUse = 'off' | 'read' | 'full';

export const memoryUseOf = ({ isWithoutMemory, temporary }: Pick<Conversation, 'isWithoutMemory' | 'temporary'>): MemoryUse =>
  isWithoutMemory ? 'off' : temporary ? 'read' : 'full';

/** The entries in a prompt, the newest first. */
export interface UsedMemory {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** Whether the model may add entries. */
  readonly mayRemember: boolean;
}

const NO_MEMORY: UsedMemory = { ids: [], texts: [], mayRemember: false };

/** Entries read at once. */
const ENTRIES_OF_PAGE = 50;
/** Tokens around each entry, and of the rule and the tool in a prompt with a memory. */
const TOKENS_OF_AN_ENTRY = 3;
const TOKENS_OF_RULES = 500;

type BotWithMemory = Pick<BotFacts, 'memory' | 'ownerId' | 'configuredBy'>;

interface Reply {
  readonly userId: string;
  /** The published API that a program called. Absent for the user's own conversation. */
  readonly apiId?: string;
  /** Absent if the process that writes the reply has not accepted the message. */
  readonly memoryUse?: MemoryUse;
}

/**
 * Finds the entries of a user's memory for a prompt: if administrators allow the memory, and it is on for the user, the conversation and the bot.
 * Conversations of published APIs have none.
 */
@Injectable()
export class ReplyMemory {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly config: Config,
  ) {}

  /** The memory as it is now. `bot`: null for a conversation without a bot. */
  async of(conversationId: string, { userId, apiId, memoryUse }: Reply, bot: BotWithMemory | null): Promise<UsedMemory> {
    if (apiId !== undefined || !allows(bot, userId) || !(await this.isOn(userId))) return NO_MEMORY;
    const use = memoryUse ?? memoryUseOf(await this.streams.load(conversation, conversationStream(conversationId)));
    if (use === 'off') return NO_MEMORY;
    // Rows may lag behind what another replica has confirmed to the user: the memory is off, or an entry is removed.
    const { isOn, entries } = await this.streams.load(memory, memoryStream(userId));
    return isOn ? { ...(await this.newest(userId, entries)), mayRemember: use === 'full' } : NO_MEMORY;
  }

  /** An upper bound for the tokens that the memory adds to a prompt of the user. */
  async mostTokens(userId: string): Promise<number> {
    return (await this.isOn(userId)) ? MEMORY_TOKENS + TOKENS_OF_RULES : 0;
  }

  private async isOn(userId: string): Promise<boolean> {
    return this.config.userMemory && this.queries.execute(new MemoryIsOn(userId));
  }

  /** As many as `MEMORY_TOKENS` allow. */
  private async newest(userId: string, entries: Memory['entries']): Promise<Pick<UsedMemory, 'ids' | 'texts'>> {
    const [ids, texts]: [string[], string[]] = [[], []];
    let left = MEMORY_TOKENS;
    let after: Cursor | null = null;
    do {
      const page: Page<MemoryRow> = await this.queries.execute(new MemoriesOf(userId, ENTRIES_OF_PAGE, after));
      const opened = await this.vault.openAllOften(page.rows.map(({ text }) => text as Sealed));
      for (const [place, text] of opened.entries()) {
        const { memory_id: id } = page.rows[place]!;
        // Null while the entry is being removed.
        if (text === null || !Object.hasOwn(entries, id)) continue;
        left -= (await countTokens(text)).tokens + TOKENS_OF_AN_ENTRY;
        if (left < 0) return { ids, texts };
        ids.push(id);
        texts.push(text);
      }
      after = page.next;
    } while (after !== null);
    return { ids, texts };
  }
}

/**
 * A bot whose owner has not decided uses the memory in the owner's own conversations, while no one else has configured it: an editor could make
 * the model send the entries to a tool, or add others.
 */
function allows(bot: BotWithMemory | null, userId: string): boolean {
  return bot === null || (bot.memory ?? (bot.ownerId === userId && bot.configuredBy === userId));
}
