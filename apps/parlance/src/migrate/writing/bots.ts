import type { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { Caller } from '@parlance/http';
import type { Entry } from '../ledger.ts';
import { LeftOut, type Note } from '../mapping/note.ts';
import { botOf, type OutBot } from '../mapping/bot.ts';
import { botIdOf } from '../mapping/ids.ts';
import type { ExportDirectory } from '../source/export-directory.ts';
import { isPublished, type SourceRecord } from '../source/records.ts';
import { type Product, withPatience } from './product.ts';
import type { Accounts } from './users.ts';

export interface BotWriting {
  readonly source: ExportDirectory;
  readonly accounts: Accounts;
  /** Null for a dry run. */
  readonly product: Product | null;
  /** The user in whose name bots are pinned; null without any Admin. */
  readonly adminId: string | null;
  /** An earlier run has finished all bots. */
  readonly wereDone: boolean;
}

type Leave = (reason: string, detail?: string, isPartly?: boolean) => void;
const caller = (userId: string, ...groups: string[]): Caller => ({ userId, groups, sessionId: null, kind: 'user' });

/** Takes a bot by the ordinary commands of its owner. False if it was left out. */
export async function takeBot(record: SourceRecord, writing: BotWriting, leave: Leave): Promise<boolean> {
  const owner = writing.accounts.get(record.userId);
  if (owner === undefined) {
    leave('user_unknown', record.userId);
    return false;
  }
  const notes: Note[] = [];
  try {
    const bot = botOf(record, notes);
    if (isPublished(record)) leave('publication_not_taken', 'Publish the bot again, and give new keys to its callers.', true);
    for (const { reason, detail } of notes) leave(reason, detail, true);
    const files = await filesOf(bot, record, writing, leave);
    if (writing.product) await new BotOfOwner(bot, owner, writing, writing.product, leave).take(files);
    return true;
  } catch (error) {
    if (error instanceof LeftOut) leave(error.reason, error.detail);
    else if (error instanceof Refusal) leave(error.code, error.message);
    else throw error;
    return false;
  }
}

/** The names of the files that are in the export. */
async function filesOf(bot: OutBot, record: SourceRecord, { source }: BotWriting, leave: Leave) {
  const names: string[] = [];
  for (const name of bot.knowledge.filenames) {
    const key = keyOf(record, name);
    if ((await source.file(key)) !== null) names.push(name);
    else leave('file_missing', `files/${key}`, true);
  }
  return names.map((name) => ({ name, key: keyOf(record, name) }));
}

const keyOf = ({ userId, id }: SourceRecord, name: string) => `${userId}/${id}/documents/${name}`;

class BotOfOwner {
  constructor(
    private readonly bot: OutBot,
    private readonly owner: string,
    private readonly writing: BotWriting,
    private readonly product: Product,
    private readonly leave: Leave,
  ) {}

  async take(files: readonly { readonly name: string; readonly key: string }[]): Promise<void> {
    const isThere = await this.isThere();
    if (!isThere) {
      for (const { name, key } of files) await this.upload(name, (await this.writing.source.file(key))!);
      await this.create(files.map(({ name }) => name));
    }
    // Otherwise its owner may have narrowed it since.
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

  private async create(filenames: readonly string[]): Promise<void> {
    const { id, body, perhaps, knowledge } = this.bot;
    const { s3_urls, ...others } = knowledge;
    const sources = { ...others, filenames };
    const whole = { id, ...body, ...perhaps, knowledge: { ...sources, s3_urls } };
    try {
      return await this.post(whole);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
      // The installation may not have what the source had.
      await this.post({
        id,
        ...body,
        knowledge: { ...sources, source_urls: sources.source_urls.filter(isUrl), sitemap_urls: sources.sitemap_urls.filter(isUrl) },
      });
      this.leave('knowledge_settings_not_taken', error.message, true);
    }
  }

  private post(body: object): Promise<void> {
    return withPatience(() => this.product.calls.post('bots', '/bot', body, this.as));
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
    const users = sharing.users.flatMap((user) => this.accountOf(user)).filter((user) => user !== this.owner);
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

  private accountOf(sourceId: string): string[] {
    const account = this.writing.accounts.get(sourceId);
    if (account === undefined) this.leave('user_unknown', `The bot is not shared with ${sourceId}.`, true);
    return account === undefined ? [] : [account];
  }
}

const isUrl = (text: string) => URL.canParse(text);

const star = (calls: ServiceCalls, botId: string, userId: string): Promise<void> =>
  withPatience(() => calls.patch('bots', `/bot/${botId}/starred`, { starred: true }, { caller: caller(userId) }));

/** A user's own entry for the bot of another user. Only a star is kept of it. False if it was left out. */
export async function takeAlias({ userId, id, item }: SourceRecord, writing: BotWriting, leave: Leave): Promise<boolean> {
  const account = writing.accounts.get(userId);
  const original = item['OriginalBotId'];
  if (account === undefined) leave('user_unknown', userId);
  else if (typeof original !== 'string' || original === '') leave('alias_without_bot', id);
  else {
    const isStarred = item['IsStarred'] === 'TRUE' || item['IsPinned'] === true;
    if (!isStarred || !writing.product || writing.wereDone) return true;
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

export const entryOf = (at: Pick<Entry, 'kind' | 'file' | 'line' | 'id'>, leave: (entry: Entry) => void): Leave => {
  return (reason, detail, isPartly) => leave({ ...at, reason, ...(detail && { detail }), ...(isPartly && { partly: true }) });
};
