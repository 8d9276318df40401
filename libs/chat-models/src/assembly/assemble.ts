import type { ToolDefinition } from '@parlance/tools';
import type { Prompt, Turn } from '../chat-model.ts';
import { cut, tokensOf } from './cut.ts';
import { remembered } from './remembered.ts';
import { delimited, rulesOf } from './retrieved-text.ts';
import { shortenedResults } from './tool-results.ts';
import { readable } from './turn-files.ts';
import { conversationOf, type Exchange, filesTokens, textOf, toolsText, turnTokens } from './turns.ts';

/** Limits of the model, in tokens. */
export interface ModelWindow {
  readonly contextWindow: number;
  /** Maximum tokens of an answer. Null if unknown. */
  readonly maxOutputTokens: number | null;
  /** What the model accepts besides text, as in the catalogue. Absent means all kinds of files. */
  readonly capabilities?: readonly string[];
}

/** A prompt in the form that a provider receives. */
export interface Assembled {
  readonly system: string;
  /** The beginning of `system` that is the same for each question, so that a provider can cache it. */
  readonly stableSystem: string;
  readonly messages: readonly Turn[];
  readonly tools: readonly ToolDefinition[];
  /** The number of omitted turns, the oldest ones. */
  readonly trimmedTurns: number;
  /** The number of omitted retrieved texts, the lowest ranks. */
  readonly trimmedChunks: number;
  readonly inputTokensEstimate: number;
}

/** A smaller window is treated as one of this size. */
const SMALLEST_WINDOW = 512;
/** Reserved, because providers count tokens differently from our tokenizer: up to a seventh more. */
const MARGIN = 1 / 8;
/** Shares of the window that are left free for the answer: the maximum, and the default for a model without a stated maximum. */
const MOST_OUTPUT = 1 / 2;
const USUAL_OUTPUT = 1 / 4;
/** An instruction that must be cut keeps this share of the available tokens. */
const INSTRUCTION = 1 / 2;
/** If everything fits, an estimate is enough: about this many characters are counted exactly, and the rest is extrapolated. */
const SAMPLED = 8 * 1024;
const FOR_SYSTEM = 8;
/** Tokens of the separator between two texts. */
const BETWEEN = 2;

/**
 * Turns a prompt into the form that a provider receives. Files that the model does not accept become text (`readable`). If the prompt does
 * not fit into the window with room for the answer and a margin, it is shortened in this order:
 * 1. the oldest exchanges are omitted, each as a whole: a question with its answers
 * 2. the middle of long tool results is cut
 * 3. the memory is omitted as a whole
 * 4. retrieved texts are omitted, the lowest ranks first
 * 5. the end of the instruction is cut, down to half of the available tokens
 * 6. the middle of the question is cut.
 * The question is always kept, at least in part. Does not block the event loop.
 */
export async function assemble(given: Prompt, window: ModelWindow): Promise<Assembled> {
  const prompt = readable(given, window.capabilities);
  const room = roomOf(window, prompt.parameters.maxTokens);
  const { exchanges, question } = conversationOf(prompt.turns);
  const chunks = (prompt.knowledge?.chunks ?? []).map(delimited);
  const memory = prompt.memory?.length ? remembered(prompt.memory) : '';
  const untrimmed = { instruction: prompt.instruction, memory, chunks, exchanges, question };
  const { texts, beside } = sizesOf(untrimmed);
  const bytes = texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
  const others = beside + (await rulesTokens(prompt));
  // A token has at least one byte.
  if (bytes + others > room) return trimmed(prompt, untrimmed, room);
  let tokens = others;
  const share = Math.min(1, SAMPLED / Math.max(1, bytes));
  for (const text of texts) tokens += await tokensOf(text, text.length * share);
  return assembled(prompt, untrimmed, tokens);
}

interface Parts {
  readonly instruction: string;
  /** Empty if there is none. */
  readonly memory: string;
  readonly chunks: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** The question, and the beginning of its answer if the answer is being continued. */
  readonly question: Exchange;
}

function roomOf({ contextWindow, maxOutputTokens }: ModelWindow, wanted: number | null): number {
  const window = Math.max(SMALLEST_WINDOW, contextWindow);
  const output = Math.min(wanted ?? maxOutputTokens ?? window * USUAL_OUTPUT, maxOutputTokens ?? window, window * MOST_OUTPUT);
  return Math.floor(window - output - window * MARGIN);
}

async function trimmed(prompt: Prompt, untrimmed: Parts, room: number): Promise<Assembled> {
  let { instruction, memory, question } = untrimmed;
  const rules = await rulesTokens(prompt);
  const chunks = await counted(untrimmed.chunks, async (chunk) => (await tokensOf(chunk)) + BETWEEN);
  const exchanges = await counted(untrimmed.exchanges, exchangeTokens);
  const memoryTokens = memory === '' ? 0 : (await tokensOf(memory)) + BETWEEN;
  let used = rules + (await tokensOf(instruction)) + memoryTokens + (await exchangeTokens(question)) + sum(chunks) + sum(exchanges);
  while (used > room && exchanges.length > 0) used -= exchanges.shift()!.tokens;
  if (used > room) {
    const before = await exchangeTokens(question);
    question = await shortenedResults(question, before - (used - room), exchangeTokens);
    used -= before - (await exchangeTokens(question));
  }
  if (used > room) {
    memory = '';
    used -= memoryTokens;
  }
  while (used > room && chunks.length > 0) used -= chunks.pop()!.tokens;
  if (used > room) {
    const mostInstruction = Math.floor(room * INSTRUCTION) - rules;
    instruction = await cut(instruction, Math.max(mostInstruction, room - rules - (await exchangeTokens(question))), 'beginning');
    question = await cutQuestion(question, room - rules - (await tokensOf(instruction)));
    used = rules + (await tokensOf(instruction)) + (await exchangeTokens(question));
  }
  return assembled(
    prompt,
    { instruction, memory, question, chunks: chunks.map(({ item }) => item), exchanges: exchanges.map(({ item }) => item) },
    used,
  );
}

/** An answer that is being continued keeps its end. Calls and their results are kept. */
async function cutQuestion([first, ...continued]: Exchange, room: number): Promise<Exchange> {
  if (continued.some(({ role }) => role === 'tool'))
    return [await cutTurn(first!, room - (await exchangeTokens(continued)), 'both ends'), ...continued];
  const last = continued.length === 0 ? [] : [await cutTurn(continued.at(-1)!, Math.floor(room / 2), 'end')];
  return [await cutTurn(first!, room - (await exchangeTokens(last)), 'both ends'), ...last];
}

async function cutTurn(turn: Turn, room: number, kept: 'both ends' | 'end'): Promise<Turn> {
  return { ...turn, text: await cut(turn.text, room - turnTokens(0) - filesTokens(turn), kept) };
}

function assembled({ knowledge, turns, tools = [] }: Prompt, parts: Parts, inputTokensEstimate: number): Assembled {
  const stableSystem = parts.instruction.trim();
  const retrieved = knowledge ? [rulesOf(knowledge, parts.chunks.length > 0), ...parts.chunks] : [];
  const messages = [...parts.exchanges.flat(), ...parts.question];
  return {
    system: [stableSystem, parts.memory, ...retrieved].filter((text) => text !== '').join('\n\n'),
    stableSystem,
    messages,
    tools,
    trimmedTurns: turns.length - messages.length,
    trimmedChunks: (knowledge?.chunks.length ?? 0) - parts.chunks.length,
    inputTokensEstimate,
  };
}

interface Counted<Item> {
  readonly item: Item;
  readonly tokens: number;
}

async function counted<Item>(list: readonly Item[], count: (item: Item) => Promise<number>): Promise<Counted<Item>[]> {
  const found: Counted<Item>[] = [];
  for (const item of list) found.push({ item, tokens: await count(item) });
  return found;
}

const sum = (list: readonly Counted<unknown>[]): number => list.reduce((total, { tokens }) => total + tokens, 0);

async function exchangeTokens(turns: Exchange): Promise<number> {
  let tokens = 0;
  for (const turn of turns) tokens += turnTokens(await tokensOf(textOf(turn))) + filesTokens(turn);
  return tokens;
}

async function rulesTokens({ knowledge, tools = [] }: Prompt): Promise<number> {
  return FOR_SYSTEM + (await tokensOf(toolsText(tools))) + (knowledge ? await tokensOf(rulesOf(knowledge, true)) : 0);
}

/** The texts, and the tokens of everything else. */
function sizesOf({ instruction, memory, chunks, exchanges, question }: Parts) {
  const turns = [...exchanges.flat(), ...question];
  return {
    texts: [instruction, memory, ...chunks, ...turns.map(textOf)].filter((text) => text !== ''),
    beside: turns.reduce((total, turn) => total + turnTokens(0) + filesTokens(turn), chunks.length * BETWEEN),
  };
}
