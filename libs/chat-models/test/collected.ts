import { DEFAULT_PARAMETERS, type GenerationParameters, type Produced, type Prompt } from '../src/index.ts';

export interface PromptParts extends Partial<Omit<Prompt, 'parameters'>> {
  readonly question?: string;
  readonly parameters?: Partial<GenerationParameters>;
}

export function promptOf({ question = 'Why?', parameters, ...more }: PromptParts = {}): Prompt {
  return {
    turns: [{ role: 'user', text: question }],
    instruction: 'Be brief.',
    knowledge: null,
    isCached: false,
    ...more,
    parameters: { ...DEFAULT_PARAMETERS, ...parameters },
  };
}

type End = Extract<Produced, { type: 'end' }>;

type Called = Extract<Produced, { type: 'tool_call' }>;

export interface Collected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Called[];
  readonly end: End | null;
  readonly error: unknown;
}

/** The complete output of a model. An error is kept next to the output before it. */
export async function collected(answer: AsyncIterable<Produced>): Promise<Collected> {
  let [text, reasoning] = ['', ''];
  const calls: Called[] = [];
  let end: End | null = null;
  try {
    for await (const part of answer) {
      if (part.type === 'text') text += part.text;
      else if (part.type === 'reasoning') reasoning += part.text;
      else if (part.type === 'tool_call') calls.push(part);
      else end = part;
    }
  } catch (error) {
    return { text, reasoning, calls, end, error };
  }
  return { text, reasoning, calls, end, error: null };
}
