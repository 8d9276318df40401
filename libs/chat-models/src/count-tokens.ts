import { isTurnOver, nextTurn } from '@parlance/event-loop';

/** A run of letters, punctuation or spaces is counted in pieces of this length, because the tokenizer's time is quadratic in the length of a run. */
const LONGEST_RUN = 64;
const LONG_RUN = new RegExp(`[\\p{L}\\p{M}]{${LONGEST_RUN}}|[^\\s\\p{L}\\p{N}]{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'gu');
/** The most characters that are counted without yielding. */
const PIECE = 1_024;
/** Up to this many characters are counted exactly, which takes about 25 ms. A text of 1 MiB would take 0.4 s of the event loop's time. */
export const COUNTED_EXACTLY = 64 * 1_024;

/** Loaded when first needed: its tables take 30 MB that an idle process does not need. */
let tokenizer: Promise<typeof import('gpt-tokenizer/encoding/o200k_base')> | undefined;

export interface Counted {
  readonly tokens: number;
  /** True if the count is estimated from samples of the text. */
  readonly estimated: boolean;
}

/**
 * Counts with a real tokenizer, without blocking the event loop. Exact up to `exactly` characters, unless the text has a run longer than
 * `LONGEST_RUN`. A longer text is divided into sections, and estimated from one sample of each. `placeOf` returns where in its section a sample
 * is taken, from 0 to 1. Pass a random one if users could otherwise craft a text whose samples contain few tokens.
 */
export async function countTokens(text: string, exactly = COUNTED_EXACTLY, placeOf: () => number = () => 0): Promise<Counted> {
  if (text.length <= PIECE) {
    const tokens = (await counter())(text);
    if (isTurnOver()) await nextTurn();
    return { tokens, estimated: false };
  }
  return inTurn(async () => {
    if (text.length <= exactly) return { tokens: await countPieces(piecesOf(text)), estimated: false };
    const pieces = samplesOf(text, exactly, placeOf);
    const counted = pieces.reduce((sum, { length }) => sum + length, 0);
    return { tokens: Math.round(((await countPieces(pieces)) * text.length) / counted), estimated: true };
  });
}

/**
 * The tokens of several texts. Up to `exactly` characters of all together are counted exactly, and at least 1,024 of each. Rejects with
 * the signal's reason.
 */
export async function countTokensOfAll(
  texts: readonly string[],
  exactly = COUNTED_EXACTLY,
  { placeOf, signal }: { readonly placeOf?: () => number; readonly signal?: AbortSignal } = {},
): Promise<Counted> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, exactly / Math.max(1, characters));
  let [tokens, estimated] = [0, false];
  let count: ((text: string) => number) | undefined;
  for (const text of texts) {
    signal?.throwIfAborted();
    if (text === '') continue;
    if (text.length <= PIECE) {
      // Without a promise for each: a prompt may have a thousand short texts.
      count ??= await counter();
      tokens += count(text);
      if (isTurnOver()) await nextTurn();
    } else {
      const counted = await countTokens(text, text.length * share, placeOf);
      tokens += counted.tokens;
      estimated ||= counted.estimated;
    }
  }
  return { tokens, estimated };
}

/** Texts are counted one after the other. If they were counted concurrently, each of them would make a turn of the event loop longer. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

async function counter(): Promise<(text: string) => number> {
  return (await (tokenizer ??= import('gpt-tokenizer/encoding/o200k_base'))).countTokens;
}

/** Yields to other work. */
async function countPieces(pieces: Iterable<string>): Promise<number> {
  const count = await counter();
  let tokens = 0;
  for (const piece of pieces) {
    let from = 0;
    for (const { index, 0: run } of piece.matchAll(LONG_RUN)) {
      tokens += count(piece.slice(from, index + run.length));
      from = index + run.length;
    }
    tokens += count(piece.slice(from));
    if (isTurnOver()) await nextTurn();
  }
  return tokens;
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

function samplesOf(text: string, characters: number, placeOf: () => number): string[] {
  const count = Math.ceil(characters / PIECE);
  return Array.from({ length: count }, (_, number) => {
    const start = Math.min(Math.floor(((number + placeOf()) * text.length) / count), text.length - PIECE);
    return text.slice(start, start + PIECE);
  });
}

/** A piece ends between a word and the space after it if possible, because no token spans that boundary. */
function endOfPiece(text: string, start: number): number {
  const latest = start + PIECE;
  if (latest >= text.length) return text.length;
  for (let end = latest; end > start + PIECE / 2; end--) {
    if (text[end] === ' ' && /[\p{L}\p{N}]/u.test(text[end - 1]!)) return end;
  }
  // Do not split a surrogate pair.
  return /[\uDC00-\uDFFF]/.test(text[latest]!) ? latest - 1 : latest;
}
