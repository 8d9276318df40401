import type { ModelCalls } from '@parlance/observability';
import type { Tool, ToolContext } from '@parlance/tools';
import { type FoundInKnowledge, isFoundInKnowledge } from '../../adapters/tools/knowledge-search.ts';
import type { CallOutcome } from '../../domain/conversation-tools.ts';

/** Bytes of one result, and of all results of a reply. Longer results are cut. */
export const RESULT_BYTES = 64 * 1024;
export const RESULTS_OF_A_REPLY_BYTES = 512 * 1024;

const CUT = '\n[cut, because the result is too long]';

export interface ToolAnswer {
  readonly text: string;
  readonly outcome: CallOutcome;
  /** Set for a search in the bot's knowledge. */
  readonly knowledge?: FoundInKnowledge;
  readonly images?: readonly string[];
}

/** Calls a tool within its limits. A failure of the tool is a result. Rejects only with the signal's reason. */
export async function calledTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<ToolAnswer> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(tool.mostMillis);
  const either = AbortSignal.any([signal, late]);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const leave = () => reject(either.reason as Error);
  either.addEventListener('abort', leave, { once: true });
  try {
    const result = await Promise.race([tool.call(input, context, either), stopped]);
    const { text, isError, images } = result;
    const answered = {
      text: firstBytes(text, RESULT_BYTES),
      outcome: isError ? 'failed' : 'succeeded',
      ...(images && { images }),
    } as const;
    return isFoundInKnowledge(result) ? { ...answered, knowledge: result } : answered;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { text: `The tool did not answer in ${tool.mostMillis / 1_000} seconds.`, outcome: 'failed' };
    onError(error);
    return { text: 'The tool failed.', outcome: 'failed' };
  } finally {
    either.removeEventListener('abort', leave);
  }
}

/** Records a span and a duration for the call, with the tool's name and without content. */
export async function observedTool(
  calls: Pick<ModelCalls, 'beginTool'>,
  name: string,
  work: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const call = calls.beginTool(name);
  try {
    const answered = await work();
    call.ended(answered.outcome === 'failed' ? 'tool_failed' : null);
    return answered;
  } catch (error) {
    call.ended('cancelled');
    throw error;
  }
}

/** The beginning of a text, with a mark if it was cut. */
export function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const keptBytes = Math.max(0, most - CUT.length);
  // A character that is cut in the middle ends as U+FFFD.
  const kept = Buffer.from(text)
    .subarray(0, keptBytes)
    .toString()
    .replace(/\uFFFD$/, '');
  return `${kept}${CUT}`;
}
