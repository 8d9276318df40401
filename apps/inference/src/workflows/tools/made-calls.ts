import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Tool } from '@parlance/tools';
import type { OfferedTools } from '../../adapters/tools/toolbox.ts';
import type { Generation } from '../writing/generation.ts';
import type { OpenedCall, OpenedRound, SealedInput } from './opened-rounds.ts';
import type { ToolWork } from './tool-work.ts';

/** Bytes of the inputs of all calls of a reply. */
const INPUTS_OF_A_REPLY_BYTES = 512 * 1024;
const SALT_BYTES = 16;
/** Replaces a name that the model invented. Names are not sealed, so they must not contain text of a model. */
const UNKNOWN_TOOL = 'unknown_tool';

/** The round with which a model call has ended. Its calls get our own IDs, because providers' IDs are not always unique. */
export function calledIn(
  generation: Generation,
  { live, rounds, question }: Pick<ToolWork, 'live' | 'rounds' | 'question'>,
  tools: OfferedTools,
  approvalUntil: Instant,
): OpenedRound {
  let left = INPUTS_OF_A_REPLY_BYTES - rounds.flatMap(({ calls }) => calls).reduce((sum, { input }) => sum + bytesOf(input), 0);
  const calls = generation.calls.map(({ name: written, ...rest }): OpenedCall => {
    const name = tools.has(written) ? written : UNKNOWN_TOOL;
    left -= bytesOf(rest.input);
    const { input, fault } = withFault({ left, written: rest, missing: name === written ? null : written });
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
    // A program has no user who could approve.
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

interface Checked {
  /** The bytes left for the inputs of further calls. */
  readonly left: number;
  readonly written: Pick<OpenedCall, 'input' | 'fault'>;
  /** The name of a tool that does not exist. */
  readonly missing: string | null;
}

/** The input, with the reason why the tool cannot be called with it. */
function withFault({ left, written, missing }: Checked): Pick<OpenedCall, 'input' | 'fault'> {
  if (left < 0) return { input: {}, fault: 'The inputs of all calls of this reply are too long.' };
  return missing === null ? written : { input: written.input, fault: noSuchTool(missing) };
}

export const noSuchTool = (name: string): string => `There is no tool ${name} now. Continue without it.`;

const bytesOf = (input: object): number => Buffer.byteLength(JSON.stringify(input));

/**
 * Hashes the input together with the tool's definition at the time of the call: a server may change the meaning of a tool after a user has
 * approved a call. The salt is sealed with the input, so that a short input cannot be guessed from the hash in the log.
 */
export const hashOf = ({ input, salt }: Pick<SealedInput, 'input' | 'salt'>, tool: Pick<Tool, 'definition'> | undefined): string =>
  createHmac('sha256', salt)
    .update(JSON.stringify([input, tool?.definition ?? null]))
    .digest('base64url');
