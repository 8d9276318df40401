import type { Assembled } from '../assembly/assemble.ts';
import { textOf, toolsText } from '../assembly/turns.ts';
import type { Usage } from '../chat-model.ts';
import { countTokens } from '../count-tokens.ts';

/** A provider's report, in the form of the AI SDK. */
export interface Reported {
  readonly inputTokens: {
    readonly total?: number | undefined;
    readonly cacheRead?: number | undefined;
    readonly cacheWrite?: number | undefined;
  };
  readonly outputTokens: { readonly total?: number | undefined };
  /** The provider's original form. */
  readonly raw?: Reports | undefined;
}

/** How providers report the input that they cache for an hour. */
export interface Reports {
  /** Anthropic. */
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: unknown } | null;
  /** Amazon Bedrock. */
  readonly cacheDetails?: readonly { readonly ttl?: unknown; readonly inputTokens?: unknown }[] | null;
}

/** The bounds of a call's output. */
export interface Output {
  /** The number of tokens that was requested, or that the model can produce. */
  readonly most: number;
  readonly produced: string;
}

/** The input that was sent to a provider. */
type Sent = Pick<Assembled, 'system' | 'messages' | 'tools'>;

/** Tokens of a file if the provider reports none: about as many as a large image, or two pages. */
export const TOKENS_OF_A_FILE = 1_500;
/** Tokens that a provider adds around a message. */
const TOKENS_OF_A_MESSAGE = 4;
/** A report of more output than was requested or produced, plus this, is suspicious. Some servers do not count reasoning as output. */
export const MOST_ADDED_OUTPUT_TOKENS = 4_096;
/**
 * These two limit plausible input: a report of more is suspicious. A token of text has at least one byte, and a file has far fewer tokens than
 * bytes. But small images count as large ones, and providers add their own prompt.
 */
const FILE_TOKENS_PER_BYTE = 1;
export const MOST_ADDED_TOKENS = 20_000;
/** No call has this many tokens. A larger number cannot be charged, because sums of costs would overflow. */
export const MOST_REPORTED_TOKENS = 100_000_000;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= MOST_REPORTED_TOKENS;

/**
 * The usage that a provider reported, or null without a report. The provider bills what it reports, even if that looks impossible: with its own
 * tools it reads and writes more than passes through here. Such a report is marked as suspicious.
 */
export const reportedUsage = (reported: Reported, sent: Sent, asked: Output): Usage | null =>
  usageWithin(reported, { input: mostInput(sent), output: mostOutput(asked) });

/** The most tokens that a call can plausibly use. */
export interface PlausibleTokens {
  readonly input: number;
  readonly output: number;
}

/** The most tokens of a call whose content was not read, by its bytes. `most`: the output that was requested, or 0. */
export const plausibleTokens = (sentBytes: number, producedBytes: number, most: number): PlausibleTokens => ({
  input: sentBytes + MOST_ADDED_TOKENS,
  output: Math.max(most, producedBytes) + MOST_ADDED_OUTPUT_TOKENS,
});

/** As `reportedUsage`. */
export function usageWithin({ inputTokens, outputTokens, raw = {} }: Reported, most: PlausibleTokens): Usage | null {
  const { total: input = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { total: output = 0 } = outputTokens;
  // Every prompt has at least one token.
  if (![input, cacheRead, cacheWrite, output].every(isCount) || input === 0) return null;
  const cached = cacheRead + cacheWrite;
  const forHour = Math.min(writtenForHour(raw), cacheWrite);
  const isSuspicious = cached > input || input > most.input || output > most.output;
  return {
    // Input includes cached input, so it is at least as large.
    inputTokens: Math.max(input, cached),
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...(forHour > 0 && { cacheWriteHourTokens: forHour }),
    estimated: false,
    ...(isSuspicious && { suspicious: true }),
  };
}

export function writtenForHour({ cache_creation, cacheDetails }: Reports): number {
  const written = cacheDetails
    ? cacheDetails.filter(({ ttl }) => ttl === '1h').map(({ inputTokens }) => inputTokens)
    : [cache_creation?.ephemeral_1h_input_tokens];
  return written.reduce<number>((sum, tokens) => sum + (typeof tokens === 'number' && isCount(tokens) ? tokens : 0), 0);
}

/** Counts the sent and the produced text. Long texts are estimated from samples, so that counting takes a bounded time. */
export async function countUsage(sent: Sent, produced: string): Promise<Usage> {
  const text = [sent.system, toolsText(sent.tools), ...sent.messages.map(textOf)].join('\n');
  const files = sent.messages.reduce((sum, message) => sum + (message.files?.length ?? 0), 0);
  const frames = sent.messages.length * TOKENS_OF_A_MESSAGE;
  const inputTokens = (await countTokens(text)).tokens + files * TOKENS_OF_A_FILE + frames;
  const { tokens: outputTokens } = await countTokens(produced);
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
}

/** A server that ignores the limit may produce more. A token has at least one byte. */
const mostOutput = ({ most, produced }: Output): number => Math.max(most, Buffer.byteLength(produced)) + MOST_ADDED_OUTPUT_TOKENS;

function mostInput({ system, messages, tools }: Sent): number {
  let most = MOST_ADDED_TOKENS + Buffer.byteLength(system) + Buffer.byteLength(toolsText(tools));
  for (const message of messages) {
    const { files = [] } = message;
    most += Buffer.byteLength(textOf(message)) + TOKENS_OF_A_MESSAGE;
    for (const { bytes } of files) most += bytes.byteLength * FILE_TOKENS_PER_BYTE + MOST_ADDED_TOKENS;
  }
  return most;
}
