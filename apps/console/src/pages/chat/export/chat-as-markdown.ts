import type { ContentPart, Message } from '@parlance/client/types';
import { formatNumber, formatTime } from '../../../messages/format.ts';
import type { chatExport } from '../../../messages/en/chat/export.ts';
import { citedIn } from '../messages/sources/citations.ts';

export interface ExportedChat {
  readonly title: string;
  readonly botTitle: string | null;
  /** The messages of one branch, the oldest first. */
  readonly messages: readonly Message[];
  /** Whether earlier messages were left out. */
  readonly isCut: boolean;
}

interface Options {
  readonly texts: typeof chatExport;
  readonly nameOf: (model: string) => string;
  /** Epoch seconds. */
  readonly now: number;
}

/** A chat as GitHub-flavoured Markdown. Sources become footnotes, numbered through the whole chat. */
export function chatAsMarkdown({ title, botTitle, messages, isCut }: ExportedChat, { texts, nameOf, now }: Options): string {
  const notes: string[] = [];
  const intro = [
    ...(botTitle === null ? [] : [texts.bot(botTitle)]),
    texts.exported(formatTime(now)),
    ...(isCut ? [texts.tooLong(formatNumber(messages.length))] : []),
  ].join(' ');
  const parts = messages.map((message) => {
    const who = message.role === 'user' ? texts.you : nameOf(message.model);
    const body = message.content.flatMap((part) => bodyOf(part, texts) ?? []);
    const failure = message.status === 'failed' ? [`*${texts.failed}*`] : [];
    return [
      `## ${oneLine(who)}`,
      `*${formatTime(message.create_time)}*`,
      withNotes([...body, ...failure].join('\n\n'), message, notes, texts),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  });
  return `${[`# ${oneLine(title)}`, intro, ...parts, notes.join('\n')].filter((text) => text !== '').join('\n\n')}\n`;
}

/** Null for parts that readers of the chat see only on request. */
function bodyOf(part: ContentPart, texts: typeof chatExport): string | null {
  if (part.content_type === 'text') return part.body;
  if (part.content_type === 'attachment') return `*${texts.attached(part.file_name)}*`;
  if (part.content_type === 'image') return `*${texts.attached(texts.image)}*`;
  return part.content_type === 'tool_use' ? `*${texts.tool(part.body.name)}*` : null;
}

/** Replaces the marks of this reply, which count its own sources, and adds its sources to the notes. */
function withNotes(body: string, { used_chunks: chunks = [] }: Message, notes: string[], texts: typeof chatExport): string {
  let text = body;
  const cited = citedIn(body, chunks).filter(({ rank }) => body.includes(`[^${rank}]`));
  const numbers = new Map<string, number>();
  for (const { rank, source_name, page_number } of cited) {
    const name = [oneLine(source_name), ...(page_number === null ? [] : [texts.page(page_number)])].join(', ');
    notes.push(`[^${notes.length + 1}]: ${name}`);
    numbers.set(String(rank), notes.length);
  }
  text = text.replaceAll(/\[\^(\d{1,3})\]/g, (mark, rank: string) => (numbers.has(rank) ? `[^${numbers.get(rank)}]` : mark));
  return text;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
