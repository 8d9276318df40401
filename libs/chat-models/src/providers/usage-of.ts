import type { Assembled } from '../assembly/assemble.ts';
import { textOf, toolsText } from '../assembly/turns.ts';
import type { Usage } from '../chat-model.ts';
import { countTokens } from '../count-tokens.ts';

/** As the AI SDK gives what a provider reports. */
interface Reported {
  readonly inputTokens: {
    readonly total?: number | undefined;
    readonly cacheRead?: number | undefined;
    readonly cacheWrite?: number | undefined;
  };
  readonly outputTokens: { readonly total?: number | undefined };
  /** In the form of the provider. */
  readonly raw?: Reports | undefined;
}

/** How providers report the input that they keep for an hour. */
interface Reports {
  /** Anthropic. */
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: unknown } | null;
  /** Amazon Bedrock. */
  readonly cacheDetails?: readonly { readonly ttl?: unknown; readonly inputTokens?: unknown }[] | null;
}

/** What bounds the output of a call. */
export interface Output {
  /** Tokens that the provider was asked for at most, or that the model can produce. */
  readonly most: number;
  readonly produced: string;
}

/** What was sent to a provider. */
type Sent = Pick<Assembled, 'system' | 'messages' | 'tools'>;

/** Tokens of a file if the provider reports none: about those of a large image, or of two pages. */
export const TOKENS_OF_A_FILE = 1_500;
/** Counted for the frame that a provider puts around a message. */
const TOKENS_OF_A_MESSAGE = 4;
/** A report of more output than was asked for, or produced, and this is suspicious: some servers do not count reasoning as output. */
export const MOST_ADDED_OUTPUT_TOKENS = 4_096;
/** A report of more input is suspicious: a token has at least one byte, and a file's tokens are far fewer than its bytes … */
const FILE_TOKENS_PER_BYTE = 1;
/** … but small images count as large ones, and providers add a prompt of their own. */
export const MOST_ADDED_TOKENS = 20_000;
/** No call has as many tokens. A larger number cannot be charged: the sums of costs would be past what can be counted. */
export const MOST_REPORTED_TOKENS = 100_000_000;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= MOST_REPORTED_TOKENS;

/**
 * The usage that a provider reported, or null if it reported none. The provider bills what it reports, also where that looks impossible: with
 * tools of its own it reads and writes more than passes through here. Such a report is marked as suspicious.
 */
export function reportedUsage({ inputTokens, outputTokens, raw = {} }: Reported, sent: Sent, asked: Output): Usage | null {
  const { total: input = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { total: output = 0 } = outputTokens;
  // Every prompt has a token.
  if (![input, cacheRead, cacheWrite, output].every(isCount) || input === 0) return null;
  const cached = cacheRead + cacheWrite;
  const forHour = Math.min(writtenForHour(raw), cacheWrite);
  const isSuspicious = cached > input || input > mostInput(sent) || output > mostOutput(asked);
  return {
    // Input counts all input, so it is at least what is cached of it.
    inputTokens: Math.max(input, cached),
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...(forHour > 0 && { cacheWriteHourTokens: forHour }),
    estimated: false,
    ...(isSuspicious && { suspicious: true }),
  };
}

function writtenForHour({ cache_creation, cacheDetails }: Reports): number {
  const written = cacheDetails
    ? cacheDetails.filter(({ ttl }) => ttl === '1h').map(({ inputTokens }) => inputTokens)
    : [cache_creation?.ephemeral_1h_input_tokens];
  return written.reduce<number>((sum, tokens) => sum + (typeof tokens === 'number' && isCount(tokens) ? tokens : 0), 0);
}

/** Counted from what was sent and what was produced. Long texts are estimated from samples, so that it takes a bounded time. */
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
