import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Tool } from '@parlance/tools';
import type { OfferedTools } from '../../adapters/tools/toolbox.ts';
import type { Generation } from '../writing/generation.ts';
import type { OpenedCall, OpenedRound, SealedInput } from './opened-rounds.ts';
import type { ToolWork } from './tool-work.ts';

/** The most bytes of input that the tool calls of one reply may have in total. */
const INPUTS_OF_A_REPLY_BYTES = 512 * 1024;
const SALT_BYTES = 16;
/** Replaces a name that the model invented. Names are not sealed, so they must not contain text from the model. */
const UNKNOWN_TOOL = 'unknown_tool';

/** The round of tool calls that a model call ended with. They get our own IDs, because providers' IDs are not always unique. */
export function calledIn(
  generation: Generation,
  { live, rounds, question }: Pick<ToolWork, 'live' | 'rounds' | 'question'>,
  tools: OfferedTools,
  approvalUntil: Instant,
): OpenedRound {
  let left = INPUTS_OF_A_REPLY_BYTES - rounds.flatMap(({ calls }) => calls).reduce((sum, { input }) => sum + bytesOf(input), 0);
  const calls = generation.calls.map(({ name: requestedName, ...rest }): OpenedCall => {
    const name = tools.has(requestedName) ? requestedName : UNKNOWN_TOOL;
    left -= bytesOf(rest.input);
    const { input, fault } = checkedInput({ left, requested: rest, missingTool: name === requestedName ? null : requestedName });
    const salt = randomBytes(SALT_BYTES).toString('base64url');
    const needsApproval = fault === null && (tools.get(name)?.needsApproval ?? false);
    const call = {
      callId: newId(),
      name,
      input,
      fault,
      salt,
      hash: hashOf({ input, salt }, tools.get(name)?.tool),
      isBegun: false,
      outcome: null,
      text: '',
    };
    // An API client has no user who could approve the call.
    return { ...call, ...(needsApproval && { approval: question.apiId === undefined ? 'pending' : 'denied' }) };
  });
  return {
    text: generation.text,
    reasoning: generation.reasoning,
    isShown: !generation.isHeld,
    textAt: live.text.length,
    reasoningAt: live.reasoning.length,
    calls,
    answered: [],
    approvalUntil: calls.some(({ approval }) => approval === 'pending') ? approvalUntil : null,
  };
}

interface RequestedCall {
  /** The bytes left for the inputs of further calls. */
  readonly left: number;
  readonly requested: Pick<OpenedCall, 'input' | 'fault'>;
  /** The requested name, if no tool has it. */
  readonly missingTool: string | null;
}

/** The input of a call, with the reason why the tool cannot be called with it, or null. */
function checkedInput({ left, requested, missingTool }: RequestedCall): Pick<OpenedCall, 'input' | 'fault'> {
  if (left < 0) return { input: {}, fault: 'The inputs of the tool calls of this reply are too long in total.' };
  return missingTool === null ? requested : { input: requested.input, fault: noSuchTool(missingTool) };
}

export const noSuchTool = (name: string): string => `The tool ${name} is not available. Continue without it.`;

const bytesOf = (input: object): number => Buffer.byteLength(JSON.stringify(input));

/**
 * Hashes the input together with the tool's definition at the time of the call: a server may change the meaning of a tool after a user has
 * approved a call. The salt is sealed with the input, so that a short input cannot be guessed from the hash in the log.
 */
export const hashOf = ({ input, salt }: Pick<SealedInput, 'input' | 'salt'>, tool: Pick<Tool, 'definition'> | undefined): string =>
  createHmac('sha256', salt)
    .update(JSON.stringify([input, tool?.definition ?? null]))
    .digest('base64url');
