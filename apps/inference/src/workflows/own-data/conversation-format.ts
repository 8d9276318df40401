import { Instant } from '@parlance/decider';

/** The format of one conversation. The import of conversations reads it. */
export const CONVERSATION_FORMAT = 'parlance-conversation/1';

export type ExportedPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'tool_result'; readonly id: string; readonly name: string; readonly status: string; readonly text: string }
  /** `path`: the path in the archive. Null if the file is left out. */
  | {
      readonly type: 'file';
      readonly path: string | null;
      readonly name: string | null;
      readonly media_type: string;
      readonly bytes: number;
    };

export interface ExportedSource {
  readonly rank: number;
  readonly source: string;
  readonly source_name: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  readonly content: string;
}

export interface ExportedFeedback {
  readonly thumbs_up: boolean;
  readonly category: string | null;
  readonly comment: string | null;
}

export interface ExportedMessage {
  readonly id: string;
  readonly parent_id: string | null;
  readonly role: 'user' | 'assistant';
  /** Null for a message of the user. */
  readonly model: string | null;
  /** Epoch milliseconds. */
  readonly create_time: number;
  readonly content: readonly ExportedPart[];
  readonly feedback: ExportedFeedback | null;
  /** The sources of the reply, if it shows them. */
  readonly sources?: readonly ExportedSource[];
  /** Why the reply failed. A failed reply may have some text. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ExportedConversation {
  readonly id: string;
  readonly title: string;
  readonly botId: string | null;
  readonly startedAt: Instant;
  /** Null for none. */
  readonly projectId: string | null;
  readonly isPinned: boolean;
}

type Pages = AsyncIterable<readonly ExportedMessage[]>;

/** The conversation as JSON, one message per line. */
export async function* asJson(
  { id, title, botId, startedAt, projectId, isPinned }: ExportedConversation,
  pages: Pages,
): AsyncGenerator<string> {
  const place = { ...(projectId !== null && { project_id: projectId }), ...(isPinned && { pinned: true }) };
  const head = JSON.stringify({ format: CONVERSATION_FORMAT, id, title, bot_id: botId, create_time: startedAt, ...place });
  yield `${head.slice(0, -1)},"messages":[`;
  let separator = '\n';
  for await (const messages of pages)
    for (const message of messages) {
      yield separator + JSON.stringify(message);
      separator = ',\n';
    }
  yield '\n]}\n';
}

/** The conversation as readable Markdown: texts, files and sources. The JSON has everything. */
export async function* asMarkdown({ title, startedAt }: ExportedConversation, pages: Pages): AsyncGenerator<string> {
  yield `# ${lineOf(title)}\n\nBegun ${timeOf(startedAt)}\n`;
  let last: string | null = null;
  for await (const messages of pages)
    for (const message of messages) {
      yield sectionOf(message, last);
      last = message.id;
    }
}

function sectionOf(
  { id, parent_id, role, model, create_time, content, sources = [], error }: ExportedMessage,
  last: string | null,
): string {
  const author = role === 'user' ? 'You' : `Assistant (${lineOf(model ?? '')})`;
  const parts = content.map(partOf).filter((part) => part !== '');
  return [
    `\n## ${author}, ${timeOf(create_time as Instant)}`,
    `<!-- ${id} -->`,
    // Branches are not nested. Messages are in chronological order.
    ...(parent_id === last ? [] : [parent_id === null ? '*Starts the conversation again.*' : `*Follows the message ${parent_id}.*`]),
    ...parts,
    ...sources.map((source) => `[^${source.rank}]: ${lineOf(source.source_name)} (${lineOf(source.source)})`),
    ...(error ? [`*The reply failed: ${lineOf(error.message)}*`] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function partOf(part: ExportedPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_use':
      return `*Calls the tool ${lineOf(part.name)}.*`;
    case 'file': {
      const name = lineOf(part.name ?? 'image').replaceAll(/[[\]\\]/g, '\\$&');
      return part.path === null ? `*The file ${name} is left out.*` : `[${name}](../${part.path})`;
    }
    default:
      return '';
  }
}

const lineOf = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
const timeOf = (at: Instant): string => `${Instant.toString(at).slice(0, 16).replace('T', ' ')} UTC`;
