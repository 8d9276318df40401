import type { Subject } from '@parlance/privacy';
import type { LiveReply } from '../live-replies.ts';
import type { PromptOfBot, Question } from '../writing/reply-prompt.ts';
import type { OpenedRound } from './opened-rounds.ts';

/** What a reply's rounds of tool calls need to know about the reply in progress. */
export interface ToolWork {
  readonly live: LiveReply;
  readonly question: Question;
  readonly subject: Subject;
  /** Includes the texts that searches have found. */
  readonly prompt: PromptOfBot | null;
  /** Model calls that have ended with tool calls. The calls of the last one may have no results yet. */
  rounds: OpenedRound[];
}
