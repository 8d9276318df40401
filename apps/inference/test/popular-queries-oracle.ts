import type { Commit } from '@parlance/event-store';

/** A message to a bot, as the log has it. */
interface AskedQuestion {
  readonly stream: string;
  readonly id: string;
  readonly bot: string;
  readonly at: number;
  readonly text: string;
}

interface StoredEvent {
  readonly type: string;
  readonly botId?: string | null;
  readonly messageId?: string;
  readonly messageIds?: readonly string[];
  readonly content?: string;
}

/** All messages to bots that remain at the end of a log, the oldest first. `open` returns null for erased content. */
export async function questionsIn(
  log: readonly Commit[],
  open: (sealed: string) => Promise<string | null>,
): Promise<readonly AskedQuestion[]> {
  let messages: AskedQuestion[] = [];
  for (const { stream, events, metadata } of log) {
    for (const { event } of events as unknown as readonly { readonly event: StoredEvent }[]) {
      if (event.type === 'MessageSubmitted' && event.botId) {
        const text = await open(event.content!);
        if (text !== null) messages.push({ stream, id: event.messageId!, bot: event.botId, at: metadata.at, text });
      }
      if (event.type === 'MessagesRemoved') messages = messages.filter(({ id }) => !event.messageIds!.includes(id));
      if (event.type === 'ConversationErased') messages = messages.filter((each) => each.stream !== stream);
    }
  }
  return messages;
}

const isPartOfWord = (character: string) => /^[\p{Letter}\p{Mark}\p{Number}]$/u.test(character);

/** The words of a text in lower case. */
function wordsOf(text: string): readonly string[] {
  const words = [''];
  for (const character of text.normalize('NFKC').toLowerCase()) {
    if (isPartOfWord(character)) words[words.length - 1] += character;
    else words.push('');
  }
  return words.filter((word) => word !== '');
}

function partsOf(text: string): readonly string[] {
  const characters = Array.from(` ${text} `);
  const parts: string[] = [];
  for (let index = 0; index + 3 <= characters.length; index++)
    parts.push(characters[index]! + characters[index + 1]! + characters[index + 2]!);
  return [...new Set(parts)];
}

/** Twice the common parts, divided by all parts of both. */
function likeness(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return (2 * a.filter((part) => b.includes(part)).length) / (a.length + b.length);
}

const by = <Value>(...keys: ((value: Value) => number | string)[]) => {
  return (one: Value, other: Value): number => {
    for (const key of keys) if (key(one) !== key(other)) return key(one) < key(other) ? -1 : 1;
    return 0;
  };
};

/** The most frequent questions, for fewer than 100 different ones. Shares no code with the service. */
export function popularAmong(texts: readonly string[], limit: number): readonly { readonly query: string; readonly count: number }[] {
  const same = Map.groupBy(
    texts.filter((text) => wordsOf(text).length > 0),
    (text) => wordsOf(text).join(' '),
  );
  const groups = [...same].map(([folded, its]) => {
    const written = [...Map.groupBy(its, (text) => text.split(/\s+/u).join(' ').trim())];
    const [shown] = written.toSorted(
      by<(typeof written)[number]>(
        ([, all]) => -all.length,
        ([text]) => text,
      ),
    )[0]!;
    return { folded, shown, count: its.length };
  });
  const counted: { folded: string; query: string; count: number }[] = [];
  for (const { folded, shown, count } of groups.toSorted(
    by<(typeof groups)[number]>(
      (group) => -group.count,
      (group) => group.folded,
    ),
  )) {
    const joined = counted.find((earlier) => likeness(earlier.folded, folded) >= 0.8);
    if (joined) joined.count += count;
    else counted.push({ folded, query: shown, count });
  }
  return counted
    .toSorted(by<(typeof counted)[number]>((each) => -each.count))
    .slice(0, limit)
    .map(({ query, count }) => ({ query, count }));
}
