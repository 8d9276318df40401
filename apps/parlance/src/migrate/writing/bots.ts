import type { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { Caller } from '@parlance/http';
import type { Entry } from '../ledger.ts';
import { LeftOut, type Note } from '../mapping/note.ts';
import { botOf, filenamesOf, type Offered, type OutBot } from '../mapping/bot.ts';
import { botIdOf } from '../mapping/ids.ts';
import { unknownFields } from '../mapping/unknown-fields.ts';
import { lastUseLost } from '../mapping/last-use.ts';
import type { ExportDirectory } from '../source/export-directory.ts';
import { isPublished, type SourceRecord } from '../source/records.ts';
import type { Scan } from '../source/scan.ts';
import { type Product, withPatience } from './product.ts';
import type { Accounts } from './users.ts';

export interface BotWriting {
  readonly source: ExportDirectory;
  readonly accounts: Accounts;
  /** The names of the groups of each user of the source. */
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
  readonly offered: Offered;
  readonly scanned: Pick<Scan, 'hasUse' | 'hasConversation'>;
  /** The bots imported so far. */
  readonly taken: TakenBots;
  /** Null for a dry run. */
  readonly product: Product | null;
  /** The user in whose name bots are pinned; null if there is no Admin. */
  readonly adminId: string | null;
  /** An earlier run has finished all bots. */
  readonly wereDone: boolean;
}

type Leave = (reason: string, detail?: string, isPartly?: boolean) => void;
const caller = (userId: string, ...groups: string[]): Caller => ({ userId, groups, sessionId: null, kind: 'user' });

/** The data of a bot that the import of other users' stars needs. Users and groups have their IDs of the source. */
type Taken = Pick<OutBot, 'sharing'> & { readonly ownerId: string };
export type TakenBots = Map<string, Taken>;

/** Imports a bot with the ordinary commands of its owner. Resolves with false if the bot was left out. */
export async function takeBot(record: SourceRecord, writing: BotWriting, leave: Leave): Promise<boolean> {
  const { accounts, offered, product, taken } = writing;
  const leftOut = (reason: string, detail: string): false => {
    leave(reason, detail);
    return false;
  };
  const owner = accounts.get(record.userId);
  if (owner === undefined) return leftOut('user_unknown', record.userId);
  const notes: Note[] = [];
  try {
    const bot = botOf(record, await filesOf(record, writing, notes), offered, notes);
    if (isPublished(record))
      notes.push({ reason: 'publication_not_taken', detail: 'Publish the bot again, and give new keys to its callers.' });
    const lost = lastUseLost(record, writing.scanned.hasUse(record.userId, record.id));
    if (lost) notes.push(lost);
    const users = bot.sharing.users.filter((user) => accounts.has(user) || void notes.push(notShared(user)));
    for (const { reason, detail } of notes) leave(reason, detail, true);
    if (product) await new BotOfOwner(bot, { owner, record, users }, writing, product, leave).take();
    taken.set(bot.id, { ownerId: record.userId, sharing: bot.sharing });
    return true;
  } catch (error) {
    if (error instanceof LeftOut) return leftOut(error.reason, error.detail);
    if (error instanceof Refusal) return leftOut(error.code, error.message);
    throw error;
  }
}

const notShared = (user: string): Note => ({ reason: 'user_unknown', detail: `The bot is not shared with ${user}.` });

/** The names of the files that are in the export. */
async function filesOf(record: SourceRecord, { source }: BotWriting, notes: Note[]): Promise<string[]> {
  const names: string[] = [];
  for (const name of filenamesOf(record)) {
    const key = keyOf(record, name);
    if ((await source.file(key)) !== null) names.push(name);
    else notes.push({ reason: 'file_missing', detail: `files/${key}` });
  }
  return names;
}

const keyOf = ({ userId, id }: SourceRecord, name: string) => `${userId}/${id}/documents/${name}`;

interface Belongings {
  readonly owner: string;
  readonly record: SourceRecord;
  /** IDs in the source of users who are known here. */
  readonly users: readonly string[];
}

class BotOfOwner {
  private readonly owner: string;

  constructor(
    private readonly bot: OutBot,
    private readonly belongings: Belongings,
    private readonly writing: BotWriting,
    private readonly product: Product,
    private readonly leave: Leave,
  ) {
    this.owner = belongings.owner;
  }

  async take(): Promise<void> {
    const isThere = await this.isThere();
    if (!isThere) {
      const { filenames } = this.bot.body['knowledge'] as { filenames: readonly string[] };
      for (const name of filenames) await this.upload(name, (await this.writing.source.file(keyOf(this.belongings.record, name)))!);
      const { id, createdAt, body: bot } = this.bot;
      const imported = { id, ...(createdAt !== null && { created_at: createdAt }), bot };
      await withPatience(() => this.product.calls.post('bots', '/internal/imports/bots', imported, this.as));
    }
    // The owner may have restricted it since the earlier run.
    if (isThere && this.writing.wereDone) return;
    await this.share();
    if (this.bot.isStarred) await star(this.product.calls, this.bot.id, this.owner);
  }

  private get as() {
    return { caller: caller(this.owner, 'CreatingBotAllowed') };
  }

  private async isThere(): Promise<boolean> {
    try {
      await withPatience(() => this.product.calls.get('bots', `/bot/${this.bot.id}`, this.as));
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'missing') return false;
      throw error;
    }
  }

  private async upload(name: string, bytes: Buffer): Promise<void> {
    const query = { filename: name, content_type: 'application/octet-stream' };
    const address = await withPatience(() =>
      this.product.calls.get<{ url: string; headers: Record<string, string> }>('bots', `/bot/${this.bot.id}/presigned-url`, {
        ...this.as,
        query,
      }),
    );
    const { pathname, search } = new URL(address.url);
    const url = this.product.uploads === null ? address.url : new URL(pathname + search, this.product.uploads);
    const answer = await fetch(url, { method: 'PUT', headers: address.headers, body: new Uint8Array(bytes) });
    await answer.arrayBuffer();
    if (!answer.ok) this.leave('file_not_stored', `${name}: the store of files answered ${answer.status}`, true);
  }

  private async share(): Promise<void> {
    const { sharing, pin, id } = this.bot;
    if (sharing.scope === 'private') return;
    const users = this.belongings.users.map((user) => this.writing.accounts.get(user)!).filter((user) => user !== this.owner);
    const lists =
      sharing.scope === 'partial' ? { target_allowed_user_ids: [...new Set(users)], target_allowed_group_ids: sharing.groups } : {};
    const body = { target_shared_scope: sharing.scope, ...lists };
    await withPatience(() => this.product.calls.patch('bots', `/bot/${id}/visibility`, body, this.as));
    if (pin === null) return;
    const { adminId } = this.writing;
    if (adminId === null) return this.leave('not_pinned', 'There is no Admin in whose name the bot could be pinned.', true);
    const as = { caller: caller(adminId, 'Admin') };
    await withPatience(() => this.product.calls.patch('bots', `/admin/bot/${id}/pushed`, { to_pinned: true, order: pin }, as));
  }
}

const star = (calls: ServiceCalls, botId: string, userId: string): Promise<void> =>
  withPatience(() => calls.patch('bots', `/bot/${botId}/starred`, { starred: true }, { caller: caller(userId) }));

/** Reports the parts of a user's entry for another user's bot that are not imported. `takeStar` imports the star. */
export function reportEntry(record: SourceRecord, { scanned }: BotWriting, leave: Leave): void {
  const lost = lastUseLost(record, scanned.hasUse(record.userId, String(record.item['OriginalBotId'])));
  for (const { reason, detail } of [...(lost ? [lost] : []), ...unknownFields('alias', record.item)]) leave(reason, detail, true);
}

/** Imports the star of a user's entry for another user's bot. Resolves with false if the star was left out. */
export async function takeStar({ userId, id, item }: SourceRecord, writing: BotWriting, leave: Leave): Promise<boolean> {
  const account = writing.accounts.get(userId);
  const original = item['OriginalBotId'];
  const bot = typeof original === 'string' ? writing.taken.get(botIdOf(original)) : undefined;
  if (account === undefined) leave('user_unknown', userId);
  else if (typeof original !== 'string' || original === '') leave('alias_without_bot', id);
  else if (!bot) leave('star_not_taken', `The bot ${original} is not taken.`);
  else if (!maySee(userId, writing.groupsOf.get(userId) ?? [], bot))
    leave('star_not_taken', `The bot ${original} is not shared with the user.`);
  else {
    if (!writing.product || writing.wereDone) return true;
    try {
      await star(writing.product.calls, botIdOf(original), account);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leave(error.code, error.message);
    }
  }
  return false;
}

function maySee(userId: string, groups: readonly string[], { ownerId, sharing: { scope, users, groups: allowed } }: Taken): boolean {
  if (userId === ownerId || scope === 'all') return true;
  const isListed = users.includes(userId) || groups.some((group) => group === 'Admin' || allowed.includes(group));
  return scope === 'partial' && isListed;
}

export const entryOf = (at: Pick<Entry, 'kind' | 'file' | 'line' | 'id'>, leave: (entry: Entry) => void): Leave => {
  return (reason, detail, isPartly) => leave({ ...at, reason, ...(detail && { detail }), ...(isPartly && { partly: true }) });
};
