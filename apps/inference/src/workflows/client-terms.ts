import type { GenerationParameters, Prompt } from '@parlance/chat-models';

/** A turn that the client of a published bot sends with its message. */
export interface ClientTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Indexes of the message's files that belong to this turn. Absent if there are none. */
  readonly files?: readonly number[];
}

/**
 * Texts that a client of a published bot sends with a message. They are stored with it, so a process that takes over the reply has them too.
 */
export interface ClientTerms {
  /** An instruction that is added after the bot's. */
  readonly instruction?: string;
  /** Turns that are inserted between the earlier messages of the conversation and this one. */
  readonly turns?: readonly ClientTurn[];
  /** Stop sequences in addition to the bot's. */
  readonly stopSequences?: readonly string[];
}

/** Leaves out empty values. Null if nothing is left. */
export function termsOrNull({ instruction = '', turns = [], stopSequences = [] }: ClientTerms): ClientTerms | null {
  const terms = {
    ...(instruction !== '' && { instruction }),
    ...(turns.length > 0 && { turns }),
    ...(stopSequences.length > 0 && { stopSequences }),
  };
  return Object.keys(terms).length > 0 ? terms : null;
}

/** The texts that are part of the prompt. */
export const textsOfTerms = ({ instruction = '', turns = [] }: ClientTerms): readonly string[] => [
  instruction,
  ...turns.map(({ text }) => text),
];

export const bytesOfTerms = (terms: ClientTerms): number => textsOfTerms(terms).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** The bot's instruction comes first. */
export function instructionUnder(botInstruction: Prompt['instruction'], { instruction = '' }: ClientTerms): string {
  return [botInstruction, instruction].filter((text) => text !== '').join('\n\n');
}

export function parametersUnder(botParameters: GenerationParameters, { stopSequences = [] }: ClientTerms): GenerationParameters {
  return stopSequences.length === 0
    ? botParameters
    : { ...botParameters, stopSequences: [...new Set([...botParameters.stopSequences, ...stopSequences])] };
}
