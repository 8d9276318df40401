import { assemble, countUsage, type ModelWindow, type Prompt, type Usage } from '@parlance/chat-models';

/** The tokens of a call whose provider reported none: those that fit into the window of the model, and those that were produced. */
export async function estimatedUsage(prompt: Prompt, produced: readonly string[], window: ModelWindow): Promise<Usage> {
  return countUsage(await assemble(prompt, window), produced.join(''));
}
