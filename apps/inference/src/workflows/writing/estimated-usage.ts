import { assemble, countUsage, type ModelWindow, type Prompt, type Usage } from '@parlance/chat-models';

/** The tokens of a call whose provider reported none: the part of the prompt that fits into the model's window, and the output. */
export async function estimatedUsage(prompt: Prompt, produced: readonly string[], window: ModelWindow): Promise<Usage> {
  return countUsage(await assemble(prompt, window), produced.join(''));
}
