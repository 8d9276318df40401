import { Refusal } from '@parlance/decider';
import type { GuardrailUnits } from '@parlance/chat-models';
import type { Subject } from '@parlance/privacy';
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
  /** The model call that isn't recorded yet. */
  generation: Generation | null;
  rounds: OpenedRound[];
  /** The append of a round, which is not left half done when the reply is stopped. */
  recording: Promise<void> | null;
  /** The search for the reply is charged with the first round. */
  isSearchCharged: boolean;
  prompt: PromptOfBot | null;
  promptAt: number | null;
  checked: CheckedReply | null;
  /** Of the calls to the guardrail. */
  readonly units: GuardrailUnits[];
}

/** Another worker has the claim and ends the reply, or the conversation was erased: nothing is left to store. */
export const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'reply_is_over');
