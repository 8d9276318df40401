import { Refusal } from '@parlance/decider';
import type { GuardrailUnits } from '@parlance/chat-models';
import type { Subject } from '@parlance/privacy';
import type { CallGuardrails } from '../guardrails/call-guardrails.ts';
import type { LiveReply } from '../live-replies.ts';
import type { OpenedRound } from '../tools/opened-rounds.ts';
import type { Generation } from './generation.ts';
import type { CheckedReply } from './reply-guard.ts';
import type { PromptOfBot, Question } from './reply-prompt.ts';

/** The work on one reply: its question, and the call to the model once there is one. */
export interface Work {
  readonly live: LiveReply;
  readonly question: Question;
  readonly subject: Subject;
  readonly begunAt: number;
  /** The model call that is not recorded yet. */
  generation: Generation | null;
  rounds: OpenedRound[];
  /** The append of a round, which is awaited when the reply is stopped. */
  recording: Promise<void> | null;
  /** Whether the search for the reply is charged. It is charged with the first round. */
  isSearchCharged: boolean;
  prompt: PromptOfBot | null;
  promptAt: number | null;
  checked: CheckedReply | null;
  /** Null if no policy applies. */
  guardrails: CallGuardrails | null;
  /** Units of the calls to the guardrail. */
  readonly units: GuardrailUnits[];
}

/** Whether nothing is left to store: another worker has the claim, the reply has ended, or the conversation was erased. */
export const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'reply_is_over');
