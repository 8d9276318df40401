import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventStore } from '@parlance/event-store';
import { eraseEach, eraseInSteps, Erasing, type Removed } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { Projector } from '@parlance/read-models';
import { ExecuteBot, ExecuteShelf } from '../commands/aggregates.ts';
import { lastTitleSubject } from '../commands/bot-subject.ts';
import { BotWriter } from '../commands/bot-writer.ts';
import { PromptWriter } from '../commands/prompts/prompt-writer.ts';
import { userAudience } from '../domain/sharing.ts';
import { LastTitlesOfOwner } from '../projections/deleted/last-titles.ts';
import { BotsErasedOf, BotsListedUnder, BotsOf } from '../projections/bots/bot-queries.ts';
import { KnowledgeLeftBy, KnowledgeRemovedOf } from '../projections/knowledge/queries.ts';
import { PromptOwnersListing, PromptsErasedOf } from '../projections/prompts/prompts.ts';
import { ShelvesErasedOf, ShelvesOf } from '../projections/shelves.ts';
import { KnowledgeRemoval } from '../workflows/knowledge-removal.ts';

const SHREDDED_AT_ONCE = 200;

/**
 * Deletes the bots, the prompts and the shelf of an erased user, and removes the user from the lists of other bots and prompts. Other services are notified of each
 * deleted bot. A command resolves when its rows are written, so each query finds further bots, until there are none.
 */
@Injectable()
export class EraseBotsWhenUserErased extends Erasing {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly writer: BotWriter,
    private readonly prompts: PromptWriter,
    private readonly removal: KnowledgeRemoval,
    private readonly vault: Vault,
    private readonly store: EventStore,
    private readonly projector: Projector,
  ) {
    super();
  }

  override async erase(userId: string): Promise<void> {
    const deleted: string[] = [];
    await eraseInSteps(
      () =>
        eraseEach(
          () => this.queries.execute(new BotsOf(userId)),
          async (id) => {
            await this.commands.execute(new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId: userId }));
            deleted.push(id);
          },
        ),
      // Keys that are destroyed together share the cleaning of the database file, which takes longer than everything else.
      async () => {
        for (let from = 0; from < deleted.length; from += SHREDDED_AT_ONCE)
          await Promise.all(deleted.slice(from, from + SHREDDED_AT_ONCE).map((id) => this.writer.shred(id)));
      },
      // Also of bots that another process has deleted meanwhile: identity's call and its event may arrive in two processes at once.
      () =>
        eraseEach(
          async () => {
            await this.projector.includes(await this.store.head());
            return this.queries.execute(new KnowledgeLeftBy(userId));
          },
          (botId) => this.removal.ofBot(botId, userId),
        ),
      () => this.removal.filesOfOwner(userId),
      () => this.prompts.erase(userId),
      () =>
        eraseEach(
          () => this.queries.execute(new PromptOwnersListing(userAudience(userId))),
          (ownerId) => this.prompts.forgetListed(ownerId, { userId }),
        ),
      () =>
        eraseEach(
          () => this.queries.execute(new ShelvesOf(userId)),
          (id) => this.commands.execute(new ExecuteShelf(id, { type: 'Clear' })),
        ),
      () =>
        eraseEach(
          () => this.queries.execute(new BotsListedUnder(userAudience(userId))),
          (id) => this.commands.execute(new ExecuteBot(id, { type: 'ForgetListed', gone: { userId } })),
        ),
      () =>
        eraseEach(
          () => this.queries.execute(new LastTitlesOfOwner(userId)),
          async (id) => {
            await this.vault.shred(lastTitleSubject(id, userId).id);
            await this.commands.execute(new ExecuteBot(id, { type: 'ForgetLastTitle', ownerUserId: userId }));
          },
        ),
    );
  }

  override async removedOf(userId: string): Promise<Removed> {
    const { files, chunks } = await this.queries.execute(new KnowledgeRemovedOf(userId));
    const prompts = await this.queries.execute(new PromptsErasedOf(userId));
    return {
      bots: await this.queries.execute(new BotsErasedOf(userId)),
      shelf_entries: await this.queries.execute(new ShelvesErasedOf(userId)),
      files,
      chunks,
      ...(prompts > 0 && { prompts }),
    };
  }
}
