import type { Subject } from '@parlance/privacy';
import type { LiveReply } from '../live-replies.ts';
import type { PromptOfBot, Question } from '../writing/reply-prompt.ts';
import type { OpenedRound } from './opened-rounds.ts';

/** The part of the work on a reply that its rounds of tool calls use. */
export interface ToolWork {
  readonly live: LiveReply;
  readonly question: Question;
  readonly subject: Subject;
  /** With the texts that searches have found. */
  readonly prompt: PromptOfBot | null;
  /** Model calls that have ended with calls of tools. The calls of the last one may have no results yet. */
  rounds: OpenedRound[];
}
