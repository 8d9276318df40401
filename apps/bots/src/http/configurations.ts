import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '@parlance/decider';
import type { PlainTexts } from '../commands/bot-writer.ts';
import { type BotSettings, DEFAULT_SETTINGS } from '../domain/configuration.ts';
import { hasSources, type KnowledgeSources, NO_SOURCES } from '../domain/knowledge/knowledge-sources.ts';
import { type ChangeBotBody, type CreateBotBody, settingsOf } from './bodies/bot-bodies.ts';
import { sourcesOf } from './bodies/knowledge.ts';

/** The texts in a body, without absent fields. */
export function textsOf(body: ChangeBotBody): Partial<PlainTexts> {
  const { title, description, instruction, conversation_quick_starters: starters, guardrail_blocked_text: blockedText } = body;
  const plain = starters?.map((starter) => ({ title: starter.title, example: starter.example }));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(instruction !== undefined && { instruction }),
    ...(plain && { quickStarters: plain.length === 0 ? '' : JSON.stringify(plain) }),
    ...(blockedText !== undefined && { blockedText }),
  };
}

/** The sources after a request, as JSON; empty without sources. Undefined if the request contains none. */
export function knowledgeOf({ knowledge }: ChangeBotBody, present: KnowledgeSources): string | undefined {
  if (!knowledge) return undefined;
  const sources = sourcesOf(knowledge, present);
  return hasSources(sources) ? JSON.stringify(sources) : '';
}

/** The complete configuration of a new bot. */
export function configurationOf(body: CreateBotBody, now: Instant): { readonly texts: PlainTexts; readonly settings: BotSettings } {
  return {
    texts: {
      title: body.title,
      description: '',
      instruction: '',
      quickStarters: '',
      knowledge: knowledgeOf(body, NO_SOURCES) ?? '',
      blockedText: '',
      ...textsOf(body),
    },
    settings: { ...DEFAULT_SETTINGS, ...settingsOf(body, DEFAULT_SETTINGS, now) },
  };
}

/** The requested members that differ from the current ones. */
export function differing<Whole extends object>(given: Partial<Whole>, present: Whole): Partial<Whole> {
  const entries = Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, present[name as keyof Whole]));
  return Object.fromEntries(entries) as Partial<Whole>;
}
