import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { patience, waitFor } from '@parlance/testing';

/** The files of the guide, which the bot must have. */
export const guideFiles = readdirSync(fileURLToPath(new URL('../../../docs/guide', import.meta.url))).toSorted();

/** The sentence that must be quoted, by quick starter. */
const SENTENCES: Readonly<Record<string, string>> = {
  'Give a bot knowledge': 'You upload a file to the knowledge of a bot in three steps.',
  'Connect a model': 'To connect a model of OpenAI, Anthropic or Amazon Bedrock, an administrator opens the page "Connect a model"',
  'Publish a bot': 'To publish a bot as a REST API, share it with all users',
};

const from = (file: string) => ({ model: 'local-extractive', file });

/** The result of `tryStarters` if each quick starter is answered. */
export const answered = {
  'Give a bot knowledge': from('files-and-knowledge.md'),
  'Connect a model': from('connect-a-model.md'),
  'Publish a bot': from('bots-as-apis.md'),
};

// The stories read answers of any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Answering = Promise<{ readonly status: number; readonly body: any }>;

interface Chunk {
  readonly rank: number;
  readonly source: string;
  readonly content: string;
}

/** The chunk that a quote cites at its end. */
function chunkOf(quote: string | undefined, chunks: readonly Chunk[]): Chunk | undefined {
  const rank = Number(/\[\^(\d+)\]$/.exec(quote ?? '')?.[1]);
  return chunks.find((chunk) => chunk.rank === rank);
}

/** One user of a running product. */
export class GuideReader {
  private token = '';

  constructor(private readonly url: () => string) {}

  async ask(method: string, path: string, body?: object): Answering {
    const headers = { ...(this.token && { authorization: `Bearer ${this.token}` }), ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${this.url()}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  async signIn(credentials: { readonly email: string; readonly password: string }): Promise<void> {
    this.token = (await this.ask('POST', '/auth/sign-in', credentials)).body.access_token;
  }

  /** Waits until the knowledge of the only guide is read, and returns the ID of the guide. */
  async guide(): Promise<string> {
    let pinned: { id: string; title: string; status: string; sync_status: string }[] = [];
    const isReady = async () => {
      pinned = (await this.ask('GET', '/bot/pinned')).body.bots;
      return pinned.length > 0 && pinned[0]!.sync_status === 'SUCCEEDED';
    };
    await waitFor(isReady, { what: 'the guide to be read', timeout: patience(120_000) });
    if (pinned.length > 1 || pinned[0]!.title !== 'Parlance Guide') throw new Error(`The pinned bots are ${JSON.stringify(pinned)}`);
    return pinned[0]!.id;
  }

  /** Sends each quick starter as a message. Returns the answering model, and the file that the expected sentence is quoted from. */
  async tryStarters(botId: string): Promise<Readonly<Record<string, object>>> {
    const { conversation_quick_starters: starters } = (await this.ask('GET', `/bot/${botId}`)).body;
    const tried: Record<string, object> = {};
    for (const { title, example } of starters as { title: string; example: string }[]) {
      const { model, paragraphs, chunks } = await this.reply(botId, example);
      const sentence = SENTENCES[title] ?? 'no sentence is expected';
      const quote = paragraphs.find((paragraph) => paragraph.startsWith('> ') && paragraph.includes(sentence));
      const cited = chunkOf(quote, chunks);
      tried[title] = { model, file: cited?.content.includes(sentence) ? cited.source : null };
    }
    return tried;
  }

  /** The quotes in the answer to a question, and their files. */
  async answerTo(botId: string, question: string): Promise<{ readonly quoted: readonly string[]; readonly cited: readonly string[] }> {
    const { paragraphs, chunks } = await this.reply(botId, question);
    const quoted = paragraphs.filter((paragraph) => paragraph.startsWith('> '));
    return { quoted, cited: quoted.flatMap((quote) => chunkOf(quote, chunks)?.source ?? []) };
  }

  private async reply(botId: string, question: string) {
    const message = { content: [{ content_type: 'text', body: question }] };
    const { conversation_id, message_id } = (await this.ask('POST', '/conversation', { bot_id: botId, message })).body;
    let reply: Awaited<Answering> | undefined;
    const isThere = async () => (reply = await this.ask('GET', `/conversation/${conversation_id}/${message_id}`)).status === 200;
    await waitFor(isThere, { what: `the answer to ${question}` });
    const { model, content, used_chunks } = reply!.body.message;
    return { model, paragraphs: (content[0].body as string).split('\n\n'), chunks: used_chunks as readonly Chunk[] };
  }

  /** The number of entries in the audit log for each action on the bot. */
  async auditActions(botId: string): Promise<Readonly<Record<string, number>>> {
    const { audit_logs } = (await this.ask('GET', `/admin/audit-logs/resource/bot/${botId}?limit=1000`)).body;
    const counts: Record<string, number> = {};
    for (const { action_type } of audit_logs) counts[action_type] = (counts[action_type] ?? 0) + 1;
    return counts;
  }
}

/** The audited actions on a guide that was created once, even with interruptions. */
export const madeOnce = { create_bot: 1, upload_file: guideFiles.length, change_visibility: 1, pin: 1 };
