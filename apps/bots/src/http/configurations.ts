import { isDeepStrictEqual } from 'node:util';
import type { PlainTexts } from '../commands/bot-writer.ts';
import { type BotSettings, DEFAULT_SETTINGS } from '../domain/configuration.ts';
import { type ChangeBotBody, type CreateBotBody, settingsOf } from './bodies/bot-bodies.ts';

/** The texts that a body gives. Absent fields are left out. */
export function textsOf(body: ChangeBotBody): Partial<PlainTexts> {
  const { title, description, instruction, conversation_quick_starters: starters } = body;
  const plain = starters?.map((starter) => ({ title: starter.title, example: starter.example }));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(instruction !== undefined && { instruction }),
    ...(plain && { quickStarters: plain.length === 0 ? '' : JSON.stringify(plain) }),
  };
}

/** The whole configuration of a new bot. */
export function configurationOf(body: CreateBotBody): { readonly texts: PlainTexts; readonly settings: BotSettings } {
  return {
    texts: { title: body.title, description: '', instruction: '', quickStarters: '', ...textsOf(body) },
    settings: { ...DEFAULT_SETTINGS, ...settingsOf(body, DEFAULT_SETTINGS) },
  };
}

/** Those of the given members that differ from the present ones. */
export function differing<Whole extends object>(given: Partial<Whole>, present: Whole): Partial<Whole> {
  const entries = Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, present[name as keyof Whole]));
  return Object.fromEntries(entries) as Partial<Whole>;
}
