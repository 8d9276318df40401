import type { ReplyEvent } from '@parlance/client';
import type { UsedChunk } from '@parlance/client/types';
import { sentenceFor } from '../../../api/error-text.ts';
import { messages } from '../../../messages/index.ts';

/** A question to a bot that is being tried, and its reply. */
export interface Turn {
  readonly question: string;
  readonly text: string;
  readonly tools: readonly string[];
  readonly citations: readonly UsedChunk[];
  readonly state: 'writing' | 'done' | 'stopped' | 'failed';
  readonly note: string;
  readonly cost: { readonly dollars: number; readonly tokens: number } | null;
}

export const BEGUN = { text: '', tools: [], citations: [], state: 'writing', note: '', cost: null } as const;

/** Applies an event of the reply to the turn. */
export function turnAfter(turn: Turn, { event, data }: ReplyEvent): Turn {
  switch (event) {
    case 'start':
    case 'restarted':
      return { ...BEGUN, question: turn.question };
    case 'delta':
      return { ...turn, text: turn.text + data.text };
    case 'tool':
      return turn.tools.includes(data.name) ? turn : { ...turn, tools: [...turn.tools, data.name] };
    case 'citation':
      return { ...turn, citations: [...turn.citations, data] };
    case 'approval':
      return { ...turn, state: 'stopped', note: messages().bots.editor.try.approval };
    case 'error':
      return { ...turn, state: 'failed', note: sentenceFor(data.code, data.message) };
    case 'done':
      return { ...turn, state: 'done', cost: { dollars: data.cost, tokens: data.usage.input_tokens + data.usage.output_tokens } };
    case 'reasoning':
      return turn;
  }
}
