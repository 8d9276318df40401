/** Ends an event in streams whose lines end with a line feed. Other streams pass unchanged. */
const END = '\n\n';
/**
 * A text field that continues the text of the previous piece. Quotes inside a JSON string are escaped with a backslash, so this never matches
 * within a text.
 */
const TEXT = /"(?:content|text|thinking|reasoning|reasoning_content)":"/;
const DELTA = '"delta":{';
/** Other fields with content. Events with more than one text are left unchanged. */
const MORE =
  /"(?:content|text|thinking|reasoning|reasoning_content|reasoning_details|tool_calls|arguments|partial_json|signature|refusal)":(?!null|\[\])/;
/** The end of a JSON string whose beginning was cut off. */
const REST_OF_TEXT = /[^"\\]*(?:\\.[^"\\]*)*/y;
/** Limit on the bytes of a joined event's text. */
const LONGEST_TEXT = 16_384;

/** An event, cut around its text. */
interface Piece {
  readonly before: string;
  text: string;
  readonly after: string;
}

/**
 * Joins adjacent events that arrived in one read and differ only in their text, because each event costs the SDK and later steps about 40 µs.
 * Nothing is delayed: if a model is slower than this process, its events arrive in separate reads and pass unchanged.
 */
export class JoinedEvents {
  /** True if the previous read ended inside an event. */
  private isInside = false;

  /** Returns the bytes of a read with fewer events. All bytes are in the result, so nothing waits for a later read. */
  add(read: Buffer): Buffer {
    const ends = read.lastIndexOf(END) + END.length;
    const firstEnds = read.indexOf(END) + END.length;
    const wasInside = this.isInside;
    this.isInside = ends < END.length || ends !== read.length;
    // Fewer than two complete events.
    const begin = wasInside ? firstEnds : 0;
    if (firstEnds === ends || begin >= ends) return read;
    // Latin-1, so that each byte is one character. The characters of JSON syntax are the same in UTF-8.
    const joined = joinedIn(read.toString('latin1', begin, ends));
    return joined === null ? read : Buffer.concat([read.subarray(0, begin), Buffer.from(joined, 'latin1'), read.subarray(ends)]);
  }
}

/** Null if no events could be joined. */
function joinedIn(events: string): string | null {
  let result = '';
  let open: Piece | null = null;
  let hasJoined = false;
  for (let at = 0, end = 0; at < events.length; at = end) {
    end = events.indexOf(END, at) + END.length;
    const text: string | null = open && textBetween(open, events, at, end);
    if (open && text !== null) {
      open.text += text;
      hasJoined = true;
      continue;
    }
    if (open) result += written(open);
    open = cut(events.slice(at, end));
    if (!open) result += events.slice(at, end);
  }
  return hasJoined ? result + (open ? written(open) : '') : null;
}

const written = ({ before, text, after }: Piece): string => before + text + after;

/** The text of an event that is otherwise equal to the piece. Null for a different event. */
function textBetween({ before, text, after }: Piece, events: string, at: number, end: number): string | null {
  const [begin, rest] = [at + before.length, end - after.length];
  const isSame = text.length < LONGEST_TEXT && begin <= rest && events.startsWith(before, at) && events.startsWith(after, rest);
  return isSame && endOfText(events, begin) === rest ? events.slice(begin, rest) : null;
}

/** Null for an event that adds no text or more than one text. */
function cut(event: string): Piece | null {
  const found = TEXT.exec(event);
  if (!found) return null;
  const begin = found.index + found[0].length;
  const end = endOfText(event, begin);
  const [before, after] = [event.slice(0, begin), event.slice(end)];
  const hasMore = end === begin || MORE.test(event.slice(0, found.index)) || MORE.test(after);
  return !hasMore && before.includes(DELTA) && event[end] === '"' ? { before, text: event.slice(begin, end), after } : null;
}

/** The end of the JSON string whose text starts at `begin`. */
function endOfText(events: string, begin: number): number {
  REST_OF_TEXT.lastIndex = begin;
  REST_OF_TEXT.exec(events);
  return REST_OF_TEXT.lastIndex;
}
