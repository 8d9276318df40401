import type { GenerationParameters, Prompt } from '@parlance/chat-models';

/** A turn that the client of a published bot sends with its message. */
export interface ClientTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Numbers of the files of the message that belong to this turn; absent without any. */
  readonly files?: readonly number[];
}

/** Texts that a client of a published bot sends with a message. They are sealed with it, so a reply that is taken over has them too. */
export interface ClientTerms {
  /** Behind the instruction of the bot. */
  readonly instruction?: string;
  /** Between the earlier messages of the conversation and this one. */
  readonly turns?: readonly ClientTurn[];
  /** Beside those of the bot. */
  readonly stopSequences?: readonly string[];
}

/** Only what the client has sent; null for nothing. */
export function termsOrNull({ instruction = '', turns = [], stopSequences = [] }: ClientTerms): ClientTerms | null {
  const terms = {
    ...(instruction !== '' && { instruction }),
    ...(turns.length > 0 && { turns }),
    ...(stopSequences.length > 0 && { stopSequences }),
  };
  return Object.keys(terms).length > 0 ? terms : null;
}

/** The texts that a model is given. */
export const textsOfTerms = ({ instruction = '', turns = [] }: ClientTerms): readonly string[] => [
  instruction,
  ...turns.map(({ text }) => text),
];

/** Bytes of these. */
export const bytesOfTerms = (terms: ClientTerms): number => textsOfTerms(terms).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** The instruction of the bot stays first. */
export function instructionUnder(ofBot: Prompt['instruction'], { instruction = '' }: ClientTerms): string {
  return [ofBot, instruction].filter((text) => text !== '').join('\n\n');
}

export function parametersUnder(ofBot: GenerationParameters, { stopSequences = [] }: ClientTerms): GenerationParameters {
  return stopSequences.length === 0 ? ofBot : { ...ofBot, stopSequences: [...new Set([...ofBot.stopSequences, ...stopSequences])] };
}
