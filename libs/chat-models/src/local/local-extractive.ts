import { bestSentences, type Quote } from './best-sentences.ts';
import { ChatModel, type Chunk, type Knowledge, type Produced, type Prompt } from '../chat-model.ts';
import { markerOf, withoutMarkers } from '../citation-markers.ts';
import { COUNTED_EXACTLY, countTokens, countTokensOfAll } from '../count-tokens.ts';
import { sentenceParts } from './sentences.ts';
import { wordsOf } from './words.ts';

const NAME = "I am Parlance's offline model.";
const NOTHING_RETRIEVED =
  `${NAME} I answer by quoting text that was retrieved for a question, and nothing was retrieved for this one. ` +
  'Configure a provider under `models` to talk with a language model.';
const NOTHING_FOUND = `${NAME} I answer by quoting the knowledge of this bot, and I found nothing in it for this question. Try other words.`;
const GREETING = `${NAME} I answer by quoting the knowledge of this bot. Ask a question about it.`;
const QUOTING = `${NAME} I do not write answers; I quote the sentences that best match the question.`;
const NO_MATCH = `${NAME} No sentence of the retrieved text has a word of the question. This is the beginning of the closest text.`;

/** The offline model, which needs no account. It only quotes, says so, and is deterministic. */
export class LocalExtractive extends ChatModel {
  override async *generate({ turns, instruction, knowledge: retrieved }: Prompt, signal: AbortSignal): AsyncGenerator<Produced> {
    const knowledge = withAttached(retrieved, turns);
    const inputs = [instruction, ...(knowledge?.chunks ?? []).map(({ content }) => content), ...turns.map(({ text }) => text)];
    const { tokens: inputTokens, estimated } = await countTokensOfAll(inputs, COUNTED_EXACTLY, { signal });
    const question = turns.findLast(({ role }) => role === 'user')?.text ?? '';
    const text = continued(await answer(question, knowledge, signal), turns);
    if (text !== '') yield { type: 'text', text };
    const { tokens: outputTokens } = await countTokens(text);
    const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated };
    yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
  }
}

/** The user's files are quoted like retrieved text, the latest first. They have no markers, because they are not chunks of the reply. */
function withAttached(knowledge: Knowledge | null, turns: Prompt['turns']): Knowledge | null {
  const texts = turns.toReversed().flatMap(({ files = [] }) => files.filter(({ text }) => text !== undefined));
  if (texts.length === 0) return knowledge;
  const { chunks, showsSources } = knowledge ?? { chunks: [], showsSources: false };
  const attached = texts.map(({ name, text = '' }, nth): Chunk => {
    const source = name ?? '';
    const rank = chunks.length + nth + 1;
    const place = { source, source_name: source, source_id: '', page_number: null, heading: null };
    return { content: text, content_type: 'text', ...place, rank, score: 0 };
  });
  return { chunks: [...chunks, ...attached], showsSources };
}

/** The answer without the part that is being continued. An answer that starts differently is returned whole. */
function continued(text: string, turns: Prompt['turns']): string {
  const last = turns.at(-1);
  return last?.role === 'assistant' && text.startsWith(last.text) ? text.slice(last.text.length) : text;
}

async function answer(question: string, knowledge: Knowledge | null, signal: AbortSignal): Promise<string> {
  if (knowledge === null) return NOTHING_RETRIEVED;
  const { chunks, showsSources } = knowledge;
  const [best] = chunks;
  if (best === undefined) return NOTHING_FOUND;
  if (isGreeting(question)) return GREETING;
  const quotes = await bestSentences(question, chunks, signal);
  if (quotes.length > 0) return quoted(QUOTING, quotes, showsSources);
  const [sentence] = sentenceParts(withoutMarkers(best.content)).next().value ?? [];
  return sentence === undefined ? NOTHING_FOUND : quoted(NO_MATCH, [{ sentence, chunk: best }], showsSources);
}

const GREETINGS: ReadonlySet<string> = new Set(['hello', 'hi', 'hey']);
/** A greeting and a name. A question is longer. */
const GREETING_WORDS = 2;
/** Characters. */
const GREETING_READ = 60;

/** Only the name in it would match, and sentences with the name would be quoted. */
function isGreeting(text: string): boolean {
  const [first, ...rest] = wordsOf(text.slice(0, GREETING_READ)).keys();
  return first !== undefined && GREETINGS.has(first) && rest.length < GREETING_WORDS && text.length <= GREETING_READ;
}

function quoted(opening: string, quotes: readonly Quote[], showsSources: boolean): string {
  const paragraphs = quotes.map(({ sentence, chunk }) => (showsSources ? `> ${sentence} ${markerOf(chunk.rank)}` : `> ${sentence}`));
  const sources = showsSources ? [sourcesOf(quotes.map(({ chunk }) => chunk))] : [];
  return [opening, ...paragraphs, ...sources].join('\n\n');
}

/** The documents in the order of their first quotes, each with its pages. */
function sourcesOf(chunks: readonly Chunk[]): string {
  const documents = new Map<string, { name: string; pages: Set<number> }>();
  for (const { source_id, source_name, page_number } of chunks) {
    const document = documents.get(source_id) ?? { name: withoutMarkers(source_name), pages: new Set<number>() };
    if (page_number !== null) document.pages.add(page_number);
    documents.set(source_id, document);
  }
  const named = [...documents.values()].map(({ name, pages }) => {
    const numbers = [...pages].sort((a, b) => a - b);
    return numbers.length === 0 ? name : `${name} (${numbers.length === 1 ? 'page' : 'pages'} ${numbers.join(', ')})`;
  });
  return `${SOURCES}${named.join('; ')}.`;
}

const OWN_WORDS: ReadonlySet<string> = new Set([NOTHING_RETRIEVED, NOTHING_FOUND, GREETING, QUOTING, NO_MATCH]);
const SOURCES = 'Quoted from: ';

/** Removes the offline model's own words from its answer and leaves its quotations. Other texts are returned unchanged. */
export function withoutOwnWords(text: string, chunks: readonly Chunk[]): string {
  const paragraphs = text.split('\n\n');
  if (!OWN_WORDS.has(paragraphs[0]!)) return text;
  const names = new Set(chunks.map(({ source_name }) => withoutMarkers(source_name)));
  const areSources = (paragraph: string) =>
    paragraph.startsWith(SOURCES) &&
    paragraph
      .slice(SOURCES.length, -1)
      .split('; ')
      .every((name) => names.has(name.replace(/ \(pages? [\d, ]+\)$/, '')));
  return paragraphs.filter((paragraph) => !OWN_WORDS.has(paragraph) && !areSources(paragraph)).join('\n\n');
}
