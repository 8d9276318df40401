import type { Subject } from '@parlance/privacy';
import type { LiveReply } from '../live-replies.ts';
import type { PromptOfBot, Question } from '../writing/reply-prompt.ts';
import type { OpenedRound } from './opened-rounds.ts';

/** The state of a reply's work that its rounds of tool calls use. */
export interface ToolWork {
  readonly live: LiveReply;
  readonly question: Question;
  readonly subject: Subject;
  /** Includes the texts that searches have found. */
  readonly prompt: PromptOfBot | null;
  /** Model calls that have ended with tool calls. The calls of the last one may have no results yet. */
  rounds: OpenedRound[];
}
