import type { Produced } from '../chat-model.ts';

/** Characters of one call's input. */
export const LONGEST_TOOL_INPUT = 64 * 1024;
/** Longer than any name that providers accept. */
const LONGEST_NAME = 128;

/** A call as the AI SDK returns it. The input is the model's raw text, which may be invalid. */
interface Written {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

type Called = Extract<Produced, { type: 'tool_call' }>;

export function toolCallOf({ toolCallId, toolName, input: written }: Written): Called {
  const call = { type: 'tool_call', callId: toolCallId, name: toolName.slice(0, LONGEST_NAME).toWellFormed() } as const;
  if (written.length > LONGEST_TOOL_INPUT)
    return { ...call, input: {}, fault: `The input has more than ${LONGEST_TOOL_INPUT} characters. Call the tool with a shorter one.` };
  const input = objectIn(written);
  return { ...call, input: input ?? {}, fault: input ? null : 'The input is not a JSON object. Call the tool again with one.' };
}

/** Null for anything else. Some providers send nothing for a call without arguments. */
function objectIn(written: string): Record<string, unknown> | null {
  if (written.trim() === '') return {};
  try {
    const input: unknown = JSON.parse(written);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
