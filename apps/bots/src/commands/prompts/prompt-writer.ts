import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { type ExecuteOptions, Streams } from '@parlance/foundation';
import { requireMatch } from '@parlance/http';
import { type Seal, type Sealed, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { ownerErased, promptChanged, promptNotFound } from '../../domain/prompts/prompt-refusals.ts';
import { type PromptContent, prompts, type PromptsCommand, promptsStream } from '../../domain/prompts/prompts.ts';
import type { Gone, Person, SharingRequest } from '../../domain/sharing.ts';
import { PromptOf, type WholePrompt } from '../../projections/prompts/prompts.ts';
import { ExecutePrompts } from '../aggregates.ts';
import { PromptCommandHashes } from './prompt-command-hashes.ts';
import { promptSubject } from './prompt-subject.ts';

/** The content of a prompt before it is sealed. An empty description is ''. */
export interface PlainPrompt {
  readonly title: string;
  readonly command: string;
  readonly description: string;
  readonly text: string;
}

/** How often a change is tried that others overtake, and the pause in between: a row of another replica may be late. */
const TRIES = 5;
const PAUSE_MILLIS = 50;

/** Seals and executes the commands on prompts. Each method throws the refusals of the decider. */
@Injectable()
export class PromptWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly hashes: PromptCommandHashes,
  ) {}

  /** Throws `prompt_not_found` (missing) too. With `person`: also if this user may not see the prompt. */
  async of(promptId: string, person: Person | null): Promise<WholePrompt> {
    const found = await this.queries.execute(new PromptOf(promptId, person));
    if (!found) throw promptNotFound();
    return found;
  }

  async create(promptId: string, ownerId: string, plain: PlainPrompt): Promise<void> {
    const erased = (error: unknown) => (error instanceof Shredded || error instanceof SubjectMoved ? ownerErased() : error);
    await this.sealing({ promptId, ownerId, instead: erased }, (seal) => {
      const { title, command, commandHash, text, description } = this.sealed(plain, seal) as PromptContent;
      return { type: 'Create', promptId, ownerId, content: { title, command, commandHash, text, description } };
    });
  }

  /** Absent fields do not change. Without `If-Match`, the change is applied to the newest version. */
  async change(promptId: string, by: Person, changes: Partial<PlainPrompt>, ifMatch: string | undefined): Promise<void> {
    await this.basedOnNewest(ifMatch, async () => {
      const whole = await this.matching(promptId, by, ifMatch);
      const { version: basedOn, owner_user_id: ownerId } = whole.row;
      const differing = await this.differing(whole, changes);
      const changed = Object.keys(differing);
      await this.sealing({ promptId, ownerId }, (seal) => {
        const content = { ...contentOf(whole), ...this.sealed(differing, seal) };
        return { type: 'Change', promptId, by, basedOn, changed, content };
      });
    });
  }

  async restore(
    promptId: string,
    by: Person,
    { version: restored, content }: { readonly version: number; readonly content: PromptContent },
    ifMatch: string | undefined,
  ): Promise<void> {
    await this.basedOnNewest(ifMatch, async () => {
      const { version: basedOn, owner_user_id: ownerId } = (await this.matching(promptId, by, ifMatch)).row;
      await this.execute(ownerId, { type: 'Restore', promptId, by, basedOn, restored, content });
    });
  }

  async share(promptId: string, by: Person, sharing: SharingRequest, ifMatch: string | undefined): Promise<void> {
    const { version, owner_user_id } = (await this.matching(promptId, by, ifMatch)).row;
    const basedOn = ifMatch === undefined ? {} : { basedOn: version };
    await this.execute(owner_user_id, { type: 'Share', promptId, by, sharing, ...basedOn });
  }

  async delete(promptId: string, by: Person, ifMatch: string | undefined): Promise<void> {
    const { version, owner_user_id } = (await this.matching(promptId, by, ifMatch)).row;
    const basedOn = ifMatch === undefined ? {} : { basedOn: version };
    await this.execute(owner_user_id, { type: 'Delete', promptId, by, ...basedOn });
    await this.shred(promptId);
  }

  /** Destroys the key of a deleted prompt's texts. */
  async shred(promptId: string): Promise<void> {
    await this.vault.shred(promptSubject(promptId, '').id);
  }

  async forgetListed(ownerId: string, gone: Gone): Promise<void> {
    await this.execute(ownerId, { type: 'ForgetListed', gone });
  }

  /** Deletes all prompts of an erased user. No prompt can be created afterwards. */
  async erase(ownerId: string): Promise<void> {
    const { prompts: own } = await this.streams.load(prompts, promptsStream(ownerId));
    await this.execute(ownerId, { type: 'Erase' });
    await Promise.all(Object.keys(own).map((promptId) => this.shred(promptId)));
  }

  private async matching(promptId: string, person: Person, ifMatch: string | undefined): Promise<WholePrompt> {
    const found = await this.of(promptId, person);
    requireMatch(ifMatch, found.row.version);
    return found;
  }

  /** Repeats a change that another one overtook, unless the client has named the version. */
  private async basedOnNewest(ifMatch: string | undefined, work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        const isStale = error instanceof Refusal && error.code === promptChanged().code;
        if (!isStale || ifMatch !== undefined || tries === TRIES) throw error;
        await setTimeout(PAUSE_MILLIS);
      }
    }
  }

  private async differing({ row, text }: WholePrompt, changes: Partial<PlainPrompt>): Promise<Partial<PlainPrompt>> {
    const present = { title: row.title, command: row.command, description: row.description, text };
    const differing: [string, string][] = [];
    for (const name of ['title', 'command', 'description', 'text'] as const) {
      const change = changes[name];
      if (change !== undefined && change !== (await this.opened(present[name]))) differing.push([name, change]);
    }
    return Object.fromEntries(differing);
  }

  /** Throws `prompt_not_found` if the key is destroyed, because the prompt is being deleted. */
  private async opened(text: string | null): Promise<string> {
    if (text === null) return '';
    const plain = await this.vault.open(text as Sealed);
    if (plain === null) throw promptNotFound();
    return plain;
  }

  private sealed({ title, command, description, text }: Partial<PlainPrompt>, seal: Seal): Partial<PromptContent> {
    return {
      ...(title !== undefined && { title: seal.text(title) }),
      ...(command !== undefined && { command: seal.text(command), commandHash: this.hashes.of(command) }),
      ...(description !== undefined && { description: description === '' ? null : seal.text(description) }),
      ...(text !== undefined && { text: seal.text(text) }),
    };
  }

  private async sealing(
    { promptId, ownerId, instead = withoutKey }: { promptId: string; ownerId: string; instead?: (error: unknown) => unknown },
    command: (seal: Seal) => PromptsCommand,
  ): Promise<void> {
    try {
      await this.vault.sealing(promptSubject(promptId, ownerId), async (seal) => {
        const { written } = await this.execute(ownerId, command(seal), { companions: seal.companions });
        if (written) seal.stored();
      });
    } catch (error) {
      throw instead(error);
    }
  }

  private execute(ownerId: string, command: PromptsCommand, options: ExecuteOptions = {}) {
    return this.commands.execute(new ExecutePrompts(ownerId, command, options));
  }
}

/** A prompt without its key is being deleted. */
const withoutKey = (error: unknown) => (error instanceof Shredded || error instanceof SubjectMoved ? promptNotFound() : error);

const contentOf = ({ row, text }: WholePrompt): PromptContent => ({
  title: row.title,
  command: row.command,
  commandHash: row.command_hash,
  description: row.description,
  text,
});
